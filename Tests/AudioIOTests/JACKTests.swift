import Foundation
import Signal
import SoundFixtures
import Testing

@testable import AudioIO

/// The client against real servers, with small independent clients connected to it. Sound is compared in freewheel
/// only: there no cycle is lost, however busy the machine is.
@Suite(.serialized) struct JACKTests {
    private static let hasServer = FileManager.default.isExecutableFile(atPath: "/usr/bin/jackd")
    private static let noServer: Comment = "jackd is not installed (jackd2)"

    private static let hasPipeWire =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/pw-jack")
        && FileManager.default.isExecutableFile(atPath: "/usr/bin/wireplumber")
    private static let noPipeWire: Comment = "PipeWire's JACK is not installed (pipewire-jack, wireplumber)"

    /// Runs a scenario with a private jackd. Returns its lines, standard error included.
    private func scenario(_ words: String, _ arguments: [String], server: [String], work: String) throws -> [String] {
        try run(
            [Fixtures.script("jack-sandbox")] + server + ["bash", Fixtures.scenario(words)] + arguments, work: work)
    }

    private func run(_ words: [String], work: String, environment: [String: String] = [:]) throws -> [String] {
        let (status, lines) = try attempt(words, work: work, environment: environment)
        #expect(status == 0, "\(lines.joined(separator: "\n"))")
        return lines
    }

    /// Runs a command for 90 s at most. Returns its exit status and its lines.
    private func attempt(
        _ words: [String], work: String, environment extra: [String: String] = [:]
    ) throws -> (status: Int32, lines: [String]) {
        try TimedCommand.run(
            words, seconds: 90, environment: ["FIXTURES": Fixtures.folder, "WORK": work].merging(extra) { $1 })
    }

    private func writeNoise(_ path: String, frames: Int) throws {
        let block = PlanarBlock(channels: 2, frames: frames)
        fillWithNoise(block)
        let writer = try SoundFileWriter(path: path, channels: 2, sampleRate: .studio)
        try writer.write(block, frames: frames)
        try writer.finish()
    }

    @Test(.enabled(if: hasServer, noServer), arguments: [64, 256, 1000])
    func liveIsOfflineToTheBit(period: Int) throws {
        let scratch = try Scratch()
        let frames = 48_000
        try writeNoise(scratch("in.wav"), frames: frames)
        let stage = ["--field", "sphere", "--turning", "yes", "--guard", "instant"]
        _ = try scenario(
            "null", ["\(frames)"] + stage, server: ["--period", "\(period)"], work: scratch.path)
        _ = try run(
            [Fixtures.stage, "offline", scratch("in.wav"), scratch("offline.wav"), "--block", "\(period)"] + stage,
            work: scratch.path)
        let offline = try WholeSound.read(scratch("offline.wav"))
        let outside = try WholeSound.read(scratch("outside.wav"))
        let inside = try WholeSound.read(scratch("live.wav"))
        #expect(offline[0].count == frames && (offline[0].map(abs).max() ?? 0) > 0.1)
        #expect(offline == outside)
        #expect(inside[0].count >= frames)
        for ear in 0..<2 { #expect(Array(inside[ear].prefix(frames)) == offline[ear]) }
    }

    @Test(.enabled(if: hasServer, noServer)) func whatRelaysTakeIsAPeriodLater() throws {
        let scratch = try Scratch()
        let (frames, period) = (48_000, 256)
        try writeNoise(scratch("in.wav"), frames: frames)
        let stage = ["--field", "sphere", "--guard", "instant"]
        _ = try scenario(
            "null", ["\(frames)"] + stage + ["--relay", "main"], server: ["--period", "\(period)"], work: scratch.path)
        _ = try run(
            [Fixtures.stage, "offline", scratch("in.wav"), scratch("offline.wav"), "--block", "\(period)"] + stage,
            work: scratch.path)
        let offline = try WholeSound.read(scratch("offline.wav"))
        let outside = try WholeSound.read(scratch("outside.wav"))
        for ear in 0..<2 {
            #expect((outside[ear].prefix(period).map(abs).max() ?? 1) == 0)
            // The convolution's partitions begin at other frames, so the rounding differs.
            let differences = zip(outside[ear].dropFirst(period), offline[ear]).map { abs($0 - $1) }
            #expect((differences.max() ?? 1) < 1e-6)
        }
    }

    /// PipeWire 0.3.65 does not wait for a late client in freewheel, so a busy machine may lose a cycle, or pass the
    /// frame of the start before the player has asked for it. One undisturbed run suffices here; the
    /// start is one, two or four times as far ahead in turn. jackd waits, and must pass every run.
    @Test(.enabled(if: hasPipeWire, noPipeWire), arguments: [256, 1024])
    func liveIsOfflineToTheBitThroughPipeWire(quantum: Int) throws {
        let frames = 48_000
        var isEqual = false
        var said: [String] = []
        for tries in 0..<16 where !isEqual {
            let scratch = try Scratch()
            try writeNoise(scratch("in.wav"), frames: frames)
            let stage = ["--field", "sphere", "--turning", "yes", "--guard", "instant"]
            let sandbox = [Fixtures.script("pipewire-sandbox"), "--quantum", "\(quantum)", "bash"]
            let (status, lines) = try attempt(
                sandbox + [Fixtures.scenario("null"), "\(frames)"] + stage, work: scratch.path,
                environment: ["AHEAD": "\(100_000 << (tries % 3))", "PAUSE": "0"])
            said = lines
            guard status == 0 else { continue }
            _ = try run(
                [Fixtures.stage, "offline", scratch("in.wav"), scratch("offline.wav"), "--block", "\(quantum)"] + stage,
                work: scratch.path)
            isEqual = try WholeSound.read(scratch("offline.wav")) == WholeSound.read(scratch("outside.wav"))
        }
        #expect(isEqual, "\(said.joined(separator: "\n"))")
    }

    @Test(.enabled(if: hasPipeWire, noPipeWire)) func aPipeWireMachineIsRecognised() throws {
        let scratch = try Scratch()
        let sandbox = Fixtures.script("pipewire-sandbox")
        let mismatch = try run(
            [sandbox, "--plain", "sh", "-c", "\"$FIXTURES/stage-fixture\" live </dev/null || true"], work: scratch.path)
        #expect(mismatch.contains { $0.contains("error this machine runs PipeWire") && $0.contains("pw-jack") })
        let clash = try run([sandbox, "bash", Fixtures.scenario("clash")], work: scratch.path)
        #expect(clash.contains("second name proscenium-01 shared false pipewire true"))
        #expect(clash.contains { $0.hasPrefix("third error a JACK client named 'proscenium' is already there") })
        let death = try run([sandbox, "bash", Fixtures.scenario("death")], work: scratch.path)
        #expect(death.contains { $0.hasPrefix("stage event serverLost") })
        #expect(death.contains("stage connection proscenium:out_L system:playback_FL"))
    }

    @Test(.enabled(if: hasServer, noServer), arguments: ["off", "instant", "lookahead"])
    func anImpulseArrivesAsLateAsReported(outputGuard: String) throws {
        let scratch = try Scratch()
        let block = PlanarBlock(channels: 2, frames: 4000)
        (block[0][100], block[1][777]) = (0.25, 0.25)
        let writer = try SoundFileWriter(path: scratch("in.wav"), channels: 2, sampleRate: .studio)
        try writer.write(block, frames: 4000)
        try writer.finish()
        let lines = try scenario(
            "null", ["4000", "--guard", outputGuard], server: ["--period", "64"], work: scratch.path)
        let latency = try #require(number(after: "stage latency ", in: lines))
        #expect(outputGuard == "lookahead" ? latency > 0 : latency == 0)
        let ears = try WholeSound.read(scratch("outside.wav"))
        for ear in ears {
            for (i, sample) in ear.enumerated() {
                let isImpulse = i == 100 + latency || i == 777 + latency
                #expect(abs(sample - (isImpulse ? 0.25 : 0)) < 1e-6)
            }
        }
    }

    @Test(.enabled(if: hasServer, noServer), arguments: ["instant", "lookahead"], [false, true])
    func latencyIsReportedOnTheRightSide(outputGuard: String, areRelayed: Bool) throws {
        let scratch = try Scratch()
        let lines = try scenario(
            "latency", ["--guard", outputGuard] + (areRelayed ? ["--relay", "main"] : []),
            server: ["--period", "256"], work: scratch.path)
        func range(_ port: String, _ mode: String) throws -> [Int] {
            let line = try #require(lines.first { $0.hasPrefix("\(port) \(mode) ") })
            return line.split(separator: " ").suffix(2).compactMap { Int($0) }
        }
        let own = try #require(number(after: "stage latency ", in: lines)) + (areRelayed ? 256 : 0)
        let source = try range("system:capture_1", "capture")
        let sink = try range("system:playback_1", "playback")
        #expect(sink[0] > 0 && source[0] > 0)
        #expect(try range("proscenium:in_FL", "capture") == source.map { $0 + 100 })
        #expect(try range("proscenium:out_L", "capture") == source.map { $0 + 100 + own })
        #expect(try range("proscenium:out_L", "playback") == sink.map { $0 + 30 })
        #expect(try range("proscenium:in_FL", "playback") == sink.map { $0 + 30 + own })
        #expect(number(after: "stage playback ", in: lines) == sink[1] + 30)
        #expect(lines.contains("stage connection before1:out proscenium:in_FL"))
        #expect(lines.contains("stage connection proscenium:out_R after2:in"))
    }

    @Test(.enabled(if: hasServer, noServer)) func portsHaveNamesForPeopleWhileTheyExist() throws {
        let scratch = try Scratch()
        let lines = try scenario("metadata", [], server: [], work: scratch.path)
        for port in ["in_FL", "in_FR", "out_L", "out_R"] { #expect(lines.contains("proscenium:\(port)")) }
        let text = lines.joined(separator: "\n")
        for value in ["Loudspeaker FL", "Left Ear", "Test Stage", "Headphones", "XMLSchema#integer", "AUDIO"] {
            #expect(text.contains(value), "\(value)")
        }
        #expect(!lines.contains { $0.hasPrefix("left ") })
    }

    @Test(.enabled(if: hasServer, noServer)) func aTakenNameIsSaid() throws {
        let scratch = try Scratch()
        let lines = try scenario("clash", [], server: [], work: scratch.path)
        #expect(lines.contains("second name proscenium-01 shared false pipewire false"))
        #expect(lines.contains { $0.hasPrefix("third error a JACK client named 'proscenium' is already there") })
    }

    @Test(.enabled(if: hasServer, noServer)) func nothingIsConnectedUnlessAsked() throws {
        let scratch = try Scratch()
        let patterns = [
            "physical", "system:playback_{3,4}", "system:playback_2", "system:playback_[34]", "nosuch:port",
        ]
        let lines = try scenario("connect", patterns, server: ["--playback", "4"], work: scratch.path)
        #expect(lines.contains("physical: connected system:playback_1 system:playback_2"))
        #expect(lines.contains("system:playback_{3,4}: connected system:playback_3 system:playback_4"))
        #expect(lines.contains("system:playback_2: connected system:playback_2 system:playback_2"))
        #expect(lines.contains("system:playback_[34]: connected system:playback_3 system:playback_4"))
        let refusal = "nosuch:port: error no JACK port matches 'nosuch:port'; there are: system:"
        #expect(lines.contains { $0.hasPrefix(refusal) })
        #expect(!lines.contains { $0.hasPrefix("unasked:    ") })
    }

    @Test(.enabled(if: hasServer, noServer)) func inputsAreConnectedInOrderWhereThatIsAskedFor() throws {
        let scratch = try Scratch()
        let patterns = [
            "physical", "system:capture_{3,1}", "system:capture_[24]", "system:capture_2", "system:playback_1",
        ]
        let lines = try scenario("connectin", patterns, server: ["--capture", "4"], work: scratch.path)
        func sources(_ pattern: String) -> [String] {
            lines.filter { $0.hasPrefix("\(pattern): connected ") }.map {
                String($0.split(separator: " ").dropFirst(2).joined(separator: " "))
            }
        }
        #expect(sources("physical") == ["system:capture_1 proscenium:in_FL", "system:capture_2 proscenium:in_FR"])
        #expect(
            sources("system:capture_{3,1}") == [
                "system:capture_3 proscenium:in_FL", "system:capture_1 proscenium:in_FR",
            ])
        #expect(
            sources("system:capture_[24]") == [
                "system:capture_2 proscenium:in_FL", "system:capture_4 proscenium:in_FR",
            ])
        #expect(sources("system:capture_2") == ["system:capture_2 proscenium:in_FL"])
        let refusal = "system:playback_1: error no JACK port matches 'system:playback_1'; there are: system:capture_1"
        #expect(lines.contains { $0.hasPrefix(refusal) }, "\(lines)")
    }

    /// A request to a server that stands still gets no answer; closing does not wait for the answer.
    @Test(.enabled(if: hasServer, noServer)) func aServerThatStandsStillIsLeftInTime() throws {
        let scratch = try Scratch()
        let lines = try scenario("standstill", [], server: [], work: scratch.path)
        #expect(lines.contains("stage closed"))
        #expect(!lines.contains { $0.hasPrefix("stage nobody is there") })
        #expect(try SoundFileReader(path: scratch("ears.wav")).frameCount > 0)
    }

    @Test(.enabled(if: hasServer, noServer)) func aFileThatCannotBeReadLeavesNoPlayer() throws {
        let scratch = try Scratch()
        let path = scratch("cut.flac")
        try writeNoise(path, frames: 48_000)
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: path))
        let lines = try scenario("player", [path], server: [], work: scratch.path)
        #expect(lines.contains { $0.hasPrefix("stage refused: ") } && lines.contains("stage players false"), "\(lines)")
    }

    /// A pedal is pressed rarely, so no thread may wake a thousand times a second for it. Four checks a second find
    /// whether a pedal is connected.
    @Test(.enabled(if: hasServer, noServer)) func aPedalThatNobodyPressesWakesNobody() throws {
        let scratch = try Scratch()
        let lines = try scenario("pedal", [], server: [], work: scratch.path)
        let count = try #require(number(after: "stage wakings ", in: lines), "\(lines)")
        #expect(count > 0 && count < 100)
    }

    @Test(.enabled(if: hasServer, noServer)) func aDyingServerIsNoticedAndLeftInTime() throws {
        let scratch = try Scratch()
        let began = ContinuousClock.now
        let lines = try scenario("death", [], server: [], work: scratch.path)
        #expect(lines.contains { $0.hasPrefix("stage event serverLost") })
        #expect(lines.contains("stage connection proscenium:out_L system:playback_1"))
        #expect(lines.contains("stage closed"))
        #expect(lines.contains { $0.hasPrefix("again error no JACK server is running") })
        #expect(ContinuousClock.now - began < .seconds(60))
    }

    @Test(.enabled(if: hasServer, noServer)) func aMachineThatStandsStillIsNoServerThatDied() throws {
        let scratch = try Scratch()
        let lines = try scenario("stall", [], server: [], work: scratch.path)
        #expect(!lines.contains { $0.hasPrefix("stage event serverLost") }, "\(lines)")
        #expect(lines.count { $0.hasPrefix("stage started") } == 3)
        #expect(lines.contains("stage closed"))
    }

    @Test(.enabled(if: hasServer, noServer)) func aLaterStartTakesThePlaceOfOneThatWaits() throws {
        let scratch = try Scratch()
        let lines = try scenario("starts", [], server: [], work: scratch.path)
        #expect(lines.contains("stage started 288000 frames later"))
        #expect(lines.contains { $0.hasPrefix("stage error another start was requested") })
    }

    @Test(.enabled(if: hasServer, noServer)) func thePeriodMayChange() throws {
        let scratch = try Scratch()
        let lines = try scenario("period", ["physical"], server: ["--period", "64"], work: scratch.path)
        for period in [512, 100, 8192, 16] {
            #expect(lines.contains("stage event periodChanged(frames: \(period))"), "\(period)")
        }
        #expect(lines.contains { $0.hasPrefix("stage started ") })
    }

    @Test(.enabled(if: hasServer, noServer)) func eachThreadGetsTheAnswerToItsOwnRequest() throws {
        let scratch = try Scratch()
        let lines = try scenario("requests", [], server: ["--period", "256"], work: scratch.path)
        #expect(lines.contains("stage wrong answers 0"))
    }

    @Test(.enabled(if: hasServer, noServer)) func whatTheServerLacksIsSaid() throws {
        let scratch = try Scratch()
        let sandbox = Fixtures.script("jack-sandbox")
        let ask = "\"$FIXTURES/stage-fixture\" live \"$@\" </dev/null || true"
        let ports = try run(
            [sandbox, "--ports", "16", "sh", "-c", ask, "x", "--inputs", "32"], work: scratch.path)
        #expect(ports.contains { $0.contains("error the JACK server has no ports left:") })
        let killing = "\"$FIXTURES/stage-fixture\" live --kill \"$JACK_SANDBOX_SERVER_PID\" </dev/null || true"
        let dead = try run([sandbox, "sh", "-c", killing], work: scratch.path)
        #expect(dead.contains { $0.contains("error the JACK server is gone") })
        #expect(!dead.contains { $0.contains("has no ports left") })
        let rate = try run(
            [sandbox, "--rate", "44100", "sh", "-c", ask, "x", "--rate", "48000"], work: scratch.path)
        #expect(rate.contains { $0.contains("error the JACK server runs at 44100 Hz, not at 48000 Hz") })
        let none = try run(
            ["sh", "-c", ask], work: scratch.path,
            environment: ["JACK_DEFAULT_SERVER": "nobody-\(UUID().uuidString)", "XDG_RUNTIME_DIR": scratch.path])
        #expect(none.contains { $0.hasPrefix("error no JACK server is running") })
        #expect(none.count == 1, "libjack's own lines stay out of sight: \(none)")
    }

    private func number(after prefix: String, in lines: [String]) -> Int? {
        lines.first { $0.hasPrefix(prefix) }.flatMap { $0.dropFirst(prefix.count).split(separator: " ").first }
            .flatMap { Int($0) }
    }
}

/// Paths of the built fixtures and the scripts.
enum Fixtures {
    /// Folder of this test program, which also holds the other built products.
    static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().path
    static let stage = folder + "/stage-fixture"
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    static func script(_ name: String) -> String {
        root.appendingPathComponent("../../Scripts/\(name)").standardized.path
    }

    static func scenario(_ name: String) -> String { root.appendingPathComponent("Scenarios/\(name).sh").path }
}
