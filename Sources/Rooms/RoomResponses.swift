import Signal

/// Binaural responses of a room: for each source an early part per head yaw, and a tail for all yaws.
///
/// The response of source s at yaw k is `early(source: s, yaw: k, ear:)`, followed by `tail(source: s, ear:)`. The
/// early part already contains the crossfade into the tail. Time 0 is that of the session's head-related filters, so
/// the output of a room without direct sound is added to the filters' output without a shift.
///
/// The yaws are dense enough for linear interpolation between neighbours. Immutable after `init`. The object owns the
/// memory of its pointers, and must exist as long as they are used.
package final class RoomResponses: Sendable {
    /// Sample rate of the responses.
    package let sampleRate: SampleRate
    /// Number of sources in the room, ≥ 1.
    package let sourceCount: Int
    /// Number of head yaws of the early part: k·2π/`yawCount` for k = 0..<`yawCount`, counter-clockwise from the front
    /// (k = `yawCount`/4 looks left); 1 if the room does not follow the head.
    package let yawCount: Int
    /// Number of samples in each early response: a multiple of 16, ≥ 16.
    package let earlyTaps: Int
    /// Number of samples in each tail, ≥ 0.
    package let tailTaps: Int
    /// Whether all sources share one tail; its input is then the sum of their signals.
    package let isTailShared: Bool
    /// Whether the responses contain the direct sound and so replace the head-related filters of their sources
    /// (measured rooms). Otherwise they hold reflections and tail only, added to the output of the head-related
    /// filters.
    package let includesDirect: Bool
    /// Linear gain of the head-related filters of the room's sources while the room plays: 0 if the responses contain
    /// the direct sound. Otherwise filters and room together are as loud as the filters without a room.
    package let directGain: Float
    /// Index of the room's source for each source of the stage, in order; nil if the stage's source stays dry, as a
    /// low-frequency channel does. Several sources of the stage may share one source of the room.
    package let assignment: [Int?]

    private let earlyRows: PlanarBlock
    private let tailRows: PlanarBlock

    /// Takes ownership of the responses.
    ///
    /// - Parameters:
    ///   - early: rows `[source][yaw][ear]` of the early part.
    ///   - tail: rows `[source][ear]`, or two shared rows; the first sample is played `early.frameCapacity` samples
    ///     after the start.
    ///   - directGain: ignored if the responses contain the direct sound.
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

    /// Returns the early response of a source at a yaw for an ear (0 left, 1 right): `earlyTaps` samples, 64-byte
    /// aligned.
    package func early(source: Int, yaw: Int, ear: Int) -> UnsafePointer<Float> {
        UnsafePointer(earlyRows[(source * yawCount + yaw) * 2 + ear])
    }

    /// Returns the tail of a source for an ear (0 left, 1 right): `tailTaps` samples, 64-byte aligned; the same for all
    /// sources if it is shared.
    package func tail(source: Int, ear: Int) -> UnsafePointer<Float> {
        UnsafePointer(tailRows[(isTailShared ? 0 : source) * 2 + ear])
    }

    /// Length of the whole response, samples.
    package var tapCount: Int { earlyTaps + tailTaps }

    /// Returns the whole response of a source at a yaw for an ear, `tapCount` samples.
    package func response(source: Int, yaw: Int, ear: Int) -> [Float] {
        Array(UnsafeBufferPointer(start: early(source: source, yaw: yaw, ear: ear), count: earlyTaps))
            + Array(UnsafeBufferPointer(start: tail(source: source, ear: ear), count: tailTaps))
    }

    /// Memory of the responses, bytes.
    package var byteCount: Int {
        (earlyRows.channelCount * earlyTaps + tailRows.channelCount * tailTaps) * MemoryLayout<Float>.size
    }
}
