@testable import AudioIO

/// Routes of the outputs of a stage's client in memory, and their changes that are not reported yet.
struct MemoryRoutes {
    var watch = RouteWatch()
    /// Whether the loss of an output's route mutes the client.
    var mutesOnLoss = false
    private var hasLoss = false
    private var hasChange = false

    /// Records the loss of an output's route.
    mutating func noteLoss() { hasLoss = true }

    /// Records that a connection of the client was made or removed.
    mutating func noteChange() { hasChange = true }

    /// Returns the events since the last call: those of lost routes, then those of connections, once each. `outputs`:
    /// names of the two outputs.
    mutating func takeEvents(_ outputs: [String]) -> [JACKEvent] {
        var events: [JACKEvent] = []
        if hasLoss {
            events.append(.routeLost(watch.takeLost().map { JACKLink(from: outputs[$0.ear], to: $0.name) }))
            hasChange = true
        }
        if hasChange { events.append(.connectionsChanged) }
        (hasLoss, hasChange) = (false, false)
        return events
    }
}
