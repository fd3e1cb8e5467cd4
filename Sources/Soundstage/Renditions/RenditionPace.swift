import CRealtime

/// Fastest change of the matching of two renditions while it is heard, as factors per frame.
struct RenditionPace: BitwiseCopyable {
    /// Factor of the first half second, 100 dB/s.
    private let first: Float
    /// Factor of the first two seconds, 3 dB/s.
    private let quick: Float
    /// Factor of later times, 1 dB/s.
    private let steady: Float
    /// Frames after a hand-over in which the loudness follows the momentary match.
    let firstFrames: Int
    /// Frames after a hand-over with the factor `quick`.
    private let quickFrames: Int

    /// Speeds: 100 dB/s in the first half second after a hand-over (only for the loudness), 3 dB/s up to two seconds, 1
    /// dB/s later.
    init(sampleRate: Double) {
        let decibel = 2.302_585_092_994_046 / 20
        first = Float(prc_exp(100 * decibel / sampleRate))
        quick = Float(prc_exp(3 * decibel / sampleRate))
        steady = Float(prc_exp(decibel / sampleRate))
        firstFrames = Int(0.5 * sampleRate)
        quickFrames = Int(2 * sampleRate)
    }

    /// Returns the factor per frame, `frames` frames after a hand-over.
    @_noLocks
    func step(_ frames: Int, isLoudness: Bool) -> Float {
        isLoudness && frames < firstFrames ? first : frames < quickFrames ? quick : steady
    }
}
