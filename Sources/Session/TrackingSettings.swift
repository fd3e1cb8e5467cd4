/// Which trackers are followed, and how.
package struct TrackingSettings: Sendable {
    /// The head's tracker, in the words of the command line.
    package var head: String
    /// The tracker of the device or vehicle, likewise.
    package var device: String
    /// Pull of yaw to the front, degrees per second; 0 is off.
    package var yawPull: Double

    /// All choices.
    package init(head: String = "none", device: String = "none", yawPull: Double = 0.1) {
        self.head = head
        self.device = device
        self.yawPull = yawPull
    }
}
