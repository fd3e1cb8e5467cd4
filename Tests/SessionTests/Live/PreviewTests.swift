import AudioIO
import AudioInMemory
import Desk
import Foundation
import HeadTracking
import Loading
import Rendering
import Signal
import SoundFixtures
import Soundstage
import Stages
import Synchronization
import Testing
import Trackers
import Waiting

@testable import Preview
@testable import Session

/// Files played through a stage on a server in memory.
@Suite(.timeLimit(.minutes(10))) struct PreviewTests {
    /// Writes a file of `seconds` of noise, stereo by default.
    private static func write(_ path: String, seconds: Double, channels: Int = 2, seed: UInt64 = 5) throws {
        let frames = Int(seconds * 48_000)
        let writer = try SoundFileWriter(path: path, channels: channels, sampleRate: .studio)
        let block = PlanarBlock(channels: channels, frames: frames)
        for channel in 0..<channels {
            for (i, sample) in LiveRig.noise(frames, seed: seed + UInt64(channel)).enumerated() {
                block[channel][i] = sample
            }
        }
        try writer.write(block, frames: frames)
        try writer.finish()
    }

    /// A preview with its server and clock. The server is in freewheel, so that the player waits for files.
    struct Rig {
        let server = MemoryServer()
        let clock = ManualClock()
        let preview: PreviewSession
        let said = LiveRig.Said()

        init(_ files: [String], _ change: (inout PreviewSettings) -> Void = { _ in }) throws {
            server.setFreewheel(true)
            let live = LiveSettings(stage: StageSettings(limiter: .off))
            var settings = PreviewSettings(live: live, files: files)
            change(&settings)
            preview = try PreviewSession(
                settings, in: LiveRig.environment(server, clock, said))
        }

        /// Advances sound and time until the preview is over: at most a minute of sound, and a minute for builds in
        /// between.
        func play(during act: @Sendable (PreviewSession, Double) async -> Void = { _, _ in }) async throws {
            let playing = Task { try await preview.play { _ in } }
            let isOver = Flag()
            let ending = Task {
                _ = await playing.result
                isOver.raise()
            }
            var (seconds, turns) = (0.0, 0)
            while !isOver.isRaised, seconds < 60, turns < 60_000 {
                turns += 1
                // Shorter than the interval at which the preview looks at its state: stages are built and starts
                // requested in between.
                server.run(seconds: 0.02)
                await clock.advance(by: 0.02)
                for _ in 0..<50 { await Task.yield() }
                if await preview.status() != nil {
                    seconds += 0.02
                } else {
                    // A build takes real time.
                    try? await Task.sleep(for: .milliseconds(1))
                }
                await act(preview, seconds)
            }
            if !isOver.isRaised {
                Issue.record("the preview never ended")
                await preview.quit()
            }
            await ending.value
            try await playing.value
        }

        /// Performs a client's command in the session that plays and returns the reply; nil without such a session.
        func answer(_ command: SessionCommand) async -> SessionReply? {
            guard let live = await preview.live else { return nil }
            return await preview.perform(command, in: live)
        }
    }

    @Test func aFileIsPlayedToItsEndAndRingsOut() async throws {
        let scratch = try Scratch()
        try Self.write(scratch("a.wav"), seconds: 0.5)
        let rig = try Rig([scratch("a.wav")]) { $0.live.record = scratch("ears.wav") }
        try await rig.play()
        #expect(rig.server.clients == ["system"])
        let ears = try WholeSound.read(scratch("ears.wav"))
        // The output is the file through the stage, from the stream's first frame on.
        let live = try await LiveRig()
        try await live.patch()
        for channel in 0..<2 {
            live.server.play(
                LiveRig.noise(24_000, seed: 5 + UInt64(channel)), on: "daw:out_\(channel + 1)")
        }
        live.server.run(seconds: 0.5)
        let plain = live.server.takeEars(of: "proscenium")
        try await live.live.end()
        #expect(ears[0].count > 24_000)
        for ear in 0..<2 { #expect(ears[ear].prefix(24_000) == plain[ear].prefix(24_000)) }
        #expect(await rig.preview.closing.isEmpty)
    }

    @Test func theNextFileFollowsAndAnotherLayoutHasAStageOfItsOwn() async throws {
        let scratch = try Scratch()
        try Self.write(scratch("a.wav"), seconds: 0.2)
        try Self.write(scratch("b.wav"), seconds: 0.2, channels: 1)
        let rig = try Rig([scratch("a.wav"), scratch("b.wav")]) { $0.live.record = scratch("ears.wav") }
        try await rig.play()
        #expect(scratch.contents == ["a.wav", "b.wav", "ears-2.wav", "ears.wav"])
    }

    @Test func `An upmix applies to the stereo files of a list`() async throws {
        let scratch = try Scratch()
        try Self.write(scratch("a51.wav"), seconds: 0.2, channels: 6)
        try Self.write(scratch("b2.wav"), seconds: 0.2)
        let files = [scratch("a51.wav"), scratch("b2.wav")]
        let rig = try Rig(files) { settings in
            settings.live.record = scratch("ears.wav")
            settings.live.stage.programmes.upmix.mode = .identity
        }
        try await rig.play()
        #expect(scratch.contents == ["a51.wav", "b2.wav", "ears-2.wav", "ears.wav"])
        #expect(rig.said.notes.filter { $0.contains("5.1 is played as it is") }.count == 1, "\(rig.said.notes)")
        // The stereo file sounds as it does alone.
        let alone = try Rig([scratch("b2.wav")]) { settings in
            settings.live.record = scratch("alone.wav")
            settings.live.stage.programmes.upmix.mode = .identity
        }
        try await alone.play()
        let (second, only) = (try WholeSound.read(scratch("ears-2.wav")), try WholeSound.read(scratch("alone.wav")))
        for ear in 0..<2 { #expect(second[ear].prefix(9600) == only[ear].prefix(9600)) }
        // Without a stereo file nothing can be upmixed.
        let none = try Rig([scratch("a51.wav")]) { $0.live.stage.programmes.upmix.mode = .identity }
        await #expect(throws: SessionError.self) { try await none.play() }
    }

    @Test func aPausedFileWaitsAndGoesOn() async throws {
        let scratch = try Scratch()
        try Self.write(scratch("a.wav"), seconds: 1)
        let rig = try Rig([scratch("a.wav")])
        let paused = Flag()
        try await rig.play { preview, seconds in
            if seconds > 0.3, !paused.isRaised {
                paused.raise()
                _ = await rig.answer(.preview(.pause(true)))
                let place = await preview.status()?.seconds
                rig.server.run(seconds: 1)
                // After a fade of 10 ms the file stays at its position.
                let later = await preview.status()?.seconds
                #expect(abs((later ?? 0) - (place ?? 9)) < 0.05)
                #expect(await preview.status()?.isPaused == true)
                _ = await rig.answer(.preview(.pause(false)))
            }
        }
        #expect(paused.isRaised)
    }

    @Test func whatPlaysStandsInTheState() async throws {
        let scratch = try Scratch()
        for name in ["a.wav", "b.wav"] { try Self.write(scratch(name), seconds: 3) }
        let rig = try Rig([scratch("a.wav"), scratch("b.wav")])
        let isDone = Flag()
        try await rig.play { preview, seconds in
            guard seconds > 0.3, !isDone.isRaised, let live = await preview.live else { return }
            func told(_ address: String) -> ParameterValue? {
                live.environment.desk.state.state.values["player/" + address]
            }
            // The preview publishes these values 20 times per second.
            guard told("file") != nil else { return }
            isDone.raise()
            #expect(told("file") == .word(scratch("a.wav")) && told("number") == .numbers([1]))
            #expect(told("count") == .numbers([2]) && told("duration") == .numbers([3]))
            // The values of these commands are published at once.
            for (command, address, value) in [
                (SessionCommand.Player.pause(true), "paused", ParameterValue.word("on")),
                (.loop(true), "loops", .word("on")),
                (.gain(by: -3), "gain", .numbers([-3])), (.pause(false), "paused", .word("off")),
                (.loop(false), "loops", .word("off")),
            ] {
                #expect(await rig.answer(.preview(command))?.isDone == true)
                #expect(told(address) == value)
            }
            #expect(!StateAddress("player/gain").isKept)
        }
        #expect(isDone.isRaised)
    }

    @Test func whatWasSetHoldsInTheNextAct() async throws {
        let scratch = try Scratch()
        try Self.write(scratch("a.wav"), seconds: 0.6)
        try Self.write(scratch("b.wav"), seconds: 0.6, channels: 6)
        // The head looks 30° to the left for half a minute.
        let rows = (0...300).map { "\(Double($0) / 10),0.9659258262890683,0,0,0.25881904510252074\n" }
        try ("t,w,x,y,z\n" + rows.joined()).write(toFile: scratch("head.csv"), atomically: true, encoding: .utf8)
        let rig = try Rig([scratch("a.wav"), scratch("b.wav")]) {
            $0.order = .wave
            $0.live.tracking.head = "file:" + scratch("head.csv")
        }
        let (isSet, isSeen) = (Flag(), Flag())
        try await rig.play { preview, _ in
            guard let status = await preview.status() else { return }
            if status.number == 1, !isSet.isRaised {
                isSet.raise()
                _ = rig.server.connect("proscenium:out_L", to: "system:playback_1")
                for (name, value) in [
                    ("level", "-9"), ("place", "40"), ("mode", "fixed"), ("programme-loudness", "-20"),
                    ("loudness-target", "-23"), ("follow", "0,0,0"),
                ] {
                    guard let change = try? ParameterChange(name, [value]) else { continue }
                    _ = await rig.answer(.set(change))
                }
                _ = await rig.answer(
                    .playback(.beginInterruption(name: "guide", .duck(-6), lease: nil)))
            }
            guard status.number == 2, !isSeen.isRaised, status.session.streamFrame > 0 else { return }
            isSeen.raise()
            #expect(status.session.layout == "5.1")
            let main = status.session.programmes[0]
            #expect(abs(main.level + 9) < 1e-4 && main.mode == "fixed")
            #expect(abs(main.normalisation + 3) < 1e-4)
            #expect(status.session.playback.interruptions.map(\.name) == ["guide"])
            #expect(rig.server.links.contains { $0.from == "proscenium:out_L" && $0.to == "system:playback_1" })
            // The trackers went on, with the following set in the first act.
            #expect(status.session.head != nil && abs(status.session.yaw) < 1)
        }
        #expect(isSet.isRaised && isSeen.isRaised)
    }

    /// A command between two acts has no effect, so it must not be answered as done.
    @Test func aCommandBetweenTwoActsIsRefused() async throws {
        let scratch = try Scratch()
        try Self.write(scratch("a.wav"), seconds: 0.4)
        try Self.write(scratch("b.wav"), seconds: 0.4, channels: 1)
        let rig = try Rig([scratch("a.wav"), scratch("b.wav")])
        let former = Mutex<LiveSession?>(nil)
        let answers = Mutex<[Bool]>([])
        @Sendable func isRefused(_ command: SessionCommand, by live: LiveSession?) async -> Bool {
            switch await rig.preview.perform(command, in: live) {
            case .refused: command != .status
            // The status is answered at any time, at least with the phase.
            case .phase(let status): command == .status && status.phase != .running
            default: false
            }
        }
        #expect(await isRefused(.status, by: nil))
        try await rig.play { preview, _ in
            if let live = await preview.live {
                guard let old = former.withLock({ $0 }), old !== live else { return former.withLock { $0 = live } }
            }
            // The next session plays already or is being built; the door still addresses the former one.
            guard let old = former.withLock({ $0 }) else { return }
            for command in [SessionCommand.recentre(.yaw), .preview(.gain(by: -3)), .status] {
                let answer = await isRefused(command, by: old)
                if await preview.live !== old { answers.withLock { $0.append(answer) } }
            }
        }
        #expect(answers.withLock { !$0.isEmpty && $0.allSatisfy(\.self) })
        // A quit is performed at any time.
        #expect(await !isRefused(.quit, by: nil))
    }

    @Test func aFileWaitsForTheHeadphonesAndGoesOnWithThem() async throws {
        let scratch = try Scratch()
        try Self.write(scratch("a.wav"), seconds: 3)
        let rig = try Rig([scratch("a.wav")])
        rig.server.setFreewheel(false)
        let step = Mutex(0)
        try await rig.play { preview, seconds in
            guard let status = await preview.status() else { return }
            let state = status.session.playback.state
            let now = step.withLock { $0 }
            func next() { step.withLock { $0 += 1 } }
            switch now {
            case 0:
                _ = rig.server.connect("proscenium:out_L", to: "system:playback_1")
                next()
            case 1 where state == "playing" && status.seconds > 0.1:
                _ = rig.server.disconnect("proscenium:out_L", from: "system:playback_1")
                next()
            case 2 where state == "held":
                for _ in 0..<5 { await rig.clock.advance(by: 0.02) }
                let place = await preview.status()?.seconds ?? 0
                rig.server.run(seconds: 0.5)
                #expect(abs((await preview.status()?.seconds ?? 9) - place) < 0.05)
                // The user did not pause the file.
                #expect(await preview.status()?.isPaused == false)
                _ = rig.server.connect("proscenium:out_L", to: "system:playback_1")
                next()
            case 3 where state == "playing": next()
            default: break
            }
        }
        // The file went on by itself, to its end.
        #expect(step.withLock { $0 } == 4)
    }

    /// The sound goes on after the change of rate.
    @Test func atAnotherRateOfTheServerTheFileGoesOnWhereItWas() async throws {
        let scratch = try Scratch()
        try Self.write(scratch("a.wav"), seconds: 1)
        try Self.write(scratch("b.wav"), seconds: 2)
        let rig = try Rig([scratch("a.wav"), scratch("b.wav")])
        let place = Mutex(0.0)
        let later = Mutex(0.0)
        try await rig.play { preview, _ in
            guard let status = await preview.status(), status.number == 2 else { return }
            if status.session.sampleRate == 48_000, status.seconds > 0.7, place.withLock({ $0 == 0 }) {
                place.withLock { $0 = status.seconds }
                rig.server.setRate(44_100)
            } else if status.session.sampleRate == 44_100, status.session.streamFrame > 0, later.withLock({ $0 == 0 }) {
                later.withLock { $0 = status.seconds }
                _ = rig.server.takeEars(of: "proscenium")
                rig.server.run(seconds: 0.2)
                #expect(LiveRig.level(rig.server.takeEars(of: "proscenium")) > -60)
            }
        }
        let (before, after) = (place.withLock { $0 }, later.withLock { $0 })
        #expect(before > 0.7 && after > before - 0.1 && after < before + 0.5, "\(before) \(after)")
    }

    @Test func aServerThatGoesEndsThePreview() async throws {
        let scratch = try Scratch()
        try Self.write(scratch("a.wav"), seconds: 5)
        let rig = try Rig([scratch("a.wav")])
        await #expect(throws: SessionError.self) {
            try await rig.play { _, seconds in if seconds > 0.2 { rig.server.shutDown() } }
        }
    }
}
