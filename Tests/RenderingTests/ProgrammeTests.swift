import Geometry
import HRTF
import Signal
import Soundstage
import Testing

@testable import Rendering

@Suite struct ProgrammeTests {
    /// Returns a stage with programmes, for tests.
    static func stage(
        _ programmes: [Programme], slice: Int = 64, poses: PoseSource = .fixed(.identity), mode: StageMode = .tracked,
        policy: SpatializationPolicy? = nil, field: FilterField? = nil
    ) throws -> StageRenderer {
        return try StageRenderer(
            StageConfiguration(
                sampleRate: .studio, slice: slice, sources: placements(programmes),
                programmes: programmes.map {
                    StageProgramme($0, controls: ProgrammeControls($0, mode: mode, policy: policy))
                }, trim: Decibels(0), outputGuard: .off), field: field ?? sphere, poses: poses)
    }

    /// Returns the positions of the programmes' loudspeakers; an LFE goes to both ears.
    static func placements(_ programmes: [Programme]) -> [SourcePlacement] {
        programmes.enumerated().flatMap { index, programme in
            programme.layout.loudspeakers.map {
                let ears = $0.earGains
                return SourcePlacement(
                    direction: $0.direction,
                    motion: $0.isLowFrequency ? .direct(left: ears.left, right: ears.right) : .tracked,
                    programme: index)
            }
        }
    }

    /// Returns a stage of the same loudspeakers, as sources that play their inputs unchanged.
    static func plain(_ layout: Layout, slice: Int = 64, poses: PoseSource = .fixed(.identity)) throws -> StageRenderer
    {
        try RenderingTests.stage(placements([Programme(layout: layout)]), slice: slice, poses: poses)
    }

    static func surround() throws -> Programme { Programme(layout: try .named("5.1")) }
    static func inputs(_ count: Int, frames: Int = 9600) -> [[Float]] {
        (0..<count).map { noise(frames, seed: UInt64($0 + 1)) }
    }

    @Test(arguments: [64, 128, 256]) func aProgrammeAtRestChangesNoBit(_ slice: Int) throws {
        let poses = try turning(degreesPerSecond: 100, seconds: 0.2)
        let inputs = Self.inputs(6)
        let plain = render(
            try Self.plain(try .named("5.1"), slice: slice, poses: poses), inputs, periods: [100])
        let programme = render(
            try Self.stage([try Self.surround()], slice: slice, poses: poses), inputs, periods: [100])
        #expect(programme.isIdentical(to: plain))
    }

    @Test func whereAStreamIsCutMakesNoDifferenceWhileEverythingFades() throws {
        func ears(_ periods: [Int]) throws -> Ears {
            let renderer = try Self.stage(
                [try Self.surround(), Programme(name: "talk", layout: try .named("mono"))],
                poses: .fixed(Rotation(yaw: 0.7)))
            return render(renderer, Self.inputs(7, frames: 30_720), periods: periods) { done in
                PeriodTime(restart: done == 0)
            } between: { done in
                if done == 2048 { renderer.programmes[0].change { $0.mode = .off } }
                if done == 4096 { renderer.programmes[0].change { $0.mode = .fixed } }
                if done == 8192 { renderer.programmes[1].change { $0.level = 0.25 } }
                if done == 10_240 {
                    renderer.programmes[1].change { $0.place = Rotation<Stage, Stage>(yaw: 1).quaternion }
                }
                if done == 20_480 { renderer.programmes[0].change { $0.mode = .tracked } }
            }
        }
        let whole = try ears([2048])
        #expect(try ears([64]).isIdentical(to: whole))
        #expect(try ears([256, 1024, 768]).isIdentical(to: whole))
        #expect(try ears([16, 48, 100, 60, 800]).error(against: whole) < -120)
    }

    @Test func aStageThatIsOffIsTheFoldDownInTimeWithTheStage() throws {
        let programme = try Self.surround()
        let inputs = Self.inputs(6)
        let renderer = try Self.stage([programme], mode: .off)
        let ears = render(renderer, inputs, periods: [256])
        let delay = Int(sphere.onsetFrames.rounded())
        let fold = programme.layout.stereoFoldDown
        for i in stride(from: delay, to: 9600, by: 7) {
            var (left, right) = (Float(0), Float(0))
            for channel in 0..<6 {
                left += fold[channel].left * inputs[channel][i - delay]
                right += fold[channel].right * inputs[channel][i - delay]
            }
            #expect(abs(ears.left[i] - left) < 1e-5 && abs(ears.right[i] - right) < 1e-5)
        }
        #expect(ears.left[..<delay].allSatisfy { $0 == 0 })
        #expect(!renderer.programmes[0].state.isSpatializing)
    }

    @Test func musicInStereoStaysStereoUntilAskedAndSurroundIsPlaced() throws {
        let stereo = Programme(layout: try .named("stereo"), content: .audio)
        let renderer = try Self.stage([stereo])
        _ = render(renderer, Self.inputs(2), periods: [256])
        #expect(!renderer.programmes[0].state.isSpatializing)
        renderer.programmes[0].change { $0.policy = .everything }
        _ = render(renderer, Self.inputs(2), periods: [256])
        #expect(renderer.programmes[0].state.isSpatializing)
        let surround = try Self.stage([Programme(layout: try .named("5.1"), content: .audio)])
        _ = render(surround, Self.inputs(6), periods: [256])
        #expect(surround.programmes[0].state.isSpatializing)
    }

    @Test func aFixedStageTurnsWithTheHeadAndATrackedOneDoesNot() throws {
        let inputs = Self.inputs(6)
        let turned = PoseSource.fixed(Rotation(yaw: 1))
        let front = render(try Self.stage([try Self.surround()]), inputs, periods: [256])
        let fixed = render(try Self.stage([try Self.surround()], poses: turned, mode: .fixed), inputs, periods: [256])
        let tracked = render(try Self.stage([try Self.surround()], poses: turned), inputs, periods: [256])
        #expect(fixed.isIdentical(to: front))
        #expect(tracked.error(against: front) > -20)
    }

    @Test func aPlaceTurnsTheProgramme() throws {
        let angle = Double.pi / 3
        let inputs = Self.inputs(6)
        let placed = Programme(layout: try .named("5.1"), place: Rotation(yaw: angle))
        let ears = render(try Self.stage([placed]), inputs, periods: [256])
        // A stage turned to the left sounds as with the head turned to the right.
        let turned = render(
            try Self.stage([try Self.surround()], poses: .fixed(Rotation(yaw: -angle))), inputs, periods: [256])
        #expect(ears.error(against: turned) < -100)
    }

    /// Returns a programme of stereo alone, upmixed to 5.1.
    static func opened(_ latency: UpmixLatency, isMono: Bool = false) throws -> Programme {
        Programme(
            layout: try .named("5.1"), hasMultichannelRendition: false, hasStereoRendition: true, isMono: isMono,
            upmix: UpmixPlan(latency: latency))
    }

    @Test(arguments: [UpmixLatency.live, .player]) func openedStereoIsTheSameHoweverItIsCut(
        _ latency: UpmixLatency
    ) throws {
        func ears(_ periods: [Int]) throws -> Ears {
            let renderer = try Self.stage([try Self.opened(latency)], poses: .fixed(Rotation(yaw: 0.7)))
            return render(renderer, Self.inputs(2, frames: 30_720), periods: periods) { done in
                PeriodTime(restart: done == 0)
            } between: { done in
                if done == 10_240 { renderer.programmes[0].change { $0.upmix.isOn = false } }
                if done == 20_480 { renderer.programmes[0].change { $0.upmix.isOn = true } }
            }
        }
        let whole = try ears([2048])
        #expect(try ears([64]).isIdentical(to: whole))
        #expect(try ears([256, 1024, 768]).isIdentical(to: whole))
    }

    @Test(arguments: [UpmixLatency.live, .player]) func openedStereoPastTheStageIsTheStereoItself(
        _ latency: UpmixLatency
    ) throws {
        let inputs = Self.inputs(2)
        let renderer = try Self.stage([try Self.opened(latency)], mode: .off)
        let ears = render(renderer, inputs, periods: [256])
        let own = renderer.programmes[0].latencyFrames
        #expect(own == renderer.latencyFrames && own > 0)
        // Of these, 8 frames belong to the colour filters.
        #expect(own <= (latency == .live ? 96 : 2048) + 8)
        let delay = own + Int(sphere.onsetFrames.rounded())
        for i in stride(from: delay, to: 9600, by: 7) {
            #expect(abs(ears.left[i] - inputs[0][i - delay]) < 1e-5)
            #expect(abs(ears.right[i] - inputs[1][i - delay]) < 1e-5)
        }
    }

    @Test func whatIsInTheMiddleMovesToTheCentreAndOneChannelStandsThere() throws {
        let common = noise(48_000)
        func centreShare(_ programme: Programme, _ inputs: [[Float]]) throws -> Double {
            let renderer = try Self.stage([programme])
            let stage = renderer.programmes[0].handle
            var (centre, all) = (0.0, 0.0)
            _ = render(renderer, inputs, periods: [64]) {
                PeriodTime(restart: $0 == 0)
            } between: { done in
                guard done > 24_000 else { return }
                for feed in 0..<6 {
                    for i in 0..<64 {
                        let power = Double(stage.pointee.feeds[feed][i]) * Double(stage.pointee.feeds[feed][i])
                        all += power
                        if feed == 2 { centre += power }
                    }
                }
            }
            return centre / all
        }
        #expect(try centreShare(try Self.opened(.player), [common, common]) > 0.95)
        #expect(try centreShare(try Self.opened(.player, isMono: true), [common]) > 0.95)
        #expect(try centreShare(try Self.opened(.player), [common, noise(48_000, seed: 9)]) < 0.1)
    }

    /// After a change during a steady tone no more is left outside the tone than a fade produces by its shape.
    @Test(arguments: 0..<5) func changesDoNotClick(_ change: Int) throws {
        let frames = 48_000
        let renderer = try Self.stage([try Self.surround()], poses: .fixed(Rotation(yaw: 0.8)))
        let tone = sine(1000, frames)
        let silence = [Float](repeating: 0, count: frames)
        let ears = render(renderer, [tone, silence, silence, silence, tone, silence], periods: [256]) { done in
            PeriodTime(restart: done == 0)
        } between: { done in
            guard done == 24_064 else { return }
            renderer.programmes[0].change {
                switch change {
                case 0: $0.mode = .off
                case 1: $0.mode = .fixed
                case 2: $0.level = 0
                case 3: $0.policy = .nothing
                default: $0.place = Rotation<Stage, Stage>(yaw: 2).quaternion
                }
            }
        }
        // A 1 kHz tone's second difference is (2 sin(π·f/fs))² times its level; a click exceeds it by far.
        let (steady, level) = Self.sharpest(ears.left, 3000..<20_000)
        let (all, loudest) = Self.sharpest(ears.left, 24_000..<46_000)
        #expect(all <= steady * max(1, loudest / level) * 1.15)
    }

    /// Returns the largest second difference and the largest magnitude.
    private static func sharpest(_ x: [Float], _ range: Range<Int>) -> (bend: Float, peak: Float) {
        var (bend, peak): (Float, Float) = (0, 0)
        for i in range {
            let difference: Float = x[i + 1] - 2 * x[i] + x[i - 1]
            bend = max(bend, abs(difference))
            peak = max(peak, abs(x[i]))
        }
        return (bend, peak)
    }

    @Test func aStageCarriesNoMoreProgrammesThanItCan() throws {
        let one = Programme(layout: try .named("mono"))
        #expect(throws: RenderingError.tooManyProgrammes(9, most: 8)) {
            _ = try Self.stage([Programme](repeating: one, count: 9))
        }
    }
}
