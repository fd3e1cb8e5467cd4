import CRealtime
import Geometry

/// What the audio thread tells about itself after each period.
package struct Telemetry: BitwiseCopyable, Sendable {
    /// Periods rendered since the renderer was made; 0 before the first.
    package var periods: Int = 0
    /// Stream frame after the period: frames since the last restart.
    package var streamFrame: Int = 0
    /// Host time at which `streamFrame` is heard, seconds of the monotonic clock; only meaningful live.
    package var heardAt: Double = 0
    /// Whether it was heard as it was made; else in freewheel, where live poses are ignored.
    package var isLive = false
    /// Frames in the period.
    package var frames: Int = 0
    /// Nanoseconds `process` took.
    package var nanoseconds: Int = 0
    /// Largest magnitude of each input in the period, linear; entries beyond the stage's inputs are 0.
    package var inputPeaks: InlineArray<64, Float> = InlineArray(repeating: 0)
    /// Largest magnitude at the ears in the period, after the guard, linear.
    package var outputPeaks: SIMD2<Float> = SIMD2(0, 0)
    /// The guard's smallest gain in the period, linear: 1 where it did nothing.
    package var guardGain: Float = 1
    /// Peak meter of each input, linear: rises at once, falls by 20 dB in 1.7 s (IEC 60268-10, type I), so that a
    /// reader that looks now and then misses no peak.
    package var inputMeters: InlineArray<64, Float> = InlineArray(repeating: 0)
    /// Peak meters of the ears, likewise.
    package var outputMeters: SIMD2<Float> = SIMD2(0, 0)
    /// The guard's gain as a meter shows it: falls at once, recovers by 20 dB in 1.7 s at most.
    package var guardMeter: Float = 1
    /// A sample was beyond full scale before the guard, in this period.
    package var clipped: Bool = false
    /// Periods with such a sample since the renderer was made.
    package var clippedPeriods: Int = 0
    /// Input samples that were infinite or not a number, replaced by 0, since the renderer was made.
    package var refusedSamples: Int = 0
    /// The pose the newest filters are for, head to stage.
    package var headToStage: Quaternion = .identity

    /// Nothing rendered yet.
    package init() {}

    /// Notes a peak of an input, linear.
    @_noLocks
    mutating func note(peak: Float, ofInput input: Int) {
        if peak > inputPeaks[input] { inputPeaks[input] = peak }
    }

    /// Moves the meters on by a period of `seconds` with the period's own peaks and gain, for `sources` inputs.
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

/// One recorded pose: what a fade ended with, or what the stream began with.
package struct PoseRecord: BitwiseCopyable, Sendable {
    /// Stream frame at which the pose is reached.
    package var streamFrame: Int
    /// Head to stage.
    package var headToStage: Quaternion
    /// Host time at which `streamFrame` is heard, seconds of the monotonic clock; NaN where the stream is not live.
    package var heardAt: Double

    /// The pose reached at a stream frame.
    @_noLocks
    package init(streamFrame: Int, headToStage: Quaternion, heardAt: Double = .nan) {
        self.streamFrame = streamFrame
        self.headToStage = headToStage
        self.heardAt = heardAt
    }
}

/// How a head was expected to turn when a slice with a room was decided.
package struct TurnRecord: BitwiseCopyable, Sendable {
    /// Stream frame at which the slice begins.
    package var streamFrame: Int
    /// Radians of yaw per frame after it.
    package var perFrame: Double
    /// Whether it says no more than that a stream begins.
    package var isStart: Bool

    /// What was expected in the slice that begins at a stream frame.
    @_noLocks
    package init(streamFrame: Int, perFrame: Double, isStart: Bool = false) {
        (self.streamFrame, self.perFrame, self.isStart) = (streamFrame, perFrame, isStart)
    }
}
