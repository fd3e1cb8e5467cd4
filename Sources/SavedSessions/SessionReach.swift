import Gate
import IMU

/// What a session's folder asks for that reaches beyond sound: files written outside the folders a session writes to,
/// and doors that other machines reach.
///
/// A folder from elsewhere plays without these until its user agrees.
package struct SessionReach: Sendable, Equatable {
    /// One thing that reaches beyond sound.
    package struct Part: Sendable, Hashable {
        /// The option that asks for it.
        package var option: String
        /// Its value as it is written.
        package var value: String

        /// For the user.
        package var words: String { "\(option) = \(value)" }
    }

    /// What is asked for, in order of the options.
    package var parts: [Part]

    /// These parts, in order.
    package init(parts: some Sequence<Part>) { self.parts = parts.sorted { $0.words < $1.words } }

    /// Options that write where they say.
    private static let writing: Set = ["record", "record-poses", "record-motion"]
    /// Options that widen what may be written to.
    private static let widening: Set = ["recordings", "allow-write", "learn"]
    /// Options that listen, or send, at an address.
    private static let listening: Set = ["control", "http", "panel", "broadcast"]
    /// Options that name a tracker.
    private static let trackers: Set = ["head", "device"]

    /// What the options of a saved session ask for; options by their names.
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

    /// Whether `[ADDRESS:]PORT` is an address that other machines reach.
    private static func isOpen(_ said: Substring) -> Bool {
        guard let colon = said.lastIndex(of: ":") else { return false }
        return !Loopback.contains(said[..<colon].filter { $0 != "[" && $0 != "]" })
    }
}
