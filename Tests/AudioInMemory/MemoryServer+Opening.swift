import Signal
import Synchronization

@testable import AudioIO

/// Clients of the server in memory.
extension MemoryServer: AudioServer {
    /// Opens a client in memory. The caller runs its cycles.
    package func openStage(name: String) throws(JACKError) -> any StageDriver {
        let (events, continuation) = AsyncStream<JACKEvent>.makeStream(bufferingPolicy: .bufferingNewest(256))
        let (given, rate) = try graph.withLock { graph throws(JACKError) in
            let (given, rate) = try Self.admit(name, to: &graph)
            graph.stages.append(MemoryStageState(name: given, continuation: continuation))
            return (given, rate)
        }
        return MemoryStage(name: given, sampleRate: rate, events: events, server: self)
    }

    /// Opens a client in memory that plays files from disk.
    package func openPlayer(
        _ entries: [PlaylistEntry], name: String, firstFile: Int, seconds: Double
    ) throws -> FilePlayer {
        let (given, rate) = try graph.withLock { graph throws(JACKError) in try Self.admit(name, to: &graph) }
        return try FilePlayer(
            entries, firstFile: firstFile, seconds: seconds,
            through: MemoryOutputs(name: given, hertz: rate.hertz, server: self))
    }

    /// Returns a client's name, with a number if the name is taken, and the present sample rate.
    private static func admit(
        _ name: String, to graph: inout MemoryGraph
    ) throws(JACKError) -> (name: String, rate: SampleRate) {
        if let refusal = graph.refusals.opening { throw refusal }
        guard graph.health != .gone else { throw .noServer(detail: "") }
        guard let rate = SampleRate(hertz: graph.hertz) else { throw .unsupportedSampleRate(graph.hertz) }
        var given = name
        var number = 0
        while graph.clients.contains(given) {
            number += 1
            given = name + (number < 10 ? "-0\(number)" : "-\(number)")
        }
        graph.clients.append(given)
        return (given, rate)
    }
}
