import Geometry
import IMU

/// The angle by which a tracker has turned about the vertical, every 10 ms of the last five seconds.
///
/// Some operations per sample, without allocation after `init`.
struct TurnTrace: Sendable {
    /// Seconds between entries.
    static let step = 0.01
    /// Number of entries on either side of an entry from which the rate at this entry is computed.
    static let reach = 4
    private static let capacity = 512
    /// Interval between samples above which the turn between them counts as unknown, seconds.
    private static let longestGap = 0.15

    private var angles = [Double](repeating: 0, count: capacity)
    private var angle = 0.0
    /// Newest sample: its time, and its measurement.
    private var last: (time: Double, motion: Motion)?
    /// Range of known entries since the last gap: the first entry, and the first that is not known yet. Entry n belongs
    /// to the time n · step, seconds.
    private(set) var known = 0..<0

    private enum Motion {
        /// Fused orientation, body to world.
        case pose(Quaternion)
        /// Rate about the vertical, rad/s.
        case rate(Double)
    }

    /// Adds a measurement. `pose`: rotation of a raw IMU from its body axes to the world.
    mutating func take(_ sample: TrackerSample, pose: Quaternion) {
        switch sample.motion {
        case .orientation(let bodyToWorld, _):
            // If a tracker sends orientations and raw measurements, the latter are used.
            if case .rate? = last?.motion, sample.time - (last?.time ?? 0) < Self.longestGap { return }
            take(.pose(bodyToWorld.quaternion), at: sample.time)
        case .inertial(let measured): take(.rate(pose.rotate(measured.rate).z), at: sample.time)
        case .recentre, .discontinuity: break
        }
    }

    private mutating func take(_ motion: Motion, at time: Double) {
        guard time.isFinite, abs(time) < 1e9 else { return }
        guard let last else { return begin(motion, at: time) }
        let gap = time - last.time
        // The trace begins anew if a clock was set back by more than a second.
        guard gap > 0 else { return gap < -1 ? begin(motion, at: time) : () }
        let turn: Double
        switch (last.motion, motion) {
        case (.pose(let before), .pose(let now)): turn = (now * before.conjugate).rotationVector.z
        case (.rate(let before), .rate(let now)): turn = (before + now) / 2 * gap
        default: return begin(motion, at: time)
        }
        guard gap <= Self.longestGap else { return begin(motion, at: time) }
        while Double(known.upperBound) * Self.step <= time {
            let share = (Double(known.upperBound) * Self.step - last.time) / gap
            angles[known.upperBound & (Self.capacity - 1)] = angle + share * turn
            known = max(known.lowerBound, known.upperBound + 1 - Self.capacity)..<(known.upperBound + 1)
        }
        (self.last, angle) = ((time, motion), angle + turn)
    }

    private mutating func begin(_ motion: Motion, at time: Double) {
        last = (time, motion)
        let first = Int((time / Self.step).rounded(.up))
        known = first..<first
    }

    /// Returns the mean rate over 80 ms about an entry, rad/s. The entries at both ends must be known.
    func rate(_ entry: Int) -> Double {
        let (from, to) = (entry - Self.reach, entry + Self.reach)
        return (angles[to & (Self.capacity - 1)] - angles[from & (Self.capacity - 1)])
            / (Double(2 * Self.reach) * Self.step)
    }
}
