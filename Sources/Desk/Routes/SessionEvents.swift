import Stages
import Synchronization
import Takes

/// What happens to a session, for any number of listeners. Any thread.
package final class SessionEvents: Sendable {
    private struct Listeners {
        var next = 0
        var all: [Int: @Sendable (SessionEvent) -> Void] = [:]
    }
    private let listeners = Mutex(Listeners())

    /// Without listeners.
    package init() {}

    /// Everything that happens from now on; the newest 256 are kept for a slow listener.
    package func subscribe() -> AsyncStream<SessionEvent> {
        let (stream, continuation) = AsyncStream<SessionEvent>.makeStream(bufferingPolicy: .bufferingNewest(256))
        let end = hear { continuation.yield($0) }
        continuation.onTermination = { _ in end() }
        return stream
    }

    /// Has `hears` told everything that happens from now on, at once and where it happens: it must be soon over. The
    /// answer ends that.
    package func hear(_ hears: @escaping @Sendable (SessionEvent) -> Void) -> @Sendable () -> Void {
        let number = listeners.withLock { listeners in
            listeners.next += 1
            listeners.all[listeners.next] = hears
            return listeners.next
        }
        return { [weak self] in self?.forget(number) }
    }

    /// Tells every listener.
    package func tell(_ event: SessionEvent) {
        for hears in listeners.withLock({ Array($0.all.values) }) { hears(event) }
    }

    private func forget(_ number: Int) { listeners.withLock { _ = $0.all.removeValue(forKey: number) } }
}

/// Something that clients that watch a session are told when it happens.
package enum SessionEvent: Sendable, Equatable {
    /// The ears were disconnected from these ports.
    case routeLost([String])
    /// Playback is muted until the user resumes.
    case routeHeld
    /// Playback goes on; the ears go to these ports.
    case routeResumed([String])
    /// An interruption has the stage.
    case interruptionBegan(name: String, effect: InterruptionEffect)
    /// It gave the stage back; `resumes`: what it did is undone.
    case interruptionEnded(name: String, resumes: Bool)
    /// An input plays another rendition of its programme.
    case renditionChanged(input: String, rendition: String)
    /// An input went on the stage, or off it.
    case spatializationChanged(input: String, isSpatializing: Bool)
    /// An input has another level, dB.
    case levelChanged(input: String, level: Double)
    /// A recording ended before the session, which plays on; what was recorded until then is in the file.
    case recordingEnded(file: String, reason: String)

    /// The kind, in a word.
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

    /// The rest, as one line of JSON.
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
