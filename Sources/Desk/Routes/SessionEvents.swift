import Gate
import Loading
import Stages
import Synchronization
import Takes

/// Events of a session, for any number of listeners. All functions may be called on any thread.
package final class SessionEvents: Sendable {
    private struct Listeners {
        var next = 0
        var all: [Int: @Sendable (SessionEvent) -> Void] = [:]
    }
    private let listeners = Mutex(Listeners())

    /// Creates a source without listeners.
    package init() {}

    /// Returns a stream of all later events. For a slow listener it keeps the newest 256.
    package func subscribe() -> AsyncStream<SessionEvent> {
        let (stream, continuation) = AsyncStream<SessionEvent>.makeStream(bufferingPolicy: .bufferingNewest(256))
        let end = hear { continuation.yield($0) }
        continuation.onTermination = { _ in end() }
        return stream
    }

    /// Calls `hears` with every later event, on the thread of the event; `hears` must return quickly. The returned
    /// closure ends the calls, but a call in progress on another thread is completed.
    package func hear(_ hears: @escaping @Sendable (SessionEvent) -> Void) -> @Sendable () -> Void {
        let number = listeners.withLock { listeners in
            listeners.next += 1
            listeners.all[listeners.next] = hears
            return listeners.next
        }
        return { [weak self] in self?.forget(number) }
    }

    /// Sends an event to all listeners.
    package func tell(_ event: SessionEvent) {
        for hears in listeners.withLock({ Array($0.all.values) }) { hears(event) }
    }

    private func forget(_ number: Int) { listeners.withLock { _ = $0.all.removeValue(forKey: number) } }
}

/// An event of a session, for clients that watch it.
package enum SessionEvent: Sendable, Equatable {
    /// The ears were disconnected from these ports.
    case routeLost([String])
    /// Playback is muted until the user resumes.
    case routeHeld
    /// Playback resumed; the ears are connected to these ports.
    case routeResumed([String])
    /// An interruption began.
    case interruptionBegan(name: String, effect: InterruptionEffect)
    /// An interruption ended. `resumes`: whether its effect ended too.
    case interruptionEnded(name: String, resumes: Bool)
    /// An input plays another rendition of its programme.
    case renditionChanged(input: String, rendition: String)
    /// An input was placed on the stage, or taken off it.
    case spatializationChanged(input: String, isSpatializing: Bool)
    /// The level of an input changed, dB.
    case levelChanged(input: String, level: Double)
    /// A recording ended before the session. Playback continues; the file contains the sound up to that end.
    case recordingEnded(file: String, reason: String)

    /// Kind of the event, one word.
    package var kind: String { told.kind }

    /// The details of the event, as one line of JSON.
    package var json: String { JSONValue.object(told.details).jsonLine }

    private var told: (kind: String, details: [String: JSONValue]) {
        switch self {
        case .routeLost(let ports): ("route-lost", ["ports": .list(ports.map { .text($0) })])
        case .routeHeld: ("route-held", [:])
        case .routeResumed(let ports): ("route-resumed", ["ports": .list(ports.map { .text($0) })])
        case .interruptionBegan(let name, let effect):
            ("interruption-began", ["name": .text(name), "effect": .text(effect.description)])
        case .interruptionEnded(let name, let resumes):
            ("interruption-ended", ["name": .text(name), "resumes": .truth(resumes)])
        case .renditionChanged(let input, let rendition):
            ("rendition", ["input": .text(input), "rendition": .text(rendition)])
        case .spatializationChanged(let input, let isOn):
            ("spatialization", ["input": .text(input), "isSpatializing": .truth(isOn)])
        case .levelChanged(let input, let level): ("level", ["input": .text(input), "level": .number(level)])
        case .recordingEnded(let file, let reason):
            ("recording-ended", ["file": .text(file), "reason": .text(reason)])
        }
    }
}
