import Foundation
import Loading
import Signal
import SoundFixtures
import Stages
import Testing

@testable import HRTF
@testable import Session

/// Files that end or block the process that reads them, while a session plays.
@Suite(.timeLimit(.minutes(10))) struct LiveReadingTests {
    private let scratch: Scratch
    /// A file that begins as HDF5 does, so that the SOFA reader gets it.
    private let file: String

    init() throws {
        scratch = try Scratch()
        file = scratch("hostile.sofa")
        try Data([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]).write(to: URL(fileURLWithPath: file))
    }

    /// Returns a session with a sphere's filters; `script` reads its files instead of the program.
    private func rig(_ script: String, patience: Double = 60) async throws -> LiveRig {
        let sphere = FilterField.sphere(sampleRate: .studio)
        let sets = LiveRig.Sets { settings, rate, says throws(SessionError) in
            if settings.hrtf == nil { return (field: sphere, report: HRTFReport.sphere(at: rate)) }
            return try StageAssembly.set(settings, sampleRate: rate, says: says)
        }
        let rig = try await LiveRig(
            {
                $0.stage.reader = ChildReader(
                    program: "/bin/sh", words: ["-c", script, "sh"], patience: (patience, patience))
            }, sets: sets)
        try await rig.patch()
        return rig
    }

    @Test func `A set, a room and headphones whose reader dies are refused, and the sound is what it was`() async throws
    {
        let (rig, same) = (try await rig("kill -SEGV $$"), try await rig("kill -SEGV $$"))
        #expect(rig.play(seconds: 0.2) == same.play(seconds: 0.2))
        for name in ["hrtf", "room-name", "headphone-eq-file"] {
            let reason = await rig.refusal(of: try .set(name, file)) ?? "nothing"
            #expect(reason.contains("signal 11 (segmentation fault) ended it") && reason.contains(file), "\(reason)")
            #expect(reason.hasSuffix("the former stage continues to play"))
        }
        let (left, kept) = (rig.play(seconds: 0.3, seed: 3), same.play(seconds: 0.3, seed: 3))
        #expect(left == kept && LiveRig.level(left) > -60)
        // Everything else goes on.
        await rig.done(try .set("level", "-6", of: "main"))
        try await rig.live.end()
        try await same.live.end()
    }

    @Test func `While a reader hangs commands are answered, and it is given up in time`() async throws {
        let rig = try await rig("sleep 1000", patience: 1)
        let asking = Task { await rig.refusal(of: try .set("hrtf", file)) }
        await rig.done(try .set("level", "-6", of: "main"))
        #expect(LiveRig.level(rig.play(seconds: 0.2)) > -70)
        let reason = try await asking.value
        #expect(reason?.contains("it sent no message for 1 s") == true)
        try await rig.live.end()
    }
}
