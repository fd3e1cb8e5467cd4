import CRealtime

/// The gain that brings the stereo rendition to the loudness of the multichannel one.
///
/// As long as it is not heard it is what was last measured; while it is heard it moves slowly: 3 dB/s in the first two seconds
/// after a hand-over, 1 dB/s later, so that nobody hears it move. Where a stream is cut makes no difference.
struct RenditionGain: BitwiseCopyable {
    /// Largest correction, dB.
    static var most: Float { @_noLocks get { 6 } }

    /// The gain in force, linear.
    private(set) var value: Float = 1
    private var wanted: Float = 1
    private var fastFrames = 0
    private let quick: Float
    private let steady: Float
    private let quickFrames: Int

    /// Unity.
    init(sampleRate: Double) {
        let decibel = 2.302_585_092_994_046 / 20
        quick = Float(prc_exp(3 * decibel / sampleRate))
        steady = Float(prc_exp(decibel / sampleRate))
        quickFrames = Int(2 * sampleRate)
    }

    /// Asks for a gain in dB.
    @_noLocks
    mutating func aim(decibels: Float) {
        let bounded = max(-Self.most, min(Self.most, decibels))
        wanted = Float(prc_exp(Double(bounded) * 2.302_585_092_994_046 / 20))
    }

    /// Is there at once.
    @_noLocks
    mutating func jump() { value = wanted }

    /// Moves quickly from now on, for two seconds.
    @_noLocks
    mutating func hurry() { fastFrames = quickFrames }

    /// Applies the gain to rows as it moves on over `frames` frames.
    @_noLocks
    mutating func apply(to rows: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int, frames: Int) {
        if value == wanted {
            fastFrames = max(0, fastFrames - frames)
            guard value != 1 else { return }
            for row in 0..<count { for i in 0..<frames { rows[row][i] *= value } }
            return
        }
        for i in 0..<frames {
            let step = fastFrames > 0 ? quick : steady
            if fastFrames > 0 { fastFrames -= 1 }
            value = value < wanted ? min(wanted, value * step) : max(wanted, value / step)
            for row in 0..<count { rows[row][i] *= value }
        }
    }
}
