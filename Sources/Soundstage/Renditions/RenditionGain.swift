import CRealtime

/// Gain that gives the stereo rendition the loudness of the multichannel one.
///
/// Up to a hand-over (a change) to stereo, and for half a second afterwards, the gain follows the momentary match,
/// because a step would be audible then. Later it moves slowly (`RenditionPace`) to the long-term match, so that its
/// movement is inaudible. The output does not depend on how a stream is divided into calls.
struct RenditionGain: BitwiseCopyable {
    /// Largest correction, dB.
    static var most: Float { @_noLocks get { 12 } }

    /// Linear gain in force.
    private(set) var value: Float = 1
    /// Momentary match, linear.
    private var now: Float = 1
    /// Long-term match, linear.
    private var usual: Float = 1
    /// Frames since the last hand-over; very many before the first.
    private var frames = Int.max / 2
    private let pace: RenditionPace

    /// Makes a gain of 1.
    init(sampleRate: Double) { pace = RenditionPace(sampleRate: sampleRate) }

    /// Sets the target gains, dB. `now` is measured over the last moments, `usual` over the long term.
    @_noLocks
    mutating func aim(now: Float, usual: Float) {
        func linear(_ decibels: Float) -> Float {
            let bounded = max(-Self.most, min(Self.most, decibels))
            return Float(prc_exp(Double(bounded) * 2.302_585_092_994_046 / 20))
        }
        self.now = linear(now)
        self.usual = linear(usual)
    }

    /// Sets the gain to the momentary match without a ramp.
    @_noLocks
    mutating func jump() { value = now }

    /// Begins the momentary phase of the gain, at a hand-over.
    @_noLocks
    mutating func hurry() { frames = 0 }

    /// Applies the moving gain to `length` frames of `count` rows.
    @_noLocks
    mutating func apply(to rows: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, frames length: Int) {
        for i in 0..<length {
            let wanted = frames < pace.firstFrames ? now : usual
            if value != wanted {
                let step = pace.step(frames, isLoudness: true)
                value = value < wanted ? min(wanted, value * step) : max(wanted, value / step)
            }
            frames &+= frames < Int.max / 2 ? 1 : 0
            guard value != 1 else { continue }
            for row in 0..<count { rows[row][i] *= value }
        }
    }
}
