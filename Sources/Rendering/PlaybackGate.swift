import Signal
import Soundstage
import Synchronization

/// Mute of the two ears. If the connection to the listener's device is lost, the thread that detects this first closes
/// the gate. The session opens it.
///
/// Any thread may close the gate. The audio thread applies a closing at its next call, with a fade of 5 ms. The session
/// can end only the closing that it holds (`hold`). A later closing by another thread stays in force until the session
/// holds that one too. `StageRenderer` makes and frees the gate.
package struct PlaybackGate: ~Copyable {
    /// Duration of the fade between sound and silence, seconds.
    package static let seconds = 0.005

    /// Number of closings and openings; odd while the gate is closed.
    private let turns = Atomic<Int>(0)
    /// Value of `turns` after the closing that the session holds.
    private let held = Atomic<Int>(0)
    /// Fade of the ears. Only the audio thread uses it.
    private var fade: Fade

    /// Makes an open gate.
    init(sampleRate: Double) { fade = PlaybackGate.fade(sampleRate: sampleRate) }

    /// Returns the fade of a gate that is open.
    static func fade(sampleRate: Double) -> Fade { Fade(length: max(1, Int(seconds * sampleRate)), isIn: true) }

    /// Closes the gate. Has no effect on a closed gate. Wait-free. Any thread may call it.
    @_noLocks
    package func close() {
        let seen = turns.load(ordering: .relaxed)
        // A failed exchange means that another thread has just closed or opened the gate.
        if seen & 1 == 0 {
            _ = turns.compareExchange(expected: seen, desired: seen + 1, ordering: .acquiringAndReleasing)
        }
    }

    /// Closes and holds the gate from the first frame on, without a fade. Call before the audio thread uses the gate.
    package mutating func beginHeld() {
        hold()
        fade.jump(isIn: false)
    }

    /// Closes the gate, or takes over the present closing, and holds it until `release`. Called on the session's
    /// thread.
    package func hold() {
        close()
        held.store(turns.load(ordering: .acquiring), ordering: .relaxed)
    }

    /// Opens the gate, if the closing that the session holds is still in force. Called on the session's thread.
    package func release() {
        let closing = held.load(ordering: .relaxed)
        guard closing & 1 == 1 else { return }
        _ = turns.compareExchange(expected: closing, desired: closing + 1, ordering: .acquiringAndReleasing)
    }

    /// Whether the gate is open. Any thread may read it.
    package var isOpen: Bool { @_noLocks get { turns.load(ordering: .acquiring) & 1 == 0 } }

    /// Fades `count` frames of both ears in place. Does nothing while the gate is open and no fade is under way. Called
    /// on the audio thread.
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
