import CRealtime
import Geometry

/// Measurements that the audio thread makes in each period.
package struct Telemetry: BitwiseCopyable, Sendable {
    /// Periods rendered since the renderer was made; 0 before the first period.
    package var periods: Int = 0
    /// Stream frame after the period: number of frames since the last restart.
    package var streamFrame: Int = 0
    /// Host time at which `streamFrame` is at the ears, seconds of the monotonic clock. It is valid only if `isLive`.
    package var heardAt: Double = 0
    /// Whether the period was live. Otherwise it was in freewheel or offline, where live poses are ignored.
    package var isLive = false
    /// Frames in the period.
    package var frames: Int = 0
    /// Duration of `process`, nanoseconds.
    package var nanoseconds: Int = 0
    /// Largest magnitude of each input in the period, linear. Entries without an input are 0.
    package var inputPeaks: InlineArray<64, Float> = InlineArray(repeating: 0)
    /// Largest magnitude at the ears in the period, after the output limiter and the gate, linear.
    package var outputPeaks: SIMD2<Float> = SIMD2(0, 0)
    /// Smallest gain of the output limiter in the period, linear; 1 without a reduction.
    package var guardGain: Float = 1
    /// Peak meter of each input, linear. It rises immediately and falls by 20 dB in 1.7 s (IEC 60268-10, type I). A
    /// client that reads it only once a second therefore still notices a peak.
    package var inputMeters: InlineArray<64, Float> = InlineArray(repeating: 0)
    /// Peak meters of the ears, with the same ballistics.
    package var outputMeters: SIMD2<Float> = SIMD2(0, 0)
    /// Meter of the output limiter's gain, linear. It falls immediately and recovers by at most 20 dB in 1.7 s.
    package var guardMeter: Float = 1
    /// Whether a sample before the output limiter exceeded full scale in this period.
    package var clipped: Bool = false
    /// Periods in which `clipped` was true, since the renderer was made.
    package var clippedPeriods: Int = 0
    /// Number of input samples since the renderer was made that were replaced because they were infinite, NaN or above
    /// `Samples.loudest`.
    package var refusedSamples: Int = 0
    /// Rotation from head to stage for which the newest filters were made.
    package var headToStage: Quaternion = .identity

    /// Makes the state before the first period.
    package init() {}

    /// Records a linear peak of an input.
    @_noLocks
    mutating func note(peak: Float, ofInput input: Int) {
        if peak > inputPeaks[input] { inputPeaks[input] = peak }
    }

    /// Advances the meters by a period of `seconds`. The period's peaks of the first `sources` inputs, its output peaks
    /// and the gain of the output limiter must be set.
    @_noLocks
    mutating func moveMeters(seconds: Double, sources: Int) {
        // 20 dB, a factor of ten, in 1.7 s.
        let fall = Float(prc_exp(-2.302_585_092_994_046 * seconds / 1.7))
        for source in 0..<sources {
            inputMeters[source] = max(inputMeters[source] * fall, inputPeaks[source])
        }
        outputMeters.x = max(outputMeters.x * fall, outputPeaks.x)
        outputMeters.y = max(outputMeters.y * fall, outputPeaks.y)
        guardMeter = min(min(1, guardMeter / fall), guardGain)
    }
}

/// One recorded pose: at the end of a fade, or at the stream's beginning.
package struct PoseRecord: BitwiseCopyable, Sendable {
    /// Stream frame at which the pose is reached.
    package var streamFrame: Int
    /// Rotation from head to stage.
    package var headToStage: Quaternion
    /// Host time at which `streamFrame` is at the ears, seconds of the monotonic clock; NaN if the stream is not live.
    package var heardAt: Double

    /// Makes the record of a pose that is reached at a stream frame.
    @_noLocks
    package init(streamFrame: Int, headToStage: Quaternion, heardAt: Double = .nan) {
        self.streamFrame = streamFrame
        self.headToStage = headToStage
        self.heardAt = heardAt
    }
}

/// Expected yaw rate of the head from a slice on, in a stage with a room.
package struct TurnRecord: BitwiseCopyable, Sendable {
    /// Stream frame at which the slice begins.
    package var streamFrame: Int
    /// Yaw rate expected after the slice, radians per frame.
    package var perFrame: Double
    /// Whether the record only marks the beginning of a stream.
    package var isStart: Bool

    /// Makes the record of the yaw rate expected in the slice that begins at a stream frame.
    @_noLocks
    package init(streamFrame: Int, perFrame: Double, isStart: Bool = false) {
        (self.streamFrame, self.perFrame, self.isStart) = (streamFrame, perFrame, isStart)
    }
}
