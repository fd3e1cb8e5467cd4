import Capture
import Foundation
import Geometry
import Loading
import Offline
import Signal
import SoundFixtures
import Soundstage
import Stages
import Testing
@testable import Preview

@testable import AudioIO
@testable import Session

/// Takes of a device that turned, played so that the world stands still.
@Suite struct SteadiedProgrammeTests {
    private static let rate = 48_000.0
    /// Where the source is in the world, whose front is where the device pointed at first.
    private static let source = Direction<World>(azimuthDegrees: 40, elevationDegrees: 10)
    /// The heading of the device at first.
    private static let heading = 0.3

    private static func turn(_ time: Double) -> Quaternion {
        let share = 0.5 - 0.5 * cos(.pi * max(0, min(1, time - 0.5)))
        return Quaternion(yaw: heading + share * .pi / 2, pitch: 0, roll: 0.2 * share)
    }

    /// Writes what a device hears of a source of 1 kHz over two seconds, while it turns by 90° or stands.
    private func write(_ path: String, turns: Bool) throws {
        let frames = Int(2 * Self.rate)
        let block = PlanarBlock(channels: 4, frames: frames)
        for i in 0..<frames {
            let time = Double(i) / Self.rate
            let world = Quaternion(yaw: Self.heading, pitch: 0, roll: 0).rotate(Self.source.unit)
            let seen = (turns ? Self.turn(time) : Quaternion(yaw: Self.heading, pitch: 0, roll: 0)).conjugate.rotate(
                world)
            let sound = 0.3 * sin(2 * .pi * 1000 * time) + 0.1 * sin(2 * .pi * 3700 * time)
            for (channel, gain) in [1, seen.y, seen.z, seen.x].enumerated() { block[channel][i] = Float(sound * gain) }
        }
        let writer = try SoundFileWriter(path: path, channels: 4, sampleRate: .studio, fieldOrder: 1)
        try writer.write(block, frames: frames)
        try writer.finish()
        guard turns else { return }
        let rows = (0...200).map { step -> String in
            let q = Self.turn(Double(step) / 100)
            return "\(Double(step) / 100),\(q.w),\(q.x),\(q.y),\(q.z)\n"
        }
        try Data(("t,w,x,y,z\n" + rows.joined()).utf8).write(
            to: URL(fileURLWithPath: CaptureNames.orientation(path)))
    }

    private func stage(_ mode: SteadyMode?) -> StageSettings {
        var stage = StageSettings(hrtf: "generated")
        stage.programmes.steady = mode
        return stage
    }

    /// Degrees between the source and the direction of the sound in 50 ms from a frame on.
    private func error(_ field: [[Float]], at frame: Int) -> Double {
        var sum = SIMD3<Double>()
        for i in frame..<(frame + 2400) {
            sum += Double(field[0][i]) * SIMD3(Double(field[3][i]), Double(field[1][i]), Double(field[2][i]))
        }
        let cosine = (sum * Self.source.unit).sum() / (sum * sum).sum().squareRoot()
        return acos(max(-1, min(1, cosine))) * 180 / .pi
    }

    @Test func processHoldsTheWorldAndLeavesTheDevice() throws {
        let folder = try Scratch()
        try write(folder("take.wav"), turns: true)
        func process(_ mode: SteadyMode?) throws -> (field: [[Float]], report: ProcessReport) {
            let report = try OfflineSession.process(
                ProcessSettings(
                    stage: stage(mode), input: folder("take.wav"), output: folder("out.wav"), target: "ambi1",
                    written: .replacing),
                progress: { _ in true })
            return (try WholeSound.read(folder("out.wav")), report)
        }
        let (held, report) = try process(.hold)
        #expect(report.remarks.contains { $0.contains("held to the world by") && $0.contains("orientation.csv") })
        // What comes of it says that it is a sound field, as the take does.
        #expect(!report.remarks.contains { $0.contains("not kept") })
        #expect(try InputProgramme(folder("out.wav"), StageSettings(), order: nil).layout.name == "ambi1")
        let worst = stride(from: 0, to: 93_000, by: 2400).map { error(held, at: $0) }.max() ?? 180
        print("steady: world held while the device turns by 90°: \(worst)° at most")
        #expect(worst <= 0.05)
        #expect(try process(.follow).field == WholeSound.read(folder("take.wav")))
        #expect(error(try process(nil).field, at: 90_000) > 80)
    }

    @Test func theEarsHearWhatADeviceThatStoodStillWouldHaveHeard() throws {
        let folder = try Scratch()
        try write(folder("take.wav"), turns: true)
        try write(folder("still.wav"), turns: false)
        func ears(_ name: String, _ mode: SteadyMode?) throws -> [[Float]] {
            _ = try OfflineSession.render(
                RenderSettings(
                    stage: stage(mode), input: folder(name), output: folder("ears.wav"), written: .replacing),
                progress: { _ in true })
            return try WholeSound.read(folder("ears.wav"))
        }
        let (held, still) = (try ears("take.wav", .hold), try ears("still.wav", nil))
        for ear in 0..<2 {
            var (difference, power) = (0.0, 0.0)
            for (a, b) in zip(held[ear], still[ear]) {
                difference += Double(a - b) * Double(a - b)
                power += Double(b) * Double(b)
            }
            let decibels = 10 * log10(difference / power)
            print("steady: ears held against ears of a device that stood still: \(decibels) dB")
            // A tracker of 100 Hz and slices of 64 frames are all that is between them.
            #expect(decibels <= -50)
        }
    }

    @Test func bakeAndPreviewHoldItToo() throws {
        let folder = try Scratch()
        try write(folder("take.wav"), turns: true)
        _ = try OfflineSession.bake(
            BakeSettings(stage: stage(.hold), input: folder("take.wav"), output: folder("baked.wav")),
            progress: { _ in true })
        #expect(error(try WholeSound.read(folder("baked.wav")), at: 90_000) <= 0.5)
        let list = try PreviewList(
            PreviewSettings(live: LiveSettings(stage: stage(.hold)), files: [folder("take.wav")]))
        // As the player reads it: to its end, and from places within the turn on that are no multiples of anything.
        let file = try PlaybackFile(list.entries[0], rate: .studio)
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: 4 * 5000)
        defer { samples.deallocate() }
        func rest() throws -> [[Float]] {
            var field = [[Float]](repeating: [], count: 4)
            while case let count = try file.read(into: samples, frames: 5000), count > 0 {
                for channel in 0..<4 { field[channel] += (0..<count).map { samples[4 * $0 + channel] } }
            }
            return field
        }
        let whole = try rest()
        for frame in stride(from: 0, to: 93_000, by: 2400) { #expect(error(whole, at: frame) <= 0.5) }
        for place in [50_021, 30_007, 71_999, 0] {
            try file.seek(to: place)
            // Somewhere in between, as a player that is told to go elsewhere.
            _ = try file.read(into: samples, frames: 1234)
            try file.seek(to: place)
            let field = try rest()
            for channel in 0..<4 { #expect(field[channel] == Array(whole[channel][place...])) }
            #expect(error(field, at: 0) <= 0.5)
        }
        // At another rate than the file's the direction is as true, right after the seek.
        let converted = try PlaybackFile(list.entries[0], rate: .cd)
        for seconds in [0.7, 1.3, 0.9] {
            try converted.seek(to: Int(seconds * 44_100))
            let count = try converted.read(into: samples, frames: 2400)
            let field = (0..<4).map { channel in (0..<count).map { samples[4 * $0 + channel] } }
            #expect(count == 2400 && error(field, at: 0) <= 0.5)
        }
    }

    @Test func whatIsNoTakeOrNoFieldIsSaid() throws {
        let folder = try Scratch()
        try write(folder("still.wav"), turns: false)
        func refusal(_ stage: StageSettings) -> String {
            let error = #expect(throws: SessionError.self) {
                try OfflineSession.process(
                    ProcessSettings(
                        stage: stage, input: folder("still.wav"), output: folder("out.wav"), target: "ambi1"),
                    progress: { _ in true })
            }
            return error?.description ?? ""
        }
        #expect(refusal(stage(.hold)).contains("still.wav.orientation.csv: there is no such file; --steady needs"))
        var quad = stage(.level)
        quad.layout = "quad"
        #expect(refusal(quad).contains("--steady turns a sound field"))
        try Data("t,w,x,y,z\n0,1,0,0,0\n1,0,0,0\n".utf8).write(
            to: URL(fileURLWithPath: CaptureNames.orientation(folder("still.wav"))))
        #expect(refusal(stage(.hold)).contains("line 3 has 4 fields"))
        #expect(!FileManager.default.fileExists(atPath: folder("out.wav")))
    }
}
