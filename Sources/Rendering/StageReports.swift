import Geometry
import Signal

/// Reading side of what the audio thread reports of a stage: the telemetry of its periods, and the records of poses,
/// yaw rates and changes. One thread at a time may use it, not the audio thread.
///
/// Mailbox and rings exist until `deallocate`, which is called when no thread uses them any more.
struct StageReports: Sendable {
    private let telemetry: LatestValue<Telemetry>
    private var poses: Ring<PoseRecord>?
    private var turns: Ring<TurnRecord>?
    private var changes: Ring<StageChange>?

    /// Makes the reading side of a mailbox. Nothing is recorded at first.
    init(_ telemetry: LatestValue<Telemetry>) { self.telemetry = telemetry }

    /// Frees the mailbox and all rings.
    func deallocate() {
        poses?.deallocate()
        turns?.deallocate()
        changes?.deallocate()
        telemetry.deallocate()
    }

    /// The newest telemetry; nil before the first period.
    var newest: Telemetry? {
        let newest = telemetry.load()
        return newest.periods > 0 ? newest : nil
    }

    /// Makes a ring for at least `capacity` pose records, for the audio thread to write. Returns nil if the ring exists
    /// already.
    mutating func beginPoses(capacity: Int) -> Ring<PoseRecord>? {
        guard poses == nil else { return nil }
        poses = Ring(minimumCapacity: capacity, filling: PoseRecord(streamFrame: 0, headToStage: .identity))
        return poses
    }

    /// Makes a ring for at least `capacity` yaw rates, for the audio thread to write. Returns nil if the ring exists
    /// already.
    mutating func beginTurns(capacity: Int) -> Ring<TurnRecord>? {
        guard turns == nil else { return nil }
        turns = Ring(minimumCapacity: capacity, filling: TurnRecord(streamFrame: 0, perFrame: 0))
        return turns
    }

    /// Makes a ring for at least `capacity` changes, for the audio thread to write. Returns nil if the ring exists
    /// already.
    mutating func beginChanges(capacity: Int, filling: StageChange) -> Ring<StageChange>? {
        guard changes == nil else { return nil }
        changes = Ring(minimumCapacity: capacity, filling: filling)
        return changes
    }

    /// Returns the pose records since the last call, in order.
    func drainPoses() -> [PoseRecord] { poses?.drain() ?? [] }

    /// Returns the yaw rates since the last call, in order.
    func drainTurns() -> [TurnRecord] { turns?.drain() ?? [] }

    /// Returns the changes since the last call, in order.
    func drainChanges() -> [StageChange] { changes?.drain() ?? [] }
}
