import Capture
import Foundation
import Loading
import Offline
import SoundFixtures
import Soundstage
import Stages
import Testing
import TurnedTakes

/// Takes of a device that turned, played so that the world stands still.
@Suite struct SteadiedProgrammeTests {
    private func stage(_ mode: SteadyMode?) -> StageSettings {
        var stage = StageSettings(hrtf: "generated")
        stage.programmes.steady = mode
        return stage
    }

    @Test func processHoldsTheWorldAndLeavesTheDevice() throws {
        let folder = try Scratch()
        try TurnedTake.write(folder("take.wav"), turns: true)
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
        // The output is marked as a sound field, as the take is.
        #expect(!report.remarks.contains { $0.contains("not kept") })
        #expect(try InputProgramme(folder("out.wav"), StageSettings(), order: nil).layout.name == "ambi1")
        let worst = stride(from: 0, to: 93_000, by: 2400).map { TurnedTake.degrees(held, at: $0) }.max() ?? 180
        print("steady: world held while the device turns by 90°: \(worst)° at most")
        #expect(worst <= 0.05)
        #expect(try process(.follow).field == WholeSound.read(folder("take.wav")))
        #expect(TurnedTake.degrees(try process(nil).field, at: 90_000) > 80)
    }

    @Test func theEarsHearWhatADeviceThatStoodStillWouldHaveHeard() throws {
        let folder = try Scratch()
        try TurnedTake.write(folder("take.wav"), turns: true)
        try TurnedTake.write(folder("still.wav"), turns: false)
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
            // The difference is due only to the tracker's rate of 100 Hz and to slices of 64 frames.
            #expect(decibels <= -50)
        }
    }

    @Test func bakeHoldsItToo() throws {
        let folder = try Scratch()
        try TurnedTake.write(folder("take.wav"), turns: true)
        _ = try OfflineSession.bake(
            BakeSettings(stage: stage(.hold), input: folder("take.wav"), output: folder("baked.wav")),
            progress: { _ in true })
        #expect(TurnedTake.degrees(try WholeSound.read(folder("baked.wav")), at: 90_000) <= 0.5)
    }

    @Test func whatIsNoTakeOrNoFieldIsSaid() throws {
        let folder = try Scratch()
        try TurnedTake.write(folder("still.wav"), turns: false)
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
