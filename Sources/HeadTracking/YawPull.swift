/// Moves the front slowly after the head: two gyroscopes have no common north, and drift apart.
struct YawPull: Sendable {
    private var last: Double?

    /// Radians about the vertical by which the stage is to be turned now. `yaw` in radians, `speed` of the head in rad/s;
    /// `isDriftSeen`: the yaw is that of streams that both come, and that drift.
    mutating func step(
        yaw: Double, speed: Double, at now: Double, isDriftSeen: Bool, _ options: HeadTrackerOptions
    ) -> Double {
        defer { last = now }
        guard options.yawPull > 0, isDriftSeen, let last else { return 0 }
        let degree = Double.pi / 180
        guard speed < options.yawPullSpeed * degree, abs(yaw) < options.yawPullRange * degree else { return 0 }
        let step = options.yawPull * degree * min(0.1, max(0, now - last))
        return -max(-step, min(step, yaw))
    }
}
