import AudioIO

/// What `run` was asked to do.
package struct LiveSettings: Sendable {
    /// The sound.
    package var stage: StageSettings
    /// The head's tracker, in the words of the command line.
    package var head: String
    /// The device's tracker, likewise.
    package var device: String
    /// Pull of yaw to the front, degrees per second; 0 is off.
    package var yawPull: Double
    /// A pose log's path instead of trackers.
    package var poses: String?
    /// JACK client name.
    package var name: String
    /// Which ports the ears are connected to; nil: none.
    package var connectOut: String?
    /// Where the ears are recorded.
    package var record: String?
    /// Where the rendered poses are recorded.
    package var recordPoses: String?
    /// What sets stream time 0.
    package var start: Start

    /// What sets stream time 0; until then there is silence.
    package enum Start: String, Sendable, CaseIterable {
        /// The first period.
        case now
        /// `ctl start`.
        case ctl
        /// The JACK transport, each time it starts to roll.
        case transport

        var policy: StartPolicy {
            switch self {
            case .now: .firstCycle
            case .ctl: .onRequest
            case .transport: .transport
            }
        }
    }

    /// All choices.
    package init(
        stage: StageSettings, head: String = "none", device: String = "none", yawPull: Double = 0.1,
        poses: String? = nil,
        name: String = "proscenium", connectOut: String? = nil, record: String? = nil, recordPoses: String? = nil,
        start: Start = .now
    ) {
        self.stage = stage
        self.head = head
        self.device = device
        self.yawPull = yawPull
        self.poses = poses
        self.name = name
        self.connectOut = connectOut
        self.record = record
        self.recordPoses = recordPoses
        self.start = start
    }
}
