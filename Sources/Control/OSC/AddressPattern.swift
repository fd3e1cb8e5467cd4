import Desk
import OSC
import Stages
import Synchronization

/// Address pattern of a message (OSC 1.0, "OSC Message Dispatching and Pattern Matching").
///
/// `?` matches one character, `*` any number of characters, `[a-z]` one character of a set, `[!a-z]` one character
/// outside a set, and `{foo,bar}` one of several words. None of them matches `/`.
struct AddressPattern {
    /// Greatest number of addresses that one message may set.
    private static let most = 512
    private let parts: [[UInt8]]

    /// Reads a pattern; nil if the address has no pattern characters.
    init?(_ address: String) {
        guard address.utf8.contains(where: { "*?[{".utf8.contains($0) }) else { return nil }
        parts = Self.split(address)
    }

    /// Returns whether an address matches. With few `*`, the number of steps is of the order of the pattern's length
    /// times the address's length. After `mostSteps` steps the result is false.
    func matches(_ address: String) -> Bool {
        let others = Self.split(address)
        guard others.count == parts.count else { return false }
        var steps = Self.mostSteps
        return zip(parts, others).allSatisfy { Self.matches($0[...], $1[...], &steps) }
    }

    /// Returns one message for each matching address, at most `most`, in alphabetical order; nil if the address is not
    /// a pattern. Only values that are kept (`StateAddress.isKept`), and parameters of the session or of all inputs or
    /// loudspeakers, are matched. Commands are not, so that `/proscenium/*` does not end the session.
    ///
    /// - Parameter state: addresses in the session's state.
    static func messages(_ message: OSCMessage, among state: some Sequence<String>) -> [OSCMessage]? {
        guard let pattern = AddressPattern(message.address) else { return nil }
        let settable = Set(state.filter { StateAddress($0).isKept }).union(Parameter.all.map(\.id))
        return settable.sorted().filter { pattern.matches(ControlWire.prefix + $0) }.prefix(most).map {
            OSCMessage(ControlWire.prefix + $0, message.arguments)
        }
    }

    /// Carries out a message, or one message for each address that its pattern matches.
    ///
    /// - Parameters:
    ///   - state: addresses in the session's state; read only if the message has a pattern.
    ///   - act: carries out one message and replies to it once.
    ///   - answer: called once with the reply.
    static func carryOut(
        _ message: OSCMessage, among state: @autoclosure () -> [String],
        _ act: (OSCMessage, @escaping @Sendable (SessionReply) -> Void) -> Void,
        answer: @escaping @Sendable (SessionReply) -> Void
    ) {
        // A pattern without a match is used as a plain address, because a plugin's name may contain pattern characters.
        guard AddressPattern(message.address) != nil, let all = messages(message, among: state()), !all.isEmpty else {
            return act(message, answer)
        }
        let whole = PatternAnswer(to: all.count, reply: answer)
        for one in all { act(one) { whole.take($0, to: one.address) } }
    }

    /// Greatest number of steps. Practical patterns need fewer.
    private static let mostSteps = 10_000

    private static func split(_ address: String) -> [[UInt8]] {
        address.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
    }

    private static func matches(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>, _ steps: inout Int) -> Bool {
        steps -= 1
        guard steps > 0 else { return false }
        guard let first = pattern.first else { return text.isEmpty }
        let rest = pattern.dropFirst()
        switch first {
        case UInt8(ascii: "*"):
            return (text.startIndex...text.endIndex).contains { matches(rest, text[$0...], &steps) }
        case UInt8(ascii: "?"):
            return !text.isEmpty && matches(rest, text.dropFirst(), &steps)
        case UInt8(ascii: "["):
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")), let byte = text.first else { return false }
            return isOne(byte, of: rest[..<end]) && matches(rest[(end + 1)...], text.dropFirst(), &steps)
        case UInt8(ascii: "{"):
            guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return false }
            return rest[..<end].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).contains { word in
                text.starts(with: word) && matches(rest[(end + 1)...], text.dropFirst(word.count), &steps)
            }
        default:
            return text.first == first && matches(rest, text.dropFirst(), &steps)
        }
    }

    /// Returns whether a byte is in a set such as `a-z`, or outside the set after `!`. A `-` at the end is a normal
    /// character.
    private static func isOne(_ byte: UInt8, of set: ArraySlice<UInt8>) -> Bool {
        let isOutside = set.first == UInt8(ascii: "!")
        var left = isOutside ? set.dropFirst() : set
        var isFound = false
        while let first = left.first {
            if left.count >= 3, left[left.startIndex + 1] == UInt8(ascii: "-") {
                let last = left[left.startIndex + 2]
                isFound = isFound || (first <= last && (first...last).contains(byte))
                left = left.dropFirst(3)
            } else {
                isFound = isFound || first == byte
                left = left.dropFirst()
            }
        }
        return isFound != isOutside
    }
}

/// Single reply to the messages of one pattern.
final class PatternAnswer: Sendable {
    private struct State {
        var left: Int
        var refusal: String?
    }
    private let state: Mutex<State>
    private let count: Int
    private let reply: @Sendable (SessionReply) -> Void

    /// Creates the reply to `count` messages, at least one. Calls `reply` once, when all of them have been answered.
    init(to count: Int, reply: @escaping @Sendable (SessionReply) -> Void) {
        self.count = count
        self.reply = reply
        state = Mutex(State(left: count))
    }

    /// Adds the reply to the message for one address.
    func take(_ answer: SessionReply, to address: String) {
        let isLast = state.withLock { state in
            if case .refused(let why) = answer, state.refusal == nil { state.refusal = "\(address): \(why)" }
            state.left -= 1
            return state.left == 0
        }
        guard isLast else { return }
        if let refusal = state.withLock({ $0.refusal }) { return reply(.refused(refusal)) }
        reply(.told("done at \(count) \(count == 1 ? "address" : "addresses")"))
    }
}
