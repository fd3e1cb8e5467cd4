import Geometry
import Signal

/// Pose source in a form that the audio thread can read: pointers and numbers.
///
/// A track owns a copy of the pose log. The renderer calls `deallocate` when no thread uses the track any more.
struct PoseTrack: BitwiseCopyable, Sendable {
    private enum Kind { case mailbox, fixed, log }
    private let kind: Kind
    private let fixed: Quaternion
    private let seconds: ConstantMemory<Double>?
    private let poses: ConstantMemory<Quaternion>?
    private let count: Int
    private let turns: ConstantMemory<PoseLog.Turn>?
    private let turnCount: Int

    /// Copies the source. `delay` seconds are added to the times of a log.
    init(_ source: PoseSource, delay: Double = 0) {
        var expected: [PoseLog.Turn] = []
        if case .log(let log) = source { expected = log.turns }
        turnCount = expected.count
        turns =
            expected.isEmpty
            ? nil
            : ConstantMemory(expected.map { PoseLog.Turn(seconds: $0.seconds + delay, perFrame: $0.perFrame) })
        switch source {
        case .mailbox:
            (kind, fixed, seconds, poses, count) = (.mailbox, .identity, nil, nil, 0)
        case .fixed(let pose):
            (kind, fixed, seconds, poses, count) = (.fixed, pose.quaternion, nil, nil, 0)
        case .log(let log):
            let times = ConstantMemory(log.entries.map { $0.seconds + delay })
            let quaternions = ConstantMemory(log.entries.map { $0.headToStage.quaternion })
            (kind, fixed, seconds, poses, count) = (.log, .identity, times, quaternions, log.entries.count)
        }
    }

    /// Whether poses arrive live. Poses of later times are then unknown.
    var isLive: Bool { @_noLocks get { if case .mailbox = kind { true } else { false } } }

    /// Frees the copied log.
    func deallocate() {
        seconds?.deallocate()
        poses?.deallocate()
        turns?.deallocate()
    }

    /// Returns the head's expected yaw rate that a log gives for a time, radians per frame. Returns nil if the log has
    /// no rate for this time; the rate then follows from the later poses. Cost: at most log2(rows) comparisons.
    @_noLocks
    func turn(streamSeconds moment: Double) -> Double? {
        guard let turns, turnCount > 0, moment >= turns[0].seconds else { return nil }
        var (low, high) = (0, turnCount)
        while high - low > 1 {
            let middle = (low + high) / 2
            if turns[middle].seconds <= moment { low = middle } else { high = middle }
        }
        return turns[low].perFrame
    }

    /// Returns the rotation from head to stage at a time.
    ///
    /// `streamSeconds` is the time in a log. `hostSeconds` is the time in a forecast. A track of the mailbox reads the
    /// forecast only if `live` is true; otherwise the head faces the front. Cost: at most log2(rows) comparisons and
    /// one interpolation.
    @_noLocks
    func headToStage(streamSeconds: Double, hostSeconds: Double, live: Bool, forecast: PoseForecast) -> Quaternion {
        switch kind {
        case .fixed: return fixed
        case .mailbox: return live ? forecast.headToStage(at: hostSeconds) : .identity
        case .log: return logged(at: streamSeconds)
        }
    }

    @_noLocks
    private func logged(at moment: Double) -> Quaternion {
        guard let seconds, let poses, count > 0 else { return .identity }
        if moment <= seconds[0] { return poses[0] }
        if moment >= seconds[count - 1] { return poses[count - 1] }
        var (low, high) = (0, count - 1)
        while high - low > 1 {
            let middle = (low + high) / 2
            if seconds[middle] <= moment { low = middle } else { high = middle }
        }
        // At a row's own time the row's pose is returned, because an interpolated pose could differ in its last bits.
        if moment == seconds[low] { return poses[low] }
        let fraction = (moment - seconds[low]) / (seconds[high] - seconds[low])
        return poses[low].slerp(to: poses[high], fraction)
    }
}
