#!/usr/bin/env bash
# Draws docs/waveform_scan.png anew: dve-sim, then GTKWave in a virtual screen.
# Needs the packages gtkwave, xvfb and imagemagick.   usage: docs/draw_waveform.sh DVE_SIM
set -euo pipefail
dve_sim="$(realpath "$1")"
docs="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cd "$work"
"$dve_sim" run "$docs/waveform_scan.dvs" --timing cycle --vcd run.vcd
cat >grab.tcl <<TCL
gtkwave::/Time/Zoom/Zoom_Full
gtkwave::setZoomRangeTimes 46000ps 180000ps
gtkwave::/File/Grab_To_File $work/grab.png
gtkwave::/File/Quit
TCL
xvfb-run -a -s "-screen 0 1500x820x24" gtkwave -S grab.tcl run.vcd run.gtkw
/usr/bin/convert grab.png -crop 1500x820+0+0 +repage -resize 1200x "$docs/waveform_scan.png"
