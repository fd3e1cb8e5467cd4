import CRealtime

/// Fastest changes of the gains that match the stereo rendition while it is heard, as factors per frame. A hand-over is
/// a change of rendition.
struct RenditionPace: BitwiseCopyable {
    /// Factor in the first half second after a hand-over, 100 dB/s.
    private let first: Float
    /// Factor in the first two seconds after a hand-over, 3 dB/s.
    private let quick: Float
    /// Factor after these two seconds, 1 dB/s.
    private let steady: Float
    /// Frames after a hand-over in which the loudness follows the momentary match.
    let firstFrames: Int
    /// Frames after a hand-over with the factor `quick`.
    private let quickFrames: Int

    /// Makes the factors for a sample rate in hertz.
    init(sampleRate: Double) {
        let decibel = 2.302_585_092_994_046 / 20
        first = Float(prc_exp(100 * decibel / sampleRate))
        quick = Float(prc_exp(3 * decibel / sampleRate))
        steady = Float(prc_exp(decibel / sampleRate))
        firstFrames = Int(0.5 * sampleRate)
        quickFrames = Int(2 * sampleRate)
    }

    /// Returns the factor per frame, `frames` frames after a hand-over. Only the loudness (`isLoudness`) changes by 100
    /// dB/s in the first half second.
    @_noLocks
    func step(_ frames: Int, isLoudness: Bool) -> Float {
        isLoudness && frames < firstFrames ? first : frames < quickFrames ? quick : steady
    }
}
