import Geometry
import Signal

/// Pose source in the form that the audio thread reads: pointers and numbers.
///
/// Owns the copied log; the renderer calls `deallocate` after the last use on any thread.
struct PoseTrack: BitwiseCopyable, Sendable {
    private enum Kind { case mailbox, fixed, log }
    private let kind: Kind
    private let fixed: Quaternion
    private let seconds: ConstantMemory<Double>?
    private let poses: ConstantMemory<Quaternion>?
    private let count: Int
    private let turns: ConstantMemory<PoseLog.Turn>?
    private let turnCount: Int

    /// Copies the source. The times of a log are delayed by `delay` seconds.
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

    /// Whether poses arrive live, so that later ones are unknown.
    var isLive: Bool { @_noLocks get { if case .mailbox = kind { true } else { false } } }

    /// Frees the copied log.
    func deallocate() {
        seconds?.deallocate()
        poses?.deallocate()
        turns?.deallocate()
    }

    /// Returns the head's expected yaw rate at a time, radians per frame, from the log; nil where the later poses give
    /// it. Cost: at most log2(rows) comparisons.
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

    /// Returns the rotation from head to stage at a time: `streamSeconds` for a log, `hostSeconds` for the forecast
    /// while `live`.
    /// Cost: at most log2(rows) comparisons and one interpolation.
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
        // At a row's own time its pose is exact to the last bit; an interpolated one would not be.
        if moment == seconds[low] { return poses[low] }
        let fraction = (moment - seconds[low]) / (seconds[high] - seconds[low])
        return poses[low].slerp(to: poses[high], fraction)
    }
}
