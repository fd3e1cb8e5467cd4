import ArgumentParser
import Control
import Gate

/// Names within a running session that shells offer for the words of `ctl`.
enum RunningNames {
    /// Inputs of the session.
    case inputs
    /// Plugins of all chains of the session.
    case plugins
    /// Scenes of the session.
    case scenes
    /// Interruptions in force.
    case interruptions

    /// Longest wait for the session's answer; the shell waits meanwhile.
    private static let patience = Duration.milliseconds(200)

    /// Completion of an argument by these names.
    var completion: CompletionKind { .custom { words, _, _ in all(for: words) } }

    /// Returns the names in the session that a command line addresses: by `--to`, else the only running session. Empty
    /// if there is no such session, if it does not answer in time, and with `--port`, which may address another
    /// machine. Blocks the thread.
    func all(for words: [String]) -> [String] {
        guard let session = Self.session(words),
            let text = ControlClient.state(of: session, within: Self.patience), let state = JSONValue(parsing: text)
        else { return [] }
        return switch self {
        case .inputs: Self.names(state["programmes"])
        case .plugins: Self.names(state["plugins"])
        case .scenes: Self.elements(state["scenes"]).compactMap(\.text)
        case .interruptions: Self.names(state["playback"]?["interruptions"])
        }
    }

    /// Returns the name in each object of a list, each once.
    private static func names(_ list: JSONValue?) -> [String] {
        var seen: Set<String> = []
        return elements(list).compactMap { $0["name"]?.text }.filter { seen.insert($0).inserted }
    }

    private static func elements(_ list: JSONValue?) -> [JSONValue] {
        if case .list(let elements)? = list { elements } else { [] }
    }

    /// Returns the name given by `--to`. Without it: the name of the only running session; nil if none or several run.
    /// With `--port`: nil.
    private static func session(_ words: [String]) -> String? {
        func value(_ option: String) -> String? {
            for (index, word) in words.enumerated() {
                if word == option { return index + 1 < words.count ? words[index + 1] : "" }
                if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
            }
            return nil
        }
        guard value("--port") == nil else { return nil }
        if let named = value("--to") { return named }
        let running = SessionSockets.running()
        return running.count == 1 ? running[0] : nil
    }
}
