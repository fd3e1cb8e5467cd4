import CRealtime
import Inserts
import PluginHost
import Signal

/// The product's chain with one plugin, called as a driver's slice calls it.
final class ChainContender: Contender {
    let name: String
    let role: Role
    /// Whether the chain waits for the plugins, as in an offline render.
    let isOffline: Bool
    let renderer: InsertRenderer
    let instances: [any PluginInstance]
    /// Request of an insert with these instances.
    let request: InsertRequest
    private let work: PluginWork

    /// - Parameters:
    ///   backend: creates the instances, in this process or each in a process of its own.
    ///   isOffline: whether the chain waits for the plugins.
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
            InsertPlaces(programmes: [work.channels]), sampleRate: work.sampleRate, slice: work.slice)
        prc_flush_denormals()
        request = ChainContender.request(instances, work)
        renderer.ask(for: renderer.places.chains([request]))
        renderer.handle.pointee.beginSlice(atOnce: true, offline: isOffline)
    }

    deinit { for instance in instances { _ = instance.close(within: 5) } }

    /// Returns instances for all channels of a work.
    static func instances(_ work: PluginWork, by backend: any PluginBackend) throws -> [any PluginInstance] {
        let setup = PluginSetup(sampleRate: work.sampleRate, slice: work.slice, isLive: true, period: work.slice)
        return try (0..<work.instances).map { _ in try backend.instantiate(work.plugin, setup) }
    }

    /// Returns a request of an insert with `instances` over all channels of a work.
    static func request(_ instances: [any PluginInstance], _ work: PluginWork) -> InsertRequest {
        let latency = instances.map(\.latencyFrames).max() ?? 0
        let member = InsertMember(
            instances.map(\.processor), routing: work.routing, latency: latency,
            tellsLatency: work.plugin.tellsLatency, sampleRate: work.sampleRate, slice: work.slice, keeping: instances)
        return InsertRequest(member, latency: latency)
    }

    /// Number of calls for which isolated instances were late.
    var missed: Int { instances.reduce(0) { $0 + $1.health.missed } }

    func step(_ index: Int, into output: Output) {
        work.copy(step: index, to: output.rows)
        renderer.handle.pointee.beginSlice(atOnce: false, offline: isOffline)
        renderer.handle.pointee.process(place: 0, output.rows, count: work.slice)
        renderer.handle.pointee.advance(work.slice)
    }
}

extension InsertPlaces {
    /// Returns chains of all places: `first` at the first programme, empty ones elsewhere.
    func chains(_ first: [InsertRequest]) -> [[InsertRequest]] {
        [first] + .init(repeating: [], count: count - 1)
    }
}
