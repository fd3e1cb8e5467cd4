import Geometry

/// What the audio thread tells about itself after each period.
package struct Telemetry: BitwiseCopyable, Sendable {
    /// Periods rendered since the renderer was made; 0 before the first.
    package var periods: Int = 0
    /// Stream frame after the period: frames since the last restart.
    package var streamFrame: Int = 0
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
}

/// One recorded pose: what a fade ended with, or what the stream began with.
package struct PoseRecord: BitwiseCopyable, Sendable {
    /// Stream frame at which the pose is reached.
    package var streamFrame: Int
    /// Head to stage.
    package var headToStage: Quaternion

    /// The pose reached at a stream frame.
    @_noLocks
    package init(streamFrame: Int, headToStage: Quaternion) {
        self.streamFrame = streamFrame
        self.headToStage = headToStage
    }
}
