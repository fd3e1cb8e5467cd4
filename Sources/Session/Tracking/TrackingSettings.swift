import HeadTracking

/// Which trackers are followed, and how.
package struct TrackingSettings: Sendable {
    /// The head's tracker, in the words of the command line.
    package var head: String
    /// The tracker of the device or vehicle, likewise.
    package var device: String
    /// What the stage stays with.
    package var reference: SessionCommand.Reference
    /// How much of the head's yaw, pitch and roll the stage makes up for, 0…1 each.
    package var follow: FollowWeights
    /// Pull of yaw to the front, degrees per second; 0 is off.
    package var yawPull: Double
    /// Where the head's pose is sent on as OSC, in the words of the command line; nil: nowhere.
    package var broadcast: String?

    /// All choices.
    package init(
        head: String = "none", device: String = "none", reference: SessionCommand.Reference = .device,
        follow: FollowWeights = FollowWeights(), yawPull: Double = 0.1,
        broadcast: String? = nil
    ) {
        self.head = head
        self.device = device
        self.reference = reference
        self.follow = follow
        self.yawPull = yawPull
        self.broadcast = broadcast
    }

    /// The same for the head tracker.
    var options: HeadTrackerOptions {
        var options = HeadTrackerOptions()
        options.reference = reference.tracked
        options.follow = follow.vector
        options.yawPull = yawPull
        return options
    }
}

extension SessionCommand.Reference {
    /// The head tracker's word for it.
    var tracked: HeadTrackerOptions.Reference {
        switch self {
        case .device: .device
        case .head: .head
        case .still: .still
        }
    }
}

extension SessionCommand.Recentring {
    /// The head tracker's word for it.
    var tracked: HeadTracker.Recentring {
        switch self {
        case .yaw: .yaw
        case .full: .full
        case .reset: .reset
        }
    }
}

/// How much of each turn of the head the stage makes up for: 1 all of it, 0 nothing.
package struct FollowWeights: Sendable, Equatable {
    /// 0…1.
    package var yaw: Double
    /// 0…1.
    package var pitch: Double
    /// 0…1.
    package var roll: Double

    /// All of it unless told otherwise; `nil` where a weight is not within 0…1.
    package init?(yaw: Double, pitch: Double, roll: Double) {
        guard [yaw, pitch, roll].allSatisfy({ (0...1).contains($0) }) else { return nil }
        (self.yaw, self.pitch, self.roll) = (yaw, pitch, roll)
    }

    /// All of it.
    package init() { (yaw, pitch, roll) = (1, 1, 1) }

    /// For the head tracker. Three numbers elsewhere: the frames of asynchronous functions do not keep the alignment of
    /// vectors (Swift 6.3).
    var vector: SIMD3<Double> { SIMD3(yaw, pitch, roll) }
}
