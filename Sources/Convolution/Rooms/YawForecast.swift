/// Forecast of the head's yaw over the next frames, as a straight line.
package struct YawForecast: BitwiseCopyable, Sendable {
    /// Yaw at the end of the slice, radians.
    package var yaw: Double
    /// Yaw rate after the slice, radians per frame.
    package var perFrame: Double

    /// Makes the forecast of a head at `yaw` radians that turns by `perFrame` radians each frame.
    @_noLocks
    package init(yaw: Double, perFrame: Double) { (self.yaw, self.perFrame) = (yaw, perFrame) }

    /// Returns the yaw after `frames` frames, radians.
    @_noLocks
    func yaw(after frames: Int) -> Double { yaw + perFrame * Double(frames) }
}
