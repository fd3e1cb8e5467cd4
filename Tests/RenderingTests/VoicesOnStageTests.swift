import AudioMix
import FakePlugins
import FieldScenes
import Geometry
import SeamMeasures
import Signal
import Soundstage
import Testing

@testable import Inserts
@testable import Rendering

/// The voices of an Audio Mix on a whole stage: with plugins, with a restart, in any periods.
@Suite struct VoicesOnStageTests {
    private static let frames = 96_000
    /// A voice to the left in diffuse noise.
    private static let scene: [[Float]] = {
        var scene = FieldScene(frames: frames)
        scene.add(FieldScene.voice(frames: frames, seed: 11)) { _ in 70 }
        scene.addDiffuse(level: 0.002, seed: 12)
        return scene.rows
    }()

    private static func controls(_ format: AmbisonicFormat) -> ProgrammeControls {
        var controls = ProgrammeControls(Programme(layout: Layout(format)))
        controls.mix = AudioMixControls(style: .studio)
        return controls
    }

    /// Returns a stage of the field, through an Audio Mix or (nil) without one, with a turning head.
    private static func stage(_ mix: AudioMixLatency? = .live) throws -> StageRenderer {
        let format = try AmbisonicFormat(order: 1)
        let configuration = StageConfiguration(
            sampleRate: .studio, sources: [],
            programmes: [StageProgramme(format, controls: controls(format), mix: mix)], trim: Decibels(0),
            outputGuard: .off)
        return try StageRenderer(configuration, field: sphere, poses: try turning(degreesPerSecond: 40, seconds: 3))
    }

    /// Returns the ears for the mix as a field alone, as a stage without separate voices plays it.
    private static func together() throws -> Ears {
        let format = try AmbisonicFormat(order: 1)
        var mix = FieldMix(format, .live, sampleRate: .studio, controls: controls(format).mix)
        let into = PlanarBlock(channels: 4, frames: 64), out = PlanarBlock(channels: 4, frames: 64)
        var rows = [[Float]](repeating: [], count: 4)
        for first in stride(from: 0, to: frames, by: 64) {
            for channel in 0..<4 { for i in 0..<64 { into[channel][i] = scene[channel][first + i] } }
            let heard = UnsafeRawPointer(into.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
            mix.process(heard, frames: 64, controls: controls(format).mix, feeds: UnsafePointer(out.pointers))
            for channel in 0..<4 { rows[channel] += (0..<64).map { out[channel][$0] } }
        }
        return render(try stage(nil), rows, periods: [64])
    }

    /// Adds a plugin that changes nothing to the field's chain, or removes it.
    private static func ask(_ renderer: StageRenderer, forPlugin isThere: Bool) {
        let places = renderer.inserts.places
        var chains = [[InsertRequest]](repeating: [], count: places.count)
        if isThere { chains[places.programme(0)] = [FakePlugin(channels: 4, delay: 0).request(channels: 4)] }
        renderer.inserts.ask(for: chains)
    }

    @Test func whilePluginsAreThereTheFieldHoldsTheVoices() throws {
        let (together, apart) = (try Self.together(), render(try Self.stage(), Self.scene, periods: [64]))
        // Before the first detected voice both renders are equal.
        let spoken = 24_000..<Self.frames
        #expect(apart.error(against: together, in: spoken) > -25)
        let renderer = try Self.stage()
        let (comes, goes) = (32_000, 64_000)
        let heard = render(renderer, Self.scene, periods: [64]) { _ in
            PeriodTime()
        } between: { done in
            renderer.inserts.advance()
            if done == comes { Self.ask(renderer, forPlugin: true) }
            if done == goes { Self.ask(renderer, forPlugin: false) }
        }
        #expect(heard.error(against: apart, in: 0..<comes) == -.infinity)
        // The change of chains and the fade of the voices end within a fifth of a second.
        #expect(heard.error(against: together, in: comes + 9600..<goes) < -110)
        #expect(heard.error(against: apart, in: goes + 9600..<Self.frames) < -110)
        // The fade stays between the two renders: it is never farther from either than they are from each other.
        func distance(_ a: Ears, _ b: Ears) -> Float {
            (comes..<goes + 9600).reduce(0) {
                max($0, abs(a.left[$1] - b.left[$1]), abs(a.right[$1] - b.right[$1]))
            }
        }
        #expect(distance(heard, apart) <= distance(together, apart) + 1e-6)
        #expect(distance(heard, together) <= distance(together, apart) + 1e-6)
    }

    @Test func howPeriodsLieMakesNoDifferenceToVoices() throws {
        let whole = render(try Self.stage(), Self.scene, periods: [1024])
        #expect(render(try Self.stage(), Self.scene, periods: [64, 256, 2048]).isIdentical(to: whole))
        // Periods that end within a slice cut the transforms, which rounds differently, as for all sources of a stage.
        for periods in [[441], [16, 48, 100, 60, 801]] {
            #expect(render(try Self.stage(), Self.scene, periods: periods).error(against: whole) < -120)
        }
    }

    @Test(arguments: [64, 100])
    func aRestartWhileSomebodySpeaksIsAFreshStageOnceTheOldSoundHasLeft(period: Int) throws {
        let restart = 480 * period
        let first = Self.scene.map { Array($0[..<restart]) }
        let again = render(
            try Self.stage(), zip(first, Self.scene).map { $0 + $1 }, periods: [period],
            time: { PeriodTime(restart: $0 == restart) })
        let fresh = render(try Self.stage(), Self.scene, periods: [period])
        let after = Ears(left: Array(again.left[restart...]), right: Array(again.right[restart...]))
        #expect(after.error(against: fresh, in: 72..<Self.frames) == -.infinity)
    }
}
