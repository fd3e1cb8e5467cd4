import Synchronization

/// Common time line of recordings that are played together. Equal stamps are played at the same moment; a recording
/// whose stamps begin later starts later.
///
/// Methods may be called on any thread. An instance serves a single playback.
package final class RecordingTimeline: Sendable {
    private struct Span {
        var path: String
        var first: Double
        var last: Double
    }
    private struct State {
        var spans: [Span] = []
        var origin: Double?
    }
    private let count: Int
    private let state = Mutex(State())

    /// Creates a time line for `count` recordings.
    package init(recordings count: Int) { self.count = count }

    /// Adds a recording with its first and last stamp in seconds. Throws if one recording ends before the other begins:
    /// then the recordings are unrelated, or their stamps come from different clocks.
    package func join(_ path: String, from first: Double, to last: Double) throws(TrackerError) {
        let apart = state.withLock { state -> Span? in
            state.spans.append(Span(path: path, first: first, last: last))
            return state.spans.first { $0.last < first || last < $0.first }
        }
        guard let apart else { return }
        let isFirst = last < apart.first
        throw .recordingsApart(
            earlier: isFirst ? path : apart.path, ends: isFirst ? last : apart.last,
            later: isFirst ? apart.path : path, begins: isFirst ? apart.first : first)
    }

    /// Returns the time of stamp 0 on the host's clock, seconds; `nil` until all recordings have joined. The first call
    /// after that starts the playback: the earliest stamp is played at `now`.
    package func origin(at now: Double) -> Double? {
        state.withLock { state in
            guard state.spans.count >= count, let earliest = state.spans.map(\.first).min() else { return nil }
            let origin = state.origin ?? now - earliest
            state.origin = origin
            return origin
        }
    }
}
