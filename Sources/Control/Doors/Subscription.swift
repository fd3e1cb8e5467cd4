import Desk
import Stages
import Synchronization

/// News for a subscribed client, buffered until the control interface can send them.
///
/// Memory does not grow, however slowly the client reads. If a value has changed several times, its last value is kept,
/// so that no state is lost. Of meters and poses only the newest sample is kept, of events the newest
/// `Content.mostEvents`. All functions may be called on any thread.
final class Subscription: Sendable {
    /// Topic of a subscription.
    enum Topic: String, CaseIterable, Sendable {
        /// All values at first, and then the changes.
        case state
        /// Events, as they happen.
        case events
        /// Levels, load and loudness, 25 times per second.
        case meters
        /// Head pose when it has changed, at most 120 times per second.
        case pose

        /// The names of all topics, for a refusal.
        static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

        /// Returns the topics with these names, or all topics if there are no names. Returns nil if a word is not the
        /// name of a topic.
        static func set(of words: [String?]) -> Set<Topic>? {
            let topics = words.compactMap { $0.flatMap(Topic.init(rawValue:)) }
            return topics.count < words.count ? nil : Set(words.isEmpty ? allCases : topics)
        }
    }

    /// News to be sent.
    struct News: Sendable {
        /// Values by address; nil marks a removed value. `isWhole`: whether these are all values.
        var state: (values: [String: ParameterValue?], revision: UInt64, isWhole: Bool)?
        /// Events, oldest first.
        var events: [SessionEvent] = []
        /// Newest telemetry, for the topics meters and pose.
        var meters: SessionTelemetry?, pose: SessionTelemetry?

        fileprivate var isEmpty: Bool { state == nil && events.isEmpty && meters == nil && pose == nil }
    }

    private struct Content {
        static let mostEvents = 256
        var news = News()
        var ends: [@Sendable () -> Void] = []
        var isOver = false
    }

    /// Buffer that the listeners fill. They refer to the buffer and not to the subscription, so that they do not keep
    /// the subscription alive.
    private final class Tray: Sendable {
        let content = Mutex(Content())
        let wake: @Sendable () -> Void

        init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

        func put(_ change: (inout News) -> Void) {
            let wasEmpty = content.withLock { content in
                guard !content.isOver else { return false }
                defer { change(&content.news) }
                return content.news.isEmpty
            }
            if wasEmpty { wake() }
        }

        func put(_ change: StateChange) {
            put { news in
                guard var state = news.state else {
                    news.state = (change.values, change.revision, false)
                    return
                }
                state.values.merge(change.values) { $1 }
                if state.isWhole { state.values = state.values.filter { $0.value != nil } }
                state.revision = change.revision
                news.state = state
            }
        }
    }

    private let tray: Tray

    /// Subscribes to topics. `wake` is called at once, and when news arrive in an empty buffer; it must return quickly.
    init(_ topics: Set<Topic>, at desk: SessionDesk, wake: @escaping @Sendable () -> Void) {
        let tray = Tray(wake: wake)
        self.tray = tray
        var ends: [@Sendable () -> Void] = []
        if topics.contains(.state) {
            let (state, end) = desk.state.hear { tray.put($0) }
            ends.append(end)
            // Changes that have arrived since `hear` returned are newer than `state`.
            tray.content.withLock { content in
                let later = content.news.state
                var values = state.values.mapValues { ParameterValue?.some($0) }
                values.merge(later?.values ?? [:]) { $1 }
                content.news.state = (values.filter { $0.value != nil }, later?.revision ?? state.revision, true)
            }
        }
        if topics.contains(.events) {
            ends.append(
                desk.events.hear { event in
                    tray.put { news in
                        if news.events.count == Content.mostEvents { news.events.removeFirst() }
                        news.events.append(event)
                    }
                })
        }
        var streams: TelemetryFeed.Streams = []
        if topics.contains(.meters) { streams.insert(.meters) }
        if topics.contains(.pose) { streams.insert(.pose) }
        if !streams.isEmpty {
            ends.append(
                desk.telemetry.hear(streams) { streams, sample in
                    tray.put { news in
                        if streams.contains(.meters) { news.meters = sample }
                        if streams.contains(.pose) { news.pose = sample }
                    }
                })
        }
        let all = ends
        tray.content.withLock { $0.ends = all }
        wake()
    }

    deinit { end() }

    /// Returns all news to be sent, and empties the buffer.
    func take() -> News {
        tray.content.withLock { content in
            defer { content.news = News() }
            return content.news
        }
    }

    /// Ends the subscription. Idempotent.
    func end() {
        let ends = tray.content.withLock { content in
            content.isOver = true
            defer { content.ends = [] }
            return content.ends
        }
        for end in ends { end() }
    }
}
