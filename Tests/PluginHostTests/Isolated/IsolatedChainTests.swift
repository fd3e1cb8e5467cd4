import Glibc
import Inserts
import PlantedPlugins
import Signal
import Testing

@testable import PluginHost

/// Isolated plugins in chains, together with other plugins.
@Suite struct IsolatedChainTests {
    /// Two programmes of one channel, a plugin on the first and a gain, in this process, on the second.
    private final class Stage {
        let renderer: InsertRenderer
        let member: InsertMember
        private let places = InsertPlaces(programmes: [1, 1])
        private let instances: [any PluginInstance]
        private let rows = PlanarBlock(channels: 2, frames: 64)
        private(set) var heard = [[Float]](repeating: [], count: 2)
        private(set) var place = 0

        init(_ isolated: any PluginInstance, _ beside: any PluginInstance) throws {
            renderer = InsertRenderer(places, sampleRate: .studio, slice: 64)
            instances = [isolated, beside]
            let routing = try #require(InsertRouting(channels: 1, pluginInputs: 1, pluginOutputs: 1))
            func member(_ instance: any PluginInstance) -> InsertMember {
                InsertMember(
                    [instance.processor], routing: routing, latency: instance.latencyFrames, sampleRate: .studio,
                    slice: 64, keeping: [])
            }
            self.member = member(isolated)
            var chains = [[InsertRequest]](repeating: [], count: places.count)
            chains[places.programme(0)] = [InsertRequest(self.member, latency: isolated.latencyFrames)]
            chains[places.programme(1)] = [InsertRequest(member(beside), latency: beside.latencyFrames)]
            renderer.ask(for: chains)
        }

        /// Runs one slice of the sound through both chains.
        func run(offline: Bool) {
            renderer.handle.pointee.beginSlice(atOnce: place == 0, offline: offline)
            for channel in 0..<2 { for i in 0..<64 { rows[channel][i] = Isolated.sound(place + i) } }
            for channel in 0..<2 {
                renderer.handle.pointee.process(
                    place: places.programme(channel), rows.pointers + channel, count: 64)
            }
            renderer.handle.pointee.advance(64)
            for channel in 0..<2 { heard[channel] += (0..<64).map { rows[channel][$0] } }
            place += 64
            renderer.advance()
        }

        func close() { for instance in instances { #expect(instance.close(within: 2)) } }
    }

    /// Plays three seconds, with the plugin isolated, in real time, or in this process, offline.
    private static func play(_ name: String, in folder: String, isolated: Bool) throws -> Stage {
        let setup = PluginSetup(sampleRate: .studio, slice: 64, period: 64)
        let own = LV2Backend(searchPath: [try PlantedPlugins.sound()])
        let subject: any PluginInstance =
            isolated
            ? try Isolated.make(name, in: folder)
            : try LV2Backend(searchPath: [folder]).instantiate(Isolated.plugin(name, in: folder), setup)
        let beside = try own.instantiate(Isolated.plugin("filter", in: PlantedPlugins.sound()), setup)
        let stage = try Stage(subject, beside)
        let begin = Isolated.nanoseconds()
        for _ in 0..<3 * 750 {
            stage.run(offline: !isolated)
            guard isolated else { continue }
            let due = stage.place * 1_000_000_000 / 48_000 - (Isolated.nanoseconds() - begin)
            if due > 0 { usleep(UInt32(due / 1000)) }
        }
        return stage
    }

    @Test(arguments: [
        ("abort", InsertFault.gone), ("endless", .gone), ("sleep", .gone), ("not-a-number", .notANumber),
        ("growing", .runaway), ("scribble", .trespassed),
    ])
    func `What misbehaves is taken out, its chain goes on past it, and the sound beside it is untouched`(
        name: String, fault: InsertFault
    ) throws {
        let whole = try Self.play("gain", in: PlantedPlugins.sound(), isolated: false)
        let stage = try Self.play(name, in: PlantedPlugins.harmful(), isolated: true)
        defer {
            whole.close()
            stage.close()
        }
        #expect(stage.member.meter.fault == fault)
        #expect(whole.member.meter.fault == .none)
        // The sound bypasses the plugin, with the plugin's latency.
        let end = stage.heard[0].indices.suffix(4800)
        #expect(end.allSatisfy { stage.heard[0][$0] == Isolated.sound($0 - 64) })
        // The other plugin gave the same output as with a plugin in this process, later by the period.
        let isUntouched = stage.heard[1].dropFirst(64) == whole.heard[1].dropLast(64)
        #expect(isUntouched)
    }
}
