// Files beside a waveform that tell GTKWave what to show and how to name the values.
#pragma once

#include <string>
#include <vector>

#include "models/isa/text_result.h"
#include "traces/waveform/waveform_file.h"

namespace dve {

/// Where the save file of a waveform goes.
std::string viewer_file_beside(const std::string& waveform);

struct ViewerFile {
    std::string path;
    std::string text;
};

/// For run.vcd or run.fst: the save file run.gtkw, then the translate files it names, in the
/// folder run.filters. Nothing for a waveform on standard output, a device or a pipe.
std::vector<ViewerFile> viewer_files(const WaveformFile& waveform);

Status write_viewer_files(const WaveformFile& waveform);

}  // namespace dve
