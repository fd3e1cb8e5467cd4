/// Log of the events of a capture, in their order. All parts of the capture append events, and its owner removes them.
/// Must be used by one thread at a time.
final class CaptureEventLog {
    private var events: [CaptureEvent] = []

    /// Appends an event.
    func tell(_ event: CaptureEvent) { events.append(event) }

    /// Appends a refusal with its reason.
    func refuse(_ reason: String) { tell(.refused(reason)) }

    /// Appends incidents of a take's files.
    func tell(_ incidents: [CaptureIncident]) { events += incidents.map { .take($0) } }

    /// Returns the events since the last call.
    func take() -> [CaptureEvent] {
        defer { events = [] }
        return events
    }
}

/// Result of an ended take after its files are complete, or after their completion has failed.
package struct TakeCompletion: Sendable {
    /// Number of the take, as returned by `perform`.
    package var take: Int
    package var events: [CaptureEvent]
}
