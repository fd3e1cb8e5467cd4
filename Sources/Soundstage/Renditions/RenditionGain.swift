import CRealtime

/// The gain that brings the stereo rendition to the loudness of the multichannel one.
///
/// As long as it is not heard it is what the last moments ask for, and so it stays for half a second after a hand-over:
/// then a step would be heard. Later it is what is asked for in the long run, and moves slowly (`RenditionPace`), so
/// that it is not heard to move. Where a stream is cut makes no difference.
struct RenditionGain: BitwiseCopyable {
    /// Largest correction, dB.
    static var most: Float { @_noLocks get { 12 } }

    /// The gain in force, linear.
    private(set) var value: Float = 1
    private var now: Float = 1
    private var usual: Float = 1
    /// Frames since the last hand-over.
    private var frames = Int.max / 2
    private let pace: RenditionPace

    /// Unity.
    init(sampleRate: Double) { pace = RenditionPace(sampleRate: sampleRate) }

    /// Asks for gains in dB: that of the last moments, and that of the long run.
    @_noLocks
    mutating func aim(now: Float, usual: Float) {
        func linear(_ decibels: Float) -> Float {
            let bounded = max(-Self.most, min(Self.most, decibels))
            return Float(prc_exp(Double(bounded) * 2.302_585_092_994_046 / 20))
        }
        self.now = linear(now)
        self.usual = linear(usual)
    }

    /// Is there at once.
    @_noLocks
    mutating func jump() { value = now }

    /// A hand-over begins.
    @_noLocks
    mutating func hurry() { frames = 0 }

    /// Applies the gain to rows as it moves on over `length` frames.
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
