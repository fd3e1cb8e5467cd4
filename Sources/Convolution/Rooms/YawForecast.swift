/// Where the head's yaw is expected to be: its way over the next frames as a straight line.
package struct YawForecast: BitwiseCopyable, Sendable {
    /// Radians at the end of the slice.
    package var yaw: Double
    /// Radians per frame from then on.
    package var perFrame: Double

    /// A head at `yaw` radians that turns by `perFrame` radians each frame.
    @_noLocks
    package init(yaw: Double, perFrame: Double) { (self.yaw, self.perFrame) = (yaw, perFrame) }

    /// The yaw after some frames.
    @_noLocks
    func yaw(after frames: Int) -> Double { yaw + perFrame * Double(frames) }
}
