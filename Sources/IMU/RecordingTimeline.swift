import Synchronization

/// The time line that recordings played together share: equal stamps are played at the same moment, and what begins
/// later is heard later.
///
/// Any thread may call its methods. Played once.
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

    /// A time line for so many recordings.
    package init(recordings count: Int) { self.count = count }

    /// Adds a recording, its first and last stamp in seconds. Throws where it ends before another begins: then their
    /// stamps are not of one clock, or they have nothing to do with each other.
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

    /// Seconds of the host's clock at which stamp 0 stands: the earliest of all stamps is played when this is first
    /// asked with all recordings there; `nil` until then.
    package func origin(at now: Double) -> Double? {
        state.withLock { state in
            guard state.spans.count >= count, let earliest = state.spans.map(\.first).min() else { return nil }
            let origin = state.origin ?? now - earliest
            state.origin = origin
            return origin
        }
    }
}
