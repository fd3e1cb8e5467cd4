import Desktop

/// The command line of the session that plays the desktop's sink.
enum DesktopWords {
    /// Returns the words of `run`: the typed ones, and a default for each option that was not typed.
    static func session(_ sink: DesktopSink, _ typed: [String]) -> [String] {
        func isTyped(_ option: String) -> Bool { typed.contains { $0 == option || $0.hasPrefix(option + "=") } }
        var words = ["run", "--desktop", "--quiet", "--name", DesktopRecord.session]
        if !isTyped("--layout") { words += ["--layout", sink.layout] }
        if !isTyped("--limiter") { words += ["--limiter", "lookahead"] }
        if !isTyped("--gain") { words += ["--gain=-3"] }
        if sink.layout == "stereo", !isTyped("--upmix") { words += ["--upmix", "identity"] }
        return words + typed
    }
}
