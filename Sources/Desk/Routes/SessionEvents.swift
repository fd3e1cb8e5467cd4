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
    package var kind: String {
        switch self {
        case .routeLost: "route-lost"
        case .routeHeld: "route-held"
        case .routeResumed: "route-resumed"
        case .interruptionBegan: "interruption-began"
        case .interruptionEnded: "interruption-ended"
        case .renditionChanged: "rendition"
        case .spatializationChanged: "spatialization"
        case .levelChanged: "level"
        case .recordingEnded: "recording-ended"
        }
    }

    /// The details of the event, as one line of JSON.
    package var json: String {
        switch self {
        case .routeLost(let ports), .routeResumed(let ports): ["ports": ports].jsonLine
        case .routeHeld: "{}"
        case .interruptionBegan(let name, let effect): ["name": name, "effect": effect.description].jsonLine
        case .interruptionEnded(let name, let resumes): Ending(name: name, resumes: resumes).jsonLine
        case .renditionChanged(let input, let rendition): ["input": input, "rendition": rendition].jsonLine
        case .spatializationChanged(let input, let on): Standing(input: input, isSpatializing: on).jsonLine
        case .recordingEnded(let file, let reason): ["file": file, "reason": reason].jsonLine
        case .levelChanged(let input, let level): Level(input: input, level: level).jsonLine
        }
    }

    private struct Ending: Encodable { let name: String, resumes: Bool }
    private struct Standing: Encodable { let input: String, isSpatializing: Bool }
    private struct Level: Encodable { let input: String, level: Double }
}
