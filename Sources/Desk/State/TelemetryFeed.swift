import Signal
import Synchronization

/// Samples the telemetry of a session for its listeners, at the highest rate that one of them needs; takes no samples
/// without listeners. All functions may be called on any thread.
///
/// Waking threads is most of the cost. Therefore one thread takes each sample and passes that sample to every listener.
/// A control interface can supply a timer on its sending thread (`beat(by:)`); without one, a separate task takes the
/// samples.
package final class TelemetryFeed: Sendable {
    /// The streams to which a listener subscribes.
    package struct Streams: OptionSet, Sendable {
        /// Bits of the set.
        package let rawValue: UInt8

        /// Creates a set of these bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Levels, load and loudness, 25 times per second.
        package static let meters = Streams(rawValue: 1)
        /// Pose of the head after each movement, at most 120 times per second.
        package static let pose = Streams(rawValue: 2)

        /// Sampling rate, Hz; nil without a stream.
        package var rate: Double? { contains(.pose) ? 120 : contains(.meters) ? Streams.meterRate : nil }
        /// Greatest rate of meter samples, Hz.
        package static let meterRate = 25.0
    }

    /// Receives a sample of one stream or both; must return quickly.
    package typealias Listener = @Sendable (Streams, SessionTelemetry) -> Void
    /// Takes a sample, of the pose alone or of all values; nil if nothing plays.
    package typealias Sample = @Sendable (_ isWhole: Bool) -> SessionTelemetry?
    /// Timer: runs work at a fixed interval in seconds until the returned closure is called.
    package typealias Beat =
        @Sendable (_ seconds: Double, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void

    private struct Content {
        var next = 0
        var listeners: [Int: (streams: Streams, hears: Listener)] = [:]
        var sample: Sample?
        var beat: Beat = TelemetryFeed.beatOfItsOwn
        /// Present sampling rate, and the closure that ends sampling.
        var rate: Double?
        var end: (@Sendable () -> Void)?
        /// Seconds since the last meter sample was due.
        var sinceMeters = 0.0
        var pose: [Double] = []
    }
    private let content = Mutex(Content())

    /// Creates a feed without listeners.
    package init() {}

    /// Sets the function that takes samples. It is called on the timer's thread.
    package func serve(by sample: @escaping Sample) { content.withLock { $0.sample = sample } }

    /// Sets the timer of the samples. A timer that already runs is replaced only when the sampling rate changes.
    package func beat(by beat: @escaping Beat) { content.withLock { $0.beat = beat } }

    /// Calls `hears` with samples of these streams until the returned closure is called. A call in progress on another
    /// thread is completed.
    package func hear(_ streams: Streams, _ hears: @escaping Listener) -> @Sendable () -> Void {
        let number = content.withLock { content in
            content.next += 1
            content.listeners[content.next] = (streams, hears)
            // A new listener also receives the pose of a head that does not move.
            if streams.contains(.pose) { content.pose = [] }
            return content.next
        }
        follow()
        return { [weak self] in
            self?.content.withLock { _ = $0.listeners.removeValue(forKey: number) }
            self?.follow()
        }
    }

    /// Sets the sampling rate to the highest that a listener needs, or stops sampling.
    private func follow() {
        let ended = content.withLock { content -> (@Sendable () -> Void)? in
            let rate = content.listeners.values.reduce(into: Streams()) { $0.formUnion($1.streams) }.rate
            guard rate != content.rate else { return nil }
            defer {
                content.rate = rate
                content.end = rate.map { rate in
                    content.beat(1 / rate) { [weak self] in self?.tell(after: 1 / rate) }
                }
            }
            return content.end
        }
        ended?()
    }

    /// Takes one sample and passes it to the listeners.
    private func tell(after seconds: Double) {
        let (isWhole, sample) = content.withLock { content in
            content.sinceMeters += seconds
            let isWhole = content.sinceMeters >= 1 / Streams.meterRate - 1e-9
            if isWhole { content.sinceMeters = max(0, content.sinceMeters - 1 / Streams.meterRate) }
            return (isWhole && content.listeners.values.contains { $0.streams.contains(.meters) }, content.sample)
        }
        guard let now = sample?(isWhole) else { return }
        let pose = [now.yaw, now.pitch, now.roll]
        let (listeners, moved) = content.withLock { content in
            defer { content.pose = pose }
            return (Array(content.listeners.values), content.pose != pose)
        }
        var news: Streams = isWhole ? .meters : []
        if moved { news.insert(.pose) }
        for (streams, hears) in listeners {
            let told = streams.intersection(news)
            if !told.isEmpty { hears(told, now) }
        }
    }

    /// Timer that runs in a task. A task needs no thread of its own, which the system could refuse.
    private static let beatOfItsOwn: Beat = { seconds, work in
        let task = Task.detached {
            while true {
                try? await Task.sleep(for: .seconds(seconds))
                if Task.isCancelled { return }
                work()
            }
        }
        return { task.cancel() }
    }
}
