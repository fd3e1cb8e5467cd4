/// What happened to a capture, in the order in which it happened: all its parts write it, the recordist reads it.
/// One thread.
final class CaptureEventLog {
    private var events: [CaptureEvent] = []

    /// Notes what happened.
    func tell(_ event: CaptureEvent) { events.append(event) }

    /// Notes what was refused, and why.
    func refuse(_ reason: String) { tell(.refused(reason)) }

    /// Notes what happened to a take's files.
    func tell(_ incidents: [CaptureIncident]) { events += incidents.map { .take($0) } }

    /// What happened since this was last asked.
    func take() -> [CaptureEvent] {
        defer { events = [] }
        return events
    }
}

/// What came of a take that was ended, once its files are complete or cannot be.
package struct TakeCompletion: Sendable {
    /// As `perform` told it.
    package var take: Int
    package var events: [CaptureEvent]
}
