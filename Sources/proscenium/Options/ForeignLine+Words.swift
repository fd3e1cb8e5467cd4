/// Words of ffmpeg, sox and their companions.
extension ForeignLine {
    /// Commands by the names that other programs have for them.
    static let foreignCommands = [
        "convert": "process", "transcode": "process", "mix": "process", "downmix": "process", "binaural": "render",
        "play": "preview", "ffplay": "preview", "probe": "info", "ffprobe": "info", "soxi": "info", "show": "info",
        "--i": "info", "--info": "info", "stat": "loudness", "stats": "loudness", "volumedetect": "loudness",
        "loudnorm": "loudness", "ebur128": "loudness",
    ]
    /// Layouts by the count of channels.
    static let layouts = ["1": "mono", "2": "stereo", "3": "3.0", "4": "quad", "5": "5.0", "6": "5.1", "8": "7.1"]
    /// Counts by the layouts of ffmpeg's filter `pan`.
    static let counts = [
        "mono": "1", "stereo": "2", "quad": "4", "5.0": "5", "5.1": "6", "7.1": "8", "1c": "1", "2c": "2",
    ]
    /// Options without effect here: reports go to standard error, nothing is replaced without permission, and the
    /// picture is not read.
    static let silent: Set = [
        "hide_banner", "nostdin", "stats", "nostats", "vn", "n", "S", "q", "D", "show_streams", "show_format",
        "no-clobber",
        "show-progress", "no-show-progress",
    ]
    /// Effects of sox: those with a counterpart, and others, which only end the values of the effect before them.
    static let effects: Set = [
        "trim", "channels", "remix", "gain", "vol", "norm", "rate", "dither", "stat", "stats", "fade", "pad", "reverse",
        "reverb", "speed", "tempo", "pitch", "highpass", "lowpass", "equalizer", "compand", "silence", "repeat", "swap",
    ]
}
