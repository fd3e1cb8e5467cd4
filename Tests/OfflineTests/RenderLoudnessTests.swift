import AudioIO
import Foundation
import Geometry
import HRTF
import Loading
import LoudnessFixtures
import Metering
import Offline
import Rendering
import Signal
import Soundstage
import Stages
import Testing

@Suite struct RenderLoudnessTests {
    /// Makes a folder with a stereo file. Returns its path.
    private func folder(_ channels: [[Float]]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "loudness-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let block = PlanarBlock(channels: channels.count, frames: channels[0].count)
        for (index, samples) in channels.enumerated() { for i in samples.indices { block[index][i] = samples[i] } }
        let writer = try SoundFileWriter(
            path: folder + "/mix.wav", channels: channels.count, sampleRate: .studio)
        try writer.write(block, from: 0, frames: channels[0].count)
        try writer.finish()
        return folder
    }

    private func render(_ folder: String, _ dynamics: DynamicsSettings = DynamicsSettings()) throws -> RenderReport {
        let stage = StageSettings(
            hrtf: "generated", limiter: .off, programmes: ProgrammeSettings(dynamics: dynamics))
        return try OfflineSession.render(
            RenderSettings(stage: stage, input: folder + "/mix.wav", output: folder + "/ears.wav", written: .replacing),
            progress: { _ in true })
    }

    @Test func aRenderReportsTheLoudnessOfInputAndEarsAndFollowsMetadata() throws {
        let sine = TestSignal.sine([(-23, 4)], sampleRate: .studio)
        let folder = try folder([sine, sine])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let plain = try render(folder)
        #expect(abs((plain.loudness.integrated ?? 0) + 23) < 0.1 && plain.levels.isEmpty)
        let ears = try #require(plain.earLoudness.integrated)
        // Dialogue at −25 is brought to −31: the output is 6 dB lower, and the reading of the input is unchanged.
        let quieter = try render(folder, DynamicsSettings(dialnorm: -25))
        #expect(abs((quieter.earLoudness.integrated ?? 0) - ears + 6) < 0.05)
        #expect(quieter.loudness.integrated == plain.loudness.integrated && quieter.levels.count == 1)
        try Data("{\"loudness\": -23, \"drc\": \"none\"}".utf8).write(to: URL(filePath: folder + "/mix.wav.json"))
        let targeted = try render(folder, DynamicsSettings(target: .loudness(-20)))
        #expect(abs((targeted.earLoudness.integrated ?? 0) - ears - 3) < 0.05)
        #expect(abs((try render(folder).earLoudness.integrated ?? 0) - ears) < 1e-9)
        try Data("{\"loud\": -23}".utf8).write(to: URL(filePath: folder + "/mix.wav.json"))
        #expect(throws: SessionError.self) { try render(folder) }
    }

    @Test func aMeasuredFileKeepsItsFiguresBesideIt() throws {
        let sine = TestSignal.sine([(-20, 4)], sampleRate: .studio)
        let folder = try folder([sine, sine])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = folder + "/mix.wav"
        let found = try LoudnessMeasurement(file: file, stage: StageSettings(), order: nil) { _ in true }
        #expect(found.layout == "stereo" && found.frames == sine.count)
        #expect(abs((found.loudness.integrated ?? 0) + 20) < 0.1 && abs((found.loudness.truePeak ?? 0) + 20) < 0.1)
        #expect(try found.save() == file + ".json")
        let kept = try #require(try ProgrammeMetadata.beside(file: file))
        #expect(abs((kept.loudness ?? 0) + 20) < 0.1 && kept.drc == nil)
        #expect(throws: SessionError.self) {
            try LoudnessMeasurement(file: file, stage: StageSettings(), order: nil) { _ in false }
        }
    }
}

/// The output limiter, measured with the meter of the session.
@Suite struct GuardedPeakTests {
    /// Ten seconds of noise, half of them 6 dB louder; one second of the other signals.
    @Test(
        arguments: [
            "white noise", "normal noise", "pink noise", "quarter of the rate", "square", "clicks", "steps",
            "almost half the rate",
        ], [44_100.0, 48_000])
    func nothingPassesTheLookaheadGuardAboveItsCeilingByLibebur128(_ name: String, _ hertz: Double) throws {
        let rate = try #require(SampleRate(hertz: hertz))
        let count = Int(hertz) * (name.hasSuffix("noise") ? 10 : 1)
        var state: UInt64 = 7
        func uniform() -> Float {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Float(Int32(truncatingIfNeeded: state >> 32)) / 2_147_483_648
        }
        // Box and Muller, Ann. Math. Stat. 29, 1958.
        func normal() -> Float { (-2 * log(abs(uniform()) + 1e-9)).squareRoot() * cos(.pi * uniform()) }
        // Three poles that fall by 3 dB per octave within 0.5 dB (P. Kellet's economy filter).
        var poles: SIMD3<Float> = .zero
        func pink() -> Float {
            let white = normal()
            poles = poles * SIMD3(0.99765, 0.963, 0.57) + SIMD3(0.099046, 0.2965164, 1.0526913) * white
            return 0.25 * (poles.sum() + 0.1848 * white)
        }
        let x: [Float] = (0..<count).map { i in
            let hot: Float = 2 * i < count ? 1 : 2
            return switch name {
            case "white noise": hot * uniform()
            case "normal noise": hot * 0.5 * normal()
            case "pink noise": hot * pink()
            case "quarter of the rate": [1.38, 1.38, -1.38, -1.38][i % 4]
            case "square": (i / 24) % 2 == 0 ? 2 : -2
            case "clicks": i % 701 == 0 ? 4 : 0.1
            case "steps": (i / 900) % 2 == 0 ? 2 : -2
            default: Float(1.5 * cos(.pi * 0.98 * Double(i)))
            }
        }
        let source = SourcePlacement(
            direction: Direction(azimuthDegrees: 0, elevationDegrees: 0), motion: .direct(left: 1, right: 0.5))
        let renderer = try StageRenderer(
            StageConfiguration(sampleRate: rate, sources: [source], trim: Decibels(0), outputGuard: .lookahead),
            field: .impulse(sampleRate: rate), poses: .mailbox)
        let input = PlanarBlock(channels: 1, frames: 1024)
        let ears = PlanarBlock(channels: 2, frames: 1024)
        let meter = LibraryMeter(sampleRate: rate, weights: [1, 1])
        let inputs = UnsafeRawPointer(input.pointers).assumingMemoryBound(to: UnsafePointer<Float>.self)
        var done = 0
        while done + 1024 <= count {
            for i in 0..<1024 { input[0][i] = x[done + i] }
            renderer.handle.pointee.process(
                inputs: inputs, outputs: ears.pointers, frames: 1024,
                time: PeriodTime(restart: done == 0, live: false, heardAt: 0))
            meter.add(ears, from: 0, frames: 1024)
            done += 1024
        }
        let peak = try #require(meter.read().truePeak)
        // The ceiling is −1 dBTP.
        #expect(peak <= -1 + 0.1 && peak > -3, "\(name): \(peak) dBTP")
    }
}
