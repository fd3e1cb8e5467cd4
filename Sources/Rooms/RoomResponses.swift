import Signal

/// A room as two ears hear it: for each of its sources an early part per head yaw, and a tail that does not turn.
///
/// The response of source s at yaw k is `early(source: s, yaw: k, ear:)` followed, sample `earlyTaps` after its start,
/// by `tail(source: s, ear:)`; the two are joined already, so they are simply added at their places. Time 0 is that of
/// the head-related filters of the same session, so a room without direct sound fits beneath them without a shift.
///
/// Yaws are dense enough that blending two neighbours linearly sounds and measures like a response in between.
/// Immutable after `init`; owns the memory its pointers lead to and must outlive them.
package final class RoomResponses: Sendable {
    /// The rate the responses are played at.
    package let sampleRate: SampleRate
    /// Number of sources in the room, ≥ 1.
    package let sourceCount: Int
    /// Head yaws the early part exists for: k·2π/`yawCount` for k = 0..<`yawCount`, counter-clockwise from the front
    /// (k = `yawCount`/4 looks left); 1 where the room does not follow the head.
    package let yawCount: Int
    /// Samples of each early response: a multiple of 16, ≥ 16.
    package let earlyTaps: Int
    /// Samples of each tail, ≥ 0.
    package let tailTaps: Int
    /// Whether one tail serves all sources; its input is then the sum of theirs.
    package let isTailShared: Bool
    /// True: the responses hold the direct sound, so they replace the head-related filters of their sources (measured
    /// rooms). False: reflections and tail only, added to what the head-related filters play.
    package let includesDirect: Bool
    /// Linear gain on the head-related filters of the sources in `assignment` while the room plays: 0 where the
    /// responses include the direct sound, else what keeps the loudness of the dry stage.
    package let directGain: Float
    /// For each source of the stage, in its order, the source of the room it plays through; nil: it stays dry (a
    /// low-frequency channel, one that hangs from the head). Several may play through one.
    package let assignment: [Int?]

    private let earlyRows: PlanarBlock
    private let tailRows: PlanarBlock

    /// Takes ownership of the responses.
    ///
    /// - Parameters:
    ///   - early: rows `[source][yaw][ear]`, as long as the early part.
    ///   - tail: rows `[source][ear]`, or two rows where it is shared, as long as the tail; its first sample is played
    ///     `early.frameCapacity` samples after the start.
    ///   - directGain: ignored where the direct sound is included.
    package init(
        sampleRate: SampleRate, yawCount: Int, early: consuming PlanarBlock, tail: consuming PlanarBlock,
        isTailShared: Bool, includesDirect: Bool, directGain: Float, assignment: [Int?]
    ) {
        precondition(yawCount >= 1 && early.channelCount >= 2 && early.channelCount % (2 * yawCount) == 0)
        let sourceCount = early.channelCount / (2 * yawCount)
        precondition(early.frameCapacity >= 16 && early.frameCapacity % 16 == 0)
        precondition(tail.channelCount == 2 * (isTailShared ? 1 : sourceCount))
        precondition(assignment.allSatisfy { $0.map { (0..<sourceCount).contains($0) } ?? true })
        self.sampleRate = sampleRate
        self.sourceCount = sourceCount
        self.yawCount = yawCount
        earlyTaps = early.frameCapacity
        tailTaps = tail.frameCapacity
        self.isTailShared = isTailShared
        self.includesDirect = includesDirect
        self.directGain = includesDirect ? 0 : directGain
        self.assignment = assignment
        earlyRows = early
        tailRows = tail
    }

    /// The early response of a source at a yaw to an ear (0 left, 1 right): `earlyTaps` samples, 64-byte aligned.
    package func early(source: Int, yaw: Int, ear: Int) -> UnsafePointer<Float> {
        UnsafePointer(earlyRows[(source * yawCount + yaw) * 2 + ear])
    }

    /// The tail of a source to an ear (0 left, 1 right): `tailTaps` samples, 64-byte aligned; the same for all sources
    /// where it is shared.
    package func tail(source: Int, ear: Int) -> UnsafePointer<Float> {
        UnsafePointer(tailRows[(isTailShared ? 0 : source) * 2 + ear])
    }

    /// Samples from the start of the early part to the end of the tail.
    package var tapCount: Int { earlyTaps + tailTaps }

    /// The whole response of a source at a yaw to an ear, `tapCount` samples.
    package func response(source: Int, yaw: Int, ear: Int) -> [Float] {
        Array(UnsafeBufferPointer(start: early(source: source, yaw: yaw, ear: ear), count: earlyTaps))
            + Array(UnsafeBufferPointer(start: tail(source: source, ear: ear), count: tailTaps))
    }

    /// Bytes the responses take.
    package var byteCount: Int {
        (earlyRows.channelCount * earlyTaps + tailRows.channelCount * tailTaps) * MemoryLayout<Float>.size
    }
}
