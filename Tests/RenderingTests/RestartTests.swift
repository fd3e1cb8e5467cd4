import Geometry
import HRTF
import Signal
import Testing

@testable import Rendering

@Suite struct RestartTests {
    @Test(arguments: [OutputGuard.off, .instant, .lookahead], [64, 100])
    func afterSilenceARestartEqualsAFreshRenderer(_ outputGuard: OutputGuard, _ period: Int) throws {
        let sources = Array(sevenOneFour.prefix(6))
        let inputs = sources.indices.map { noise(6400, seed: UInt64($0)) }
        let poses = try turning(degreesPerSecond: 150, seconds: 1)
        func make() throws -> StageRenderer {
            try stage(sources, poses: poses, outputGuard: outputGuard, trim: Decibels(6))
        }
        let fresh = render(try make(), inputs, periods: [period])
        // Silence first, so that the restart falls within a slice and within the motion.
        let waited = 6 * period
        let padded = inputs.map { [Float](repeating: 0, count: waited) + $0 }
        let restarted = render(
            try make(), padded, periods: [period], time: { PeriodTime(restart: $0 == waited) })
        let after = Ears(left: Array(restarted.left[waited...]), right: Array(restarted.right[waited...]))
        #expect(after.isIdentical(to: fresh))
    }

    @Test(arguments: [OutputGuard.off, .instant, .lookahead])
    func aRestartWhileSoundingFadesTheOldSoundAndIsThenAFreshRenderer(_ outputGuard: OutputGuard) throws {
        let source = Array(sevenOneFour.prefix(1))
        let tone = sine(200, 9600)
        let poses = try turning(degreesPerSecond: 150, seconds: 1)
        let restart = 4800 + 37
        func make() throws -> StageRenderer { try stage(source, poses: poses, outputGuard: outputGuard) }
        // After the restart the input is silent: only the end of the old sound remains.
        let input = [Array(tone[..<restart]) + [Float](repeating: 0, count: 4800)]
        let ears = render(try make(), input, periods: [restart, 100], time: { PeriodTime(restart: $0 == restart) })
        var step: Float = 0
        for i in 1000..<input[0].count { step = max(step, abs(ears.left[i] - ears.left[i - 1])) }
        // A 200 Hz tone of this level changes by 0.013 per frame; a break would be a step of up to 0.5.
        #expect(step < 0.02)
        for i in restart + 200..<input[0].count { #expect(ears.left[i] == 0 && ears.right[i] == 0) }
        // With sound on both sides, the output has the fresh renderer's bits once the old sound has faded.
        let both = [Array(tone[..<restart]) + noise(4800)]
        let again = render(try make(), both, periods: [restart, 100], time: { PeriodTime(restart: $0 == restart) })
        let fresh = render(try make(), [noise(4800)], periods: [100, restart])
        for i in 72..<4800 where outputGuard == .off {
            #expect(again.left[restart + i] == fresh.left[i] && again.right[restart + i] == fresh.right[i])
        }
        let tail = Ears(left: Array(again.left[(restart + 72)...]), right: Array(again.right[(restart + 72)...]))
        let wanted = Ears(left: Array(fresh.left[72...]), right: Array(fresh.right[72...]))
        #expect(tail.error(against: wanted) < -60)
    }

    @Test(arguments: [64, 256]) func aNewFieldFadesInAndTheOldOneIsFreed(_ slice: Int) throws {
        let sources = Array(sevenOneFour.prefix(6))
        let inputs = sources.indices.map { noise(4096, seed: UInt64($0)) }
        let renderer = try stage(sources, slice: slice)
        let other = FilterField.sphere(sampleRate: .studio, earAzimuthDegrees: 80)
        let swapped = render(
            renderer, inputs, periods: [64],
            between: { if $0 == 2048 { try? renderer.publish(field: other) } })
        let old = render(try stage(sources, slice: slice), inputs, periods: [64])
        let new = render(try stage(sources, slice: slice, field: other), inputs, periods: [64])
        #expect(swapped.error(against: old, in: 0..<2048) == -.infinity)
        // The first fade is linear from the old field's sound to the new one's.
        let fade = 128
        #expect(swapped.error(against: new, in: 2048 + max(slice, fade)..<4096) < -120)
        for i in 0..<fade {
            let w = Float(i) / Float(fade)
            let wanted = old.left[2048 + i] * (1 - w) + new.left[2048 + i] * w
            #expect(abs(swapped.left[2048 + i] - wanted) < 2e-5)
        }
        #expect(renderer.heldFieldCount == 1)
    }

    @Test func fieldsOfOtherLengthsSwapBothWays() throws {
        let source = Array(sevenOneFour.prefix(2))
        let inputs = source.indices.map { noise(4096, seed: UInt64($0)) }
        let short = FilterField.impulse(sampleRate: .studio)
        let renderer = try stage(source, field: short, outputGuard: .off)
        let swapped = render(
            renderer, inputs, periods: [100],
            between: {
                if $0 == 1000 { try? renderer.publish(field: sphere) }
                if $0 == 3000 { try? renderer.publish(field: short) }
            })
        let impulse = render(try stage(source, field: short), inputs, periods: [64])
        let long = render(try stage(source), inputs, periods: [64])
        #expect(swapped.error(against: impulse, in: 0..<1000) < -110)
        // The sphere also filters the input from before the swap: the fields share the history.
        #expect(swapped.error(against: long, in: 1152..<3000) < -110)
        #expect(swapped.error(against: impulse, in: 3200..<4096) < -110)
        #expect(renderer.heldFieldCount == 1)
    }

    @Test func onlyTheLastOfSeveralFieldsPublishedAtOnceIsTaken() throws {
        let renderer = try stage(Array(sevenOneFour.prefix(1)))
        for _ in 0..<5 { try renderer.publish(field: sphere) }
        #expect(renderer.heldFieldCount == 2)
        _ = render(renderer, [noise(640)], periods: [64])
        #expect(renderer.heldFieldCount == 1)
    }

    @Test func stagesThatCannotBeRenderedSayWhy() throws {
        func refusal(_ change: (inout StageConfiguration) -> Void) -> RenderingError? {
            var configuration = StageConfiguration(sampleRate: .studio, sources: Array(sevenOneFour.prefix(2)))
            change(&configuration)
            do throws(RenderingError) {
                _ = try StageRenderer(configuration, field: sphere, poses: .mailbox)
                return nil
            } catch {
                #expect(!error.description.isEmpty)
                return error
            }
        }
        #expect(refusal { _ in } == nil)
        #expect(refusal { $0.slice = 96 } == .unsupportedSlice(96))
        #expect(refusal { $0.fadeFrames = 16 } == .unsupportedFade(frames: 16, slice: 64))
        #expect(refusal { $0.sampleRate = .cd } == .rateMismatch(filters: .studio, session: .cd))
        #expect(refusal { $0.trim = Decibels(.nan) } != nil)
        #expect(refusal { $0.sources[1].gain = .nan } == .unusableSource(index: 1))
        #expect(refusal { $0.sources[0].direction = Direction(unit: SIMD3(0, 0, 0)) } == .unusableSource(index: 0))
        #expect(
            refusal { $0.sources = [SourcePlacement](repeating: $0.sources[0], count: 65) }
                == .tooManySources(65, most: 64))
        let renderer = try stage(Array(sevenOneFour.prefix(1)))
        #expect(throws: RenderingError.rateMismatch(filters: .cd, session: .studio)) {
            try renderer.publish(field: .impulse(sampleRate: .cd))
        }
    }
}
