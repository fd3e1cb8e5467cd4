import Synchronization

/// Samples what moves in a session for those who listen, as often as the most curious of them needs it, and never while
/// nobody does. Any thread.
package final class TelemetryFeed: Sendable {
    /// What a listener wants of it.
    package enum Stream: String, Sendable, CaseIterable {
        /// Levels, load and loudness, 25 times per second.
        case meters
        /// The head's pose whenever it moved, 120 times per second at most.
        case pose

        /// Samples per second.
        var rate: Double { self == .meters ? 25 : 120 }
    }

    /// Hears a sample; must be soon over.
    package typealias Listener = @Sendable (Stream, SessionTelemetry) -> Void

    private struct Content {
        var next = 0
        var listeners: [Int: (streams: Set<Stream>, hears: Listener)] = [:]
        var sample: (@Sendable () async -> SessionTelemetry?)?
        var isSampling = false
        var pose: [Double] = []

        var rate: Double? { listeners.values.flatMap(\.streams).map(\.rate).max() }
    }
    private let content = Mutex(Content())

    /// Nobody listens yet.
    package init() {}

    /// Has samples taken by `sample` from now on.
    package func serve(by sample: @escaping @Sendable () async -> SessionTelemetry?) {
        content.withLock { $0.sample = sample }
    }

    /// Has `hears` told of these streams until the answer is called.
    package func hear(_ streams: Set<Stream>, _ hears: @escaping Listener) -> @Sendable () -> Void {
        let (number, begins) = content.withLock { content in
            content.next += 1
            content.listeners[content.next] = (streams, hears)
            defer { content.isSampling = true }
            return (content.next, !content.isSampling)
        }
        if begins { Task { await self.run() } }
        return { [weak self] in
            self?.content.withLock { _ = $0.listeners.removeValue(forKey: number) }
        }
    }

    private func run() async {
        var turn = 0.0
        while true {
            let (rate, sample) = content.withLock { content in
                if content.rate == nil { content.isSampling = false }
                return (content.rate, content.sample)
            }
            guard let rate else { return }
            turn += 1 / rate
            let isMetersTurn = turn >= 1 / Stream.meters.rate - 1e-9
            if isMetersTurn { turn = 0 }
            if let now = await sample?() { tell(now, meters: isMetersTurn) }
            try? await Task.sleep(for: .seconds(1 / rate))
        }
    }

    private func tell(_ sample: SessionTelemetry, meters: Bool) {
        let pose = [sample.yaw, sample.pitch, sample.roll]
        let (listeners, moved) = content.withLock { content in
            defer { content.pose = pose }
            return (Array(content.listeners.values), content.pose != pose)
        }
        for (streams, hears) in listeners {
            if meters, streams.contains(.meters) { hears(.meters, sample) }
            if moved, streams.contains(.pose) { hears(.pose, sample) }
        }
    }
}
