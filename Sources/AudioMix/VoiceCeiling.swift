import CRealtime
import Signal

/// Limits a voice to the power of the sound field from which it was separated, in blocks of a millisecond. The
/// transforms spread a click or an onset over the frame before it. The limiter removes this pre-echo from the voice.
/// The ambience, which is the input minus the encoded voices, then has none either.
///
/// A plane wave of amplitude v has ½·(W² + X² + Y² + Z²) = v². A voice with more power is attenuated to that power. The
/// gain falls without a ramp and rises in linear ramps of one millisecond.
struct VoiceCeiling: ~Copyable {
    /// `[voice]`: gain at the end of the last hop.
    private let gains: Row<Float>
    /// Frames in a millisecond.
    private let block: Int

    /// Creates limiters for `voices` rows, with gain 1.
    init(_ tuning: AudioMixTuning, voices: Int) {
        gains = Row(voices, 1)
        block = max(1, Int(tuning.rate / 1000))
    }

    /// Resets all gains to 1.
    @_noLocks
    func reset() { for i in 0..<gains.count { gains.base[i] = 1 } }

    /// Attenuates rows of voices where they are louder than the field of W, Y, Z and X at the same time. Cost: O(frames
    /// × voices).
    @_noLocks
    func lower(_ voices: borrowing PlanarBlock, _ field: UnsafePointer<UnsafePointer<Float>?>, frames: Int) {
        guard let w = field[0], let y = field[1], let z = field[2], let x = field[3] else { return }
        var at = 0
        while at < frames {
            let end = min(frames, at + block)
            var power: Float = 1e-14
            for i in at..<end { power += w[i] * w[i] + x[i] * x[i] + y[i] * y[i] + z[i] * z[i] }
            for voice in 0..<gains.count { follow(voices[voice], voice, at..<end, 0.5 * power) }
            at = end
        }
    }

    @_noLocks
    @inline(__always)
    private func follow(_ row: UnsafeMutablePointer<Float>, _ voice: Int, _ part: Range<Int>, _ most: Float) {
        var own: Float = 1e-14
        for i in part { own += row[i] * row[i] }
        let from = gains.base[voice], to = own > most ? prc_sqrtf(most / own) : 1
        gains.base[voice] = to
        if from == 1, to == 1 { return }
        let step = (to - from) / Float(part.count)
        for i in part { row[i] *= to < from ? to : from + step * Float(i - part.lowerBound) }
    }
}
