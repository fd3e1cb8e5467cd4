import CRealtime
import Inserts
import PluginHost
import Signal

/// The product's chain of one plugin, as a driver's slice passes it.
final class ChainContender: Contender {
    let name: String
    let role: Role
    /// Whether the plugins may take their time, as in a render.
    let isOffline: Bool
    let renderer: InsertRenderer
    let instances: [any PluginInstance]
    /// The insert they make.
    let request: InsertRequest
    private let work: PluginWork

    /// - Parameters:
    ///   - backend: makes the instances: in this process, or each in one of its own.
    ///   - isOffline: whether they may take their time.
    init(
        _ work: PluginWork, by backend: any PluginBackend = LV2Backend(), name: String = "Proscenium, chain",
        role: Role = .ours, isOffline: Bool = false
    ) throws {
        self.name = name
        self.role = role
        self.work = work
        self.isOffline = isOffline
        instances = try ChainContender.instances(work, by: backend)
        renderer = InsertRenderer(
            InsertPlaces(programmes: [work.channels], field: 0), sampleRate: work.sampleRate, slice: work.slice)
        prc_flush_denormals()
        request = ChainContender.request(instances, work)
        renderer.ask(for: renderer.places.chains([request]))
        renderer.handle.pointee.beginSlice(atOnce: true, offline: isOffline)
    }

    deinit { for instance in instances { _ = instance.close(within: 5) } }

    /// Instances for all channels of a work.
    static func instances(_ work: PluginWork, by backend: any PluginBackend) throws -> [any PluginInstance] {
        let setup = PluginSetup(sampleRate: work.sampleRate, slice: work.slice, isLive: true, period: work.slice)
        return try (0..<work.instances).map { _ in try backend.instantiate(work.plugin, setup) }
    }

    /// An insert of instances over a work's channels.
    static func request(_ instances: [any PluginInstance], _ work: PluginWork) -> InsertRequest {
        let latency = instances.map(\.latencyFrames).max() ?? 0
        let member = InsertMember(
            instances.map(\.processor), routing: work.routing, latency: latency,
            tellsLatency: work.plugin.tellsLatency, sampleRate: work.sampleRate, slice: work.slice, keeping: instances)
        return InsertRequest(member, latency: latency)
    }

    /// Calls for which isolated instances had no sound in time.
    var missed: Int { instances.reduce(0) { $0 + $1.health.missed } }

    func step(_ index: Int, into output: Output) {
        work.copy(step: index, to: output.rows)
        renderer.handle.pointee.beginSlice(atOnce: false, offline: isOffline)
        renderer.handle.pointee.process(place: 0, output.rows, count: work.slice)
        renderer.handle.pointee.advance(work.slice)
    }
}

extension InsertPlaces {
    /// Chains that are empty but for the first programme's.
    func chains(_ first: [InsertRequest]) -> [[InsertRequest]] {
        [first] + .init(repeating: [], count: count - 1)
    }
}
