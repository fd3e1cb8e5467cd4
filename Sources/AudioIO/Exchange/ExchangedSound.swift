import CRealtime
import Signal
import Synchronization

/// Sound of an exchange, which plays and records at the same time. The memory is allocated once, for the longest take.
///
/// In the phase `idle` the caller fills `played` and reads `recorded`. The audio thread accesses the two blocks only in
/// the phases `armed` and `running`, and sets `idle` at the end of the sound.
struct ExchangedSound: ~Copyable {
    /// State of the exchange.
    enum Phase: UInt8, AtomicRepresentable {
        /// The output is silent. The memory belongs to the caller.
        case idle
        /// The sound begins with the next period.
        case armed
        /// The sound plays.
        case running
    }

    /// Signals `[loudspeaker][frame]`.
    let played: PlanarBlock
    /// Recording `[ear][frame]`.
    let recorded: PlanarBlock
    let phase = Atomic<Phase>(.idle)
    /// Whether the sound has to end early. It then fades out over the next period.
    let isEnding = Atomic<Bool>(false)
    /// Frames of the present sound.
    let length = Atomic<Int>(0)
    /// Frames played so far.
    let position = Atomic<Int>(0)
    /// Number of frames that the server skipped during the sound.
    let lostFrames = Atomic<Int>(0)
    /// Expected clock frame of the next period.
    private var expected: UInt32 = 0

    /// Allocates memory for takes of up to `frames` frames.
    init(loudspeakers: Int, frames: Int) {
        played = PlanarBlock(channels: loudspeakers, frames: frames)
        recorded = PlanarBlock(channels: 2, frames: frames)
    }

    /// Plays and records one period whose first frame is at `clock`. Called on the audio thread; cannot fail.
    @_noLocks
    mutating func process(
        _ outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
        _ inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>, frames: Int, clock: UInt32
    ) {
        for channel in 0..<played.channelCount { prc_zero(outputs[channel], frames * 4) }
        var now = phase.load(ordering: .acquiring)
        if now == .armed {
            (expected, now) = (clock, .running)
            phase.store(.running, ordering: .relaxed)
        }
        guard now == .running else { return }
        let skipped = Int(Int32(bitPattern: clock &- expected))
        if skipped > 0 { lostFrames.wrappingAdd(skipped, ordering: .relaxed) }
        expected = clock &+ UInt32(truncatingIfNeeded: frames)
        let from = position.load(ordering: .relaxed)
        let count = min(frames, length.load(ordering: .relaxed) - from)
        for channel in 0..<played.channelCount { prc_copy(outputs[channel], played[channel] + from, count * 4) }
        for ear in 0..<2 { prc_copy(recorded[ear] + from, inputs[ear], count * 4) }
        position.store(from + count, ordering: .relaxed)
        let ends = isEnding.load(ordering: .relaxed)
        if ends {
            for channel in 0..<played.channelCount {
                for i in 0..<count { outputs[channel][i] *= Float(count - i) / Float(count) }
            }
        }
        if ends || from + count >= length.load(ordering: .relaxed) { phase.store(.idle, ordering: .releasing) }
    }
}
