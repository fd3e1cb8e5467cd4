import Gate
import IMU

/// Requests of a session's folder beyond sound: files written outside the session's own folders, and doors open to
/// other machines.
///
/// If a folder was not saved here by this user, its session plays without these requests until the user agrees.
package struct SessionReach: Sendable, Equatable {
    /// One request beyond sound.
    package struct Part: Sendable, Hashable {
        /// Option of the request.
        package var option: String
        /// Value of the option, as in the file.
        package var value: String

        /// Text for the user.
        package var words: String { "\(option) = \(value)" }
    }

    /// The requests, in order of their text.
    package var parts: [Part]

    /// Holds these requests, in order of their text.
    package init(parts: some Sequence<Part>) { self.parts = parts.sorted { $0.words < $1.words } }

    /// Options that write to the path they name.
    private static let writing: Set = ["record", "record-poses", "record-motion"]
    /// Options that widen write access.
    private static let widening: Set = ["recordings", "allow-write", "learn"]
    /// Options that listen, or send, at an address.
    private static let listening: Set = ["control", "http", "panel", "broadcast"]
    /// Options that name a tracker, which may be a UDP address.
    private static let trackers: Set = ["head", "device"]

    /// Collects the requests of a saved session's options, by option name.
    package init(options: [String: JSONValue]) {
        parts = options.sorted { $0.key < $1.key }.flatMap { option, value -> [Part] in
            let values: [JSONValue] = if case .list(let list) = value { list } else { [value] }
            return values.compactMap { $0.word ?? "" }.filter { Self.reaches(option, $0) }.map {
                Part(option: option, value: $0)
            }
        }
    }

    private static func reaches(_ option: String, _ value: String) -> Bool {
        if writing.contains(option) || widening.contains(option) { return true }
        if listening.contains(option) { return isOpen(value.prefix { $0 != "," }) }
        guard trackers.contains(option) else { return false }
        guard let tracker = try? TrackerSpecification.parse(value) else { return false }
        if case .udp(_, let address, _) = tracker.source { return !Loopback.contains(address) }
        return false
    }

    /// Returns whether `[ADDRESS:]PORT` is reachable from other machines.
    private static func isOpen(_ said: Substring) -> Bool {
        guard let colon = said.lastIndex(of: ":") else { return false }
        return !Loopback.contains(said[..<colon].filter { $0 != "[" && $0 != "]" })
    }
}
