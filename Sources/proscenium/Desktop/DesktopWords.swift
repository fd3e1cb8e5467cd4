import Desktop

/// The command line of the session that plays the desktop's sinks.
enum DesktopWords {
    /// Returns the words of `run`: typed ones, defaults where none was typed, and the further inputs of the rules.
    ///
    /// - Parameter sink: sink of the main input.
    static func session(_ sink: DesktopSink, _ typed: [String], _ rules: StreamRules) -> [String] {
        func isTyped(_ option: String) -> Bool { typed.contains { $0 == option || $0.hasPrefix(option + "=") } }
        var words = ["run", "--desktop", "--quiet", "--name", DesktopRecord.session]
        if !isTyped("--layout") { words += ["--layout", sink.layout] }
        if !isTyped("--limiter") { words += ["--limiter", "lookahead"] }
        if !isTyped("--gain") { words += ["--gain=-3"] }
        if sink.layout == "stereo", !isTyped("--upmix") { words += ["--upmix", "identity"] }
        let isOff = typed.contains("--upmix=off") || zip(typed, typed.dropFirst()).contains { $0 == ("--upmix", "off") }
        for input in rules.inputs(isMainUpmixed: sink.layout == "stereo" && !isOff) { words += ["--input", input] }
        return words + typed
    }

    /// Returns the words after `desktop on` that are options of `run`.
    static func typed(_ all: [String]) -> [String] {
        var words: [String] = []
        var rest = all.dropFirst(2)
        while let word = rest.popFirst() {
            if word == "--default" || word.hasPrefix("--output=") { continue }
            if word == "--output" {
                _ = rest.popFirst()
                continue
            }
            words.append(word)
        }
        return words
    }
}
