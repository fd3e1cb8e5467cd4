import Signal
import Soundstage
import Synchronization

/// Mute of the two ears. The thread that first detects the loss of the listener's route closes it; the user opens it.
///
/// Any thread may close it. The audio thread applies a closing at its next call, and fades within 5 ms. The session
/// holds a closing and releases only the one that it holds: a later closing stays in force. Made and freed by
/// `StageRenderer`.
package struct PlaybackGate: ~Copyable {
    /// Seconds from sound to silence, and back.
    package static let seconds = 0.005

    /// Count of closings and openings; odd while closed.
    private let turns = Atomic<Int>(0)
    /// Value of `turns` at the closing that the session holds.
    private let held = Atomic<Int>(0)
    /// Fade of the ears, for the audio thread alone.
    private var fade: Fade

    /// Makes an open gate.
    init(sampleRate: Double) { fade = PlaybackGate.fade(sampleRate: sampleRate) }

    /// Returns the fade of an open gate.
    static func fade(sampleRate: Double) -> Fade { Fade(length: max(1, Int(seconds * sampleRate)), isIn: true) }

    /// Closes the gate; no effect on a closed one. Wait-free. Any thread.
    @_noLocks
    package func close() {
        let seen = turns.load(ordering: .relaxed)
        // A failed exchange means that another thread closed or opened the gate at this moment.
        if seen & 1 == 0 {
            _ = turns.compareExchange(expected: seen, desired: seen + 1, ordering: .acquiringAndReleasing)
        }
    }

    /// Closes and holds the gate from the first frame on, without a fade. Before the audio thread uses it.
    package mutating func beginHeld() {
        hold()
        fade.jump(isIn: false)
    }

    /// Closes the gate, or takes over the closing in force, and holds it until `release`. The session's thread.
    package func hold() {
        close()
        held.store(turns.load(ordering: .acquiring), ordering: .relaxed)
    }

    /// Opens the gate where the held closing is still the one in force. The session's thread.
    package func release() {
        let closing = held.load(ordering: .relaxed)
        guard closing & 1 == 1 else { return }
        _ = turns.compareExchange(expected: closing, desired: closing + 1, ordering: .acquiringAndReleasing)
    }

    /// Whether the gate is open. Any thread.
    package var isOpen: Bool { @_noLocks get { turns.load(ordering: .acquiring) & 1 == 0 } }

    /// Fades `count` frames of both ears in place; no work at rest and open. Audio thread.
    @_noLocks
    mutating func process(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, count: Int) {
        let isOpen = isOpen
        if isOpen && fade.isIn { return }
        for i in 0..<count {
            let gain = fade.smooth(ahead: i, comes: isOpen)
            left[i] *= gain
            right[i] *= gain
        }
        fade.advance(count, comes: isOpen)
    }
}
