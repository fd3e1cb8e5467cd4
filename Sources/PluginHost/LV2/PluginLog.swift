import CPlugins
import CRealtime
import Synchronization

/// Newest lines that a plugin has logged. Any thread that runs the plugin's code may log, and none of them waits.
///
/// A writer gets the next slot from a counter and writes its line into the slot, word by word. A reader skips a line
/// that was overwritten while it was read. Lines are truncated to 248 bytes.
///
/// All shared data are atomic.
final class PluginLog {
    /// Number of slots.
    private static var lines: Int { @_noLocks get { 32 } }
    /// Number of 8-byte words in a line.
    private static var words: Int { @_noLocks get { 31 } }

    private struct Board: ~Copyable {
        /// Number of lines written so far.
        let written = Atomic<Int>(0)
        /// Slots. Each slot has a state (twice its line's number, plus 1 while it is being written), followed by the
        /// text.
        let places: UnsafeMutablePointer<Atomic<UInt64>>
    }
    private let board: UnsafeMutablePointer<Board>
    /// Feature with which the plugin logs.
    let feature: UnsafeMutablePointer<prc_plugin_log>

    /// Creates an empty log in an instance's memory.
    init(_ memory: LV2Memory) {
        board = memory.one(
            Board(places: memory.atomics(Self.lines * (1 + Self.words), of: UInt64(0))))
        feature = memory.one(prc_plugin_log())
        prc_plugin_log_begin(
            feature,
            { context, _, text in
                guard let context, let text else { return }
                PluginLog.write(text, to: context.assumingMemoryBound(to: Board.self))
            }, board)
    }

    /// Writes one line. May be called on any thread.
    @_noLocks
    private static func write(_ text: UnsafePointer<CChar>, to board: UnsafeMutablePointer<Board>) {
        let number = board.pointee.written.add(1, ordering: .relaxed).newValue
        let place = board.pointee.places + (number % lines) * (1 + words)
        place.pointee.store(UInt64(2 * number + 1), ordering: .releasing)
        var (i, hasEnded) = (0, false)
        for word in 1...words {
            var bits: UInt64 = 0
            for byte in 0..<8 where !hasEnded {
                let character = UInt8(bitPattern: text[i])
                // A line ends with the text or before its newline.
                hasEnded = character == 0 || character == 10
                if !hasEnded { bits |= UInt64(character) << UInt64(8 * byte) }
                i += 1
            }
            (place + word).pointee.store(bits, ordering: .releasing)
        }
        place.pointee.store(UInt64(2 * number), ordering: .releasing)
    }

    /// Returns the kept lines, oldest first. May be called on any thread but the audio thread.
    func read() -> [String] {
        let last = board.pointee.written.load(ordering: .acquiring)
        return (max(1, last - Self.lines + 1)..<max(1, last + 1)).compactMap { number in
            let place = board.pointee.places + (number % Self.lines) * (1 + Self.words)
            guard place.pointee.load(ordering: .acquiring) == UInt64(2 * number) else { return nil }
            let bytes = (1...Self.words).flatMap { word in
                let bits = (place + word).pointee.load(ordering: .acquiring)
                return (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
            }
            guard place.pointee.load(ordering: .acquiring) == UInt64(2 * number) else { return nil }
            return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
