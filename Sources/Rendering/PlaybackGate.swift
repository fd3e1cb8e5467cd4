import Signal
import Soundstage
import Synchronization

/// What mutes the two ears: closed by the thread that learns first that the listener's route is gone, opened on the
/// user's word.
///
/// Any thread may close it; the audio thread hears of it with its next call, and fades within 5 ms. The session holds
/// it closed, and lets go of what it held: a closing that it has not heard of yet stands.
/// Made and freed by `StageRenderer`.
package struct PlaybackGate: ~Copyable {
    /// Seconds from sound to silence, and back.
    package static let seconds = 0.005

    /// Odd while closed; counts every closing and every opening.
    private let turns = Atomic<Int>(0)
    /// The closing that the session knows of.
    private let held = Atomic<Int>(0)
    /// The audio thread's alone.
    private var fade: Fade

    /// An open gate.
    init(sampleRate: Double) { fade = PlaybackGate.fade(sampleRate: sampleRate) }

    /// How an open gate mutes and lets through again.
    static func fade(sampleRate: Double) -> Fade { Fade(length: max(1, Int(seconds * sampleRate)), isIn: true) }

    /// Mutes; nothing where it is closed already. Wait-free. Any thread.
    @_noLocks
    package func close() {
        let seen = turns.load(ordering: .relaxed)
        // A failed exchange means that another thread closed or opened it at this very moment.
        if seen & 1 == 0 {
            _ = turns.compareExchange(expected: seen, desired: seen + 1, ordering: .acquiringAndReleasing)
        }
    }

    /// Is held from the first frame on, without a fade. Before the audio thread has it.
    package mutating func beginHeld() {
        hold()
        fade.jump(isIn: false)
    }

    /// Mutes, or takes note of the closing that is in force, until `release`. The session's thread.
    package func hold() {
        close()
        held.store(turns.load(ordering: .acquiring), ordering: .relaxed)
    }

    /// Lets the sound through again where the closing that was held is still the one in force. The session's thread.
    package func release() {
        let closing = held.load(ordering: .relaxed)
        guard closing & 1 == 1 else { return }
        _ = turns.compareExchange(expected: closing, desired: closing + 1, ordering: .acquiringAndReleasing)
    }

    /// Whether sound is to pass. Any thread.
    package var isOpen: Bool { @_noLocks get { turns.load(ordering: .acquiring) & 1 == 0 } }

    /// Works on `count` frames of both ears in place; at rest and open it does nothing. Audio thread.
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
