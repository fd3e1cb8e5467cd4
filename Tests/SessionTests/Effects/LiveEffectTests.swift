import AudioIO
import Desk
import Loading
import Offline
import PlantedPlugins
import Racks
import Rendering
import Signal
import SoundFixtures
import Stages
import Testing

@testable import Session

/// Effects of sessions, with planted plugins.
@Suite(.timeLimit(.minutes(10))) struct LiveEffectTests {
    private static let gain = PlantedPlugins.uri("gain")
    private static let delay = PlantedPlugins.uri("delay")

    private static func rig(_ effect: String, _ plugins: [String]) async throws -> LiveRig {
        let (shelf, effect) = (try PluginShelf.planted(), try EffectSettings(parsing: effect))
        let requests = try plugins.map { try PluginRequest(parsing: $0) }
        let rig = try await LiveRig { settings in
            settings.stage.shelf = shelf
            settings.stage.plugins = requests
            settings.stage.programmes.effects = [effect]
        }
        try await rig.patch()
        return rig
    }

    /// Plays until the commands are in force, and returns the level.
    private static func level(_ rig: LiveRig) async -> Double {
        for _ in 0..<14 {
            rig.play(seconds: 0.1)
            await rig.clock.advance(by: 0.05)
        }
        return LiveRig.level(rig.play(seconds: 0.3))
    }

    private static func set(_ name: String, _ values: [String], of input: String?) throws -> SessionCommand {
        .set(try ParameterChange(name, values, input: input))
    }

    @Test func `A return has a level of its own, and what is said to all does not reach it twice`() async throws {
        let rig = try await Self.rig("reverb=stereo,main=0", ["reverb=\(Self.gain),name=wet,gain=1"])
        // The effect returns its input unchanged and without delay, so the sum is 6 dB louder.
        let both = await Self.level(rig)
        await rig.done(try Self.set("level", ["off"], of: "reverb"))
        #expect(abs(await Self.level(rig) - both + 6.02) < 0.1)
        await rig.done(try Self.set("level", ["0"], of: "reverb"))
        await rig.done(.plugin(.set("wet", symbol: "gain", value: "0")))
        #expect(abs(await Self.level(rig) - both + 6.02) < 0.1)
        await rig.done(.plugin(.set("wet", symbol: "gain", value: "1")))
        await rig.done(try Self.set("level", ["-20"], of: nil))
        #expect(abs(await Self.level(rig) - both + 20) < 0.1)
        let status = await rig.live.status()
        #expect(status.programmes.map(\.name) == ["main", "reverb"])
        #expect(status.programmes.map(\.isEffect) == [false, true])
        #expect(abs(status.programmes[0].level + 20) < 0.01 && abs(status.programmes[1].level) < 0.01)
        #expect(status.inputPeaks.count == 2)
        #expect(status.loudness?.inputs.map(\.name) == ["main"])
        try await rig.live.end()
    }

    @Test func `A plugin of an effect comes and goes, and its latency is told`() async throws {
        let rig = try await Self.rig("reverb=stereo,main=0", [])
        let both = await Self.level(rig)
        await rig.done(.plugin(.add(try PluginRequest(parsing: "reverb=\(Self.delay),name=late"), position: nil)))
        // Both paths stay aligned: the noise is heard 10 ms later, and the sum is still 6 dB louder. Unaligned paths
        // would add 3 dB.
        let late = await Self.level(rig)
        #expect(abs(late - both) < 0.3, "\(late - both) dB")
        #expect(await rig.live.status().latencyFrames == 480)
        await rig.done(.plugin(.remove("late")))
        _ = await Self.level(rig)
        #expect(await rig.live.status().latencyFrames == 0)
        try await rig.live.end()
    }

    @Test func `A file is rendered with an effect, and in time`() throws {
        let folder = try Scratch()
        let samples = LiveRig.noise(24_000, seed: 3)
        let block = PlanarBlock(channels: 2, frames: samples.count)
        for channel in 0..<2 { for i in samples.indices { block[channel][i] = samples[i] } }
        let writer = try SoundFileWriter(path: folder("mix.wav"), channels: 2, sampleRate: .studio)
        try writer.write(block, from: 0, frames: samples.count)
        try writer.finish()
        func render(_ effects: [String], _ plugins: [String], to name: String) throws -> [[Float]] {
            var stage = StageSettings(hrtf: "generated", limiter: .off)
            stage.shelf = try .planted()
            stage.programmes.effects = try effects.map { try EffectSettings(parsing: $0) }
            stage.plugins = try plugins.map { try PluginRequest(parsing: $0) }
            _ = try OfflineSession.render(
                RenderSettings(stage: stage, input: folder("mix.wav"), output: folder(name)), progress: { _ in true })
            return try WholeSound.read(folder(name))
        }
        let dry = try render([], [], to: "dry.wav")
        let wet = try render(
            ["reverb=stereo,main=6.0206"], ["reverb=\(Self.gain),gain=0.5", "reverb=\(Self.delay)"], to: "wet.wav")
        #expect(wet.map(\.count) == dry.map(\.count))
        for ear in 0..<2 {
            let difference = zip(wet[ear], dry[ear]).map { abs($0 - 2 * $1) }.max() ?? 1
            #expect(difference < 1e-5)
        }
        #expect(throws: SessionError.self) { try render(["reverb=stereo,talk=0"], [], to: "none.wav") }
    }
}
