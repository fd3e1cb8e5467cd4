import Desktop
import Foundation
import Loading
import SavedSessions

/// Sets the default sink, and restores the user's former choice.
enum DesktopDefault {
    /// Makes a sink the default if that was requested; else keeps the former default. If the user has chosen no sink, a
    /// session manager for which this sink was the default before would otherwise make it the default again.
    ///
    /// - Parameter former: PipeWire's graph before the sink was made.
    static func settle(
        _ sink: DesktopSink, _ record: inout DesktopRecord, before former: PipeWireGraph, _ tools: PipeWireTools
    ) async throws {
        var wanted: String? = sink.name
        if !record.isDefault {
            // The session manager decides a moment after the sink has appeared.
            try? await Task.sleep(for: .milliseconds(300))
            let now = try tools.graph()
            let isOwn = now.defaultSink.map { !isOther($0) } ?? false
            wanted = now.chosenSink == nil && isOwn ? former.defaultSink : nil
        }
        guard let wanted, isOther(wanted) || record.isDefault else { return }
        if record.placedDefault == nil { record.formerDefault = former.chosenSink.flatMap { isOther($0) ? $0 : nil } }
        record.placedDefault = wanted
        try record.write(in: SessionDocument.stateFolder)
        guard tools.choose(sink: wanted) else {
            throw Failure(
                .environment,
                "PipeWire does not accept the choice of the default sink; choose it in your desktop's sound settings"
            )
        }
    }

    /// Restores the user's former choice, unless the user has chosen another sink meanwhile.
    static func restore(_ record: DesktopRecord, _ tools: PipeWireTools) {
        guard let placed = record.placedDefault, let graph = try? tools.graph(), graph.chosenSink == placed else {
            return
        }
        _ = tools.choose(sink: record.formerDefault)
    }

    private static func isOther(_ name: String) -> Bool { !name.hasPrefix(DesktopSink.prefix) }
}
