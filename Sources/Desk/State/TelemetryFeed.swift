import Signal
import Synchronization

/// Samples what moves in a session for subscribers, as often as the most frequent of them needs it, and never while
/// there is none. Any thread.
///
/// What it costs is mostly threads that are woken, so one thread does all of a beat: it takes the sample and hands it
/// to every listener. A door whose thread sends anyway lends it (`beat(by:)`); else there is one of its own.
package final class TelemetryFeed: Sendable {
    /// What a listener wants of it.
    package struct Streams: OptionSet, Sendable {
        /// The bits.
        package let rawValue: UInt8

        /// A set of these bits.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Levels, load and loudness, 25 times per second.
        package static let meters = Streams(rawValue: 1)
        /// The head's pose whenever it moved, 120 times per second at most.
        package static let pose = Streams(rawValue: 2)

        /// Samples per second; nil for none.
        package var rate: Double? { contains(.pose) ? 120 : contains(.meters) ? Streams.meterRate : nil }
        /// Meters are told so many times per second at most.
        package static let meterRate = 25.0
    }

    /// Hears a sample, of one stream or both; must be soon over.
    package typealias Listener = @Sendable (Streams, SessionTelemetry) -> Void
    /// Takes a sample, the pose alone or all of it; nil: nothing plays.
    package typealias Sample = @Sendable (_ isWhole: Bool) -> SessionTelemetry?
    /// Has work done every so many seconds until what it answers is called.
    package typealias Beat =
        @Sendable (_ seconds: Double, _ work: @escaping @Sendable () -> Void) -> @Sendable () -> Void

    private struct Content {
        var next = 0
        var listeners: [Int: (streams: Streams, hears: Listener)] = [:]
        var sample: Sample?
        var beat: Beat = TelemetryFeed.beatOfItsOwn
        /// How often it is sampled now, and what ends that.
        var rate: Double?
        var end: (@Sendable () -> Void)?
        /// Seconds since meters were told.
        var sinceMeters = 0.0
        var pose: [Double] = []
    }
    private let content = Mutex(Content())

    /// Without listeners.
    package init() {}

    /// Has samples taken by `sample` from now on, on the thread of the beat.
    package func serve(by sample: @escaping Sample) { content.withLock { $0.sample = sample } }

    /// Has the time between two samples measured by `beat` from the next listener on.
    package func beat(by beat: @escaping Beat) { content.withLock { $0.beat = beat } }

    /// Has `hears` told of these streams until the answer is called.
    package func hear(_ streams: Streams, _ hears: @escaping Listener) -> @Sendable () -> Void {
        let number = content.withLock { content in
            content.next += 1
            content.listeners[content.next] = (streams, hears)
            return content.next
        }
        follow()
        return { [weak self] in
            self?.content.withLock { _ = $0.listeners.removeValue(forKey: number) }
            self?.follow()
        }
    }

    /// Beats as fast as the most curious listener needs it, or not at all.
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

    /// One beat.
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

    /// A task for as long as there are listeners: it needs no thread that the system could refuse.
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
