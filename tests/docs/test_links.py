# Every relative link of every page leads to something, in the source tree or where the pages are installed.
import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(os.environ["DVE_DOCUMENTS"])
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def pages():
    return [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("platform/**/*.md")]


def anchors(page):
    """What headings are called in links: lower case, blanks as hyphens, no punctuation."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Links(unittest.TestCase):
    def test_links(self):
        seen = 0
        for page in pages():
            text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.M | re.S)
            text = re.sub(r"`[^`]*`", "", text)
            for link in LINK.findall(text):
                if re.match(r"[a-z]+:", link):
                    continue
                seen += 1
                name, _, anchor = link.partition("#")
                target = (page.parent / name).resolve() if name else page
                self.assertTrue(target.is_relative_to(ROOT.resolve()), f"{page}: {link} leaves the documents")
                self.assertTrue(target.exists(), f"{page}: {link}")
                if anchor:
                    self.assertIn(anchor, anchors(target), f"{page}: {link}")
        self.assertGreater(seen, 30)

    def test_every_page_is_reached(self):
        """From README.md, by links alone."""
        reached, open_pages = set(), [ROOT / "README.md"]
        while open_pages:
            page = open_pages.pop().resolve()
            if page in reached or page.suffix != ".md":
                continue
            reached.add(page)
            open_pages += [page.parent / link.partition("#")[0] for link in LINK.findall(page.read_text())
                           if not re.match(r"[a-z]+:|#", link) and (page.parent / link.partition("#")[0]).exists()]
        self.assertEqual({page.resolve() for page in pages()} - reached, set())


if __name__ == "__main__":
    unittest.main()
