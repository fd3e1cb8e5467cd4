import CRealtime
import Geometry

/// Measurements of the audio thread after each period.
package struct Telemetry: BitwiseCopyable, Sendable {
    /// Periods rendered since the renderer was made; 0 before the first.
    package var periods: Int = 0
    /// Stream frame after the period: frames since the last restart.
    package var streamFrame: Int = 0
    /// Host time of `streamFrame` at the ears, seconds of the monotonic clock; valid only live.
    package var heardAt: Double = 0
    /// Whether the period was live; otherwise it was in freewheel, where live poses are ignored.
    package var isLive = false
    /// Frames in the period.
    package var frames: Int = 0
    /// Duration of `process`, nanoseconds.
    package var nanoseconds: Int = 0
    /// Largest magnitude of each input in the period, linear; entries beyond the stage's inputs are 0.
    package var inputPeaks: InlineArray<64, Float> = InlineArray(repeating: 0)
    /// Largest magnitude at the ears in the period, after the guard, linear.
    package var outputPeaks: SIMD2<Float> = SIMD2(0, 0)
    /// Smallest gain of the guard in the period, linear: 1 without reduction.
    package var guardGain: Float = 1
    /// Peak meter of each input, linear: rises at once, falls by 20 dB in 1.7 s (IEC 60268-10, type I), so that an
    /// occasional reader misses no peak.
    package var inputMeters: InlineArray<64, Float> = InlineArray(repeating: 0)
    /// Peak meters of the ears, with the same ballistics.
    package var outputMeters: SIMD2<Float> = SIMD2(0, 0)
    /// Meter of the guard's gain: falls at once, recovers by 20 dB in 1.7 s at most.
    package var guardMeter: Float = 1
    /// Whether a sample before the guard exceeded full scale in this period.
    package var clipped: Bool = false
    /// Periods with such a sample since the renderer was made.
    package var clippedPeriods: Int = 0
    /// Input samples since the renderer was made that were infinite, NaN or above `Samples.loudest`, and were replaced.
    package var refusedSamples: Int = 0
    /// Pose of the newest filters, head to stage.
    package var headToStage: Quaternion = .identity

    /// State before the first period.
    package init() {}

    /// Records a peak of an input, linear.
    @_noLocks
    mutating func note(peak: Float, ofInput input: Int) {
        if peak > inputPeaks[input] { inputPeaks[input] = peak }
    }

    /// Advances the meters by a period of `seconds` with the period's own peaks and gain, for `sources` inputs.
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
    /// Head to stage.
    package var headToStage: Quaternion
    /// Host time of `streamFrame` at the ears, seconds of the monotonic clock; NaN where the stream is not live.
    package var heardAt: Double

    /// Holds the pose reached at a stream frame.
    @_noLocks
    package init(streamFrame: Int, headToStage: Quaternion, heardAt: Double = .nan) {
        self.streamFrame = streamFrame
        self.headToStage = headToStage
        self.heardAt = heardAt
    }
}

/// Expected yaw rate of the head in a slice with a room.
package struct TurnRecord: BitwiseCopyable, Sendable {
    /// Stream frame at which the slice begins.
    package var streamFrame: Int
    /// Yaw rate after it, radians per frame.
    package var perFrame: Double
    /// Whether it only marks the beginning of a stream.
    package var isStart: Bool

    /// Holds the rate expected in the slice that begins at a stream frame.
    @_noLocks
    package init(streamFrame: Int, perFrame: Double, isStart: Bool = false) {
        (self.streamFrame, self.perFrame, self.isStart) = (streamFrame, perFrame, isStart)
    }
}
