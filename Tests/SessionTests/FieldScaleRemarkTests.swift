import AudioIO
import AudioInMemory
import AudioMix
import Comparing
import Desk
import FieldScenes
import Listening
import Loading
import Metering
import Offline
import Signal
import SoundFixtures
import Soundstage
import Stages
import Testing
import Waiting

@testable import Session

/// A sound field in another scale than the one stated gives a remark where it plays, and where its file is opened.
@Suite(.timeLimit(.minutes(10))) struct FieldScaleRemarkTests {
    /// Twelve seconds of three sounds around the listener, in AmbiX.
    private static let scene: [[Float]] = {
        var scene = FieldScene(frames: 576_000)
        for (seed, azimuth) in [(3, 20.0), (5, -100), (8, 150)] {
            scene.add(LiveRig.noise(576_000, seed: UInt64(seed)), elevation: azimuth / 5) { _ in azimuth }
        }
        return scene.rows
    }()

    /// Returns the scene in another convention.
    private static func written(_ convention: AmbisonicFormat.Convention) throws -> [[Float]] {
        let format = try AmbisonicFormat(order: 1, convention: convention)
        return (0..<4).map { channel in
            let place = format.place(ofChannel: channel)
            return scene[place.acn].map { $0 / Float(place.gain) }
        }
    }

    private static func write(_ convention: AmbisonicFormat.Convention, to path: String) throws {
        let rows = try written(convention)
        let block = PlanarBlock(channels: 4, frames: rows[0].count)
        for channel in 0..<4 { for i in rows[0].indices { block[channel][i] = rows[channel][i] } }
        let writer = try SoundFileWriter(path: path, channels: 4, sampleRate: .studio)
        try writer.write(block, frames: rows[0].count)
        try writer.finish()
    }

    /// Plays the scene in a convention to a session that is set to SN3D.
    private static func play(_ convention: AmbisonicFormat.Convention, mixes: Bool) async throws -> LiveRig {
        let rig = try await LiveRig {
            $0.stage.layout = "ambi1"
            if mixes { $0.stage.programmes.mix = .live }
        }
        // In freewheel the sound waits for the threads that read it.
        rig.server.setFreewheel(true)
        for (number, input) in ["ACN0", "ACN1", "ACN2", "ACN3"].enumerated() {
            try #require(rig.server.connect("daw:out_\(number + 1)", to: "proscenium:in_\(input)"))
        }
        try await play(convention, on: rig)
        return rig
    }

    private static func play(_ convention: AmbisonicFormat.Convention, on rig: LiveRig) async throws {
        for (channel, row) in try written(convention).enumerated() {
            rig.server.play(row, on: "daw:out_\(channel + 1)")
        }
        rig.server.run(seconds: 12)
        #expect(await eventually { await rig.live.status().loudness.map { $0.ears.seconds > 5 } ?? false })
        await rig.clock.advance(by: 0.1)
    }

    @Test(arguments: [false, true])
    func anotherScaleThatComesInIsToldOnceUntilItIsSaid(mixes: Bool) async throws {
        let rig = try await Self.play(.n3d, mixes: mixes)
        #expect(await eventually { await rig.live.status().programmes.last?.heardScale == "n3d" })
        await rig.clock.advance(by: 1)
        let notes = rig.said.notes.filter { $0.contains("as loud") }
        #expect(
            notes == [
                "main: W is as loud against the other channels as in N3D, not as in SN3D (AmbiX): if that is what it is, "
                    + "say --ambisonics n3d, here 'ctl ambisonics n3d'"
            ])
        // The ports are the same as before; the stated scale is not.
        await rig.change(try .set("ambisonics", "n3d"))
        #expect(await rig.live.status().programmes.last?.heardScale == nil)
        try await Self.play(.n3d, on: rig)
        #expect(await rig.live.status().programmes.last?.heardScale == nil)
        #expect(rig.said.notes.filter { $0.contains("as loud") }.count == 1)
        try await rig.live.end()
    }

    @Test func theScaleThatWasSaidIsNothingToTell() async throws {
        let rig = try await Self.play(.sn3d, mixes: false)
        #expect(await rig.live.status().programmes.last?.heardScale == nil)
        #expect(!rig.said.notes.contains { $0.contains("as loud") })
        try await rig.live.end()
    }

    @Test(arguments: AmbisonicFormat.Convention.allCases)
    func aFileIsListenedToBeforeItIsUsed(real: AmbisonicFormat.Convention) throws {
        let folder = try Scratch()
        try Self.write(real, to: folder("in.wav"))
        for said in AmbisonicFormat.Convention.allCases {
            let stage = StageSettings(layout: "ambi1", ambisonics: said)
            let remarks = try InputProgramme(folder("in.wav"), stage, order: nil).remarks
            #expect(remarks.contains { $0.hasSuffix("say --ambisonics \(real.rawValue)") } == (real != said))
            #expect(remarks.count == (real == said ? 0 : 1))
        }
    }

    @Test func aComparisonOfSetsTellsItAndTakesWhatIsSaid() throws {
        let folder = try Scratch()
        try Self.write(.fuma, to: folder("in.wav"))
        let same = DataFolders.share.map { $0 + "/HRTF/generated.sofa" } ?? ""
        let plan = try ListeningPlan(sets: ["generated", same], rounds: 1, seed: 4)
        func remarks(_ ambisonics: String?, to name: String) throws -> [String] {
            var programme = ListeningSheet.Programme(input: folder("in.wav"), layout: "ambi1")
            programme.ambisonics = ambisonics
            var told: [String] = []
            let settings = ComparisonSettings(plan: plan, programme: programme)
            let sheet = try BlindRenders.write(settings, to: folder(name), tell: { told.append($0) }) { _ in true }
            #expect(try ListeningSheet(contentsOf: sheet).programme.ambisonics == ambisonics)
            return told
        }
        #expect(try remarks(nil, to: "as-ambix").map { $0.hasSuffix("say --ambisonics fuma") } == [true])
        #expect(try remarks("fuma", to: "as-fuma") == [])
        #expect(throws: SessionError.self) { try remarks("furse", to: "as-nothing") }
        // The stated convention applies. The channels of FuMa also have another order, so the sounds differ.
        let sounds = try ["as-ambix", "as-fuma"].map { try WholeSound.read(folder($0 + "/round-001-1.wav"))[0] }
        #expect(sounds[0] != sounds[1])
    }
}
