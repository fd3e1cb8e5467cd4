import AudioIO
import Foundation
import Rendering
import Signal

/// A stage under test: takes commands on standard input and answers on standard output, one line each.
///
///     stage-fixture live [--name N] [--exact yes] [--inputs N] [--field F] [--guard G] [--turning yes] [--policy P]
///                        [--record FILE] [--connect PATTERN] [--connect-in PATTERN] [--rate HZ] [--relay ROLE]
///                        [--kill PID]
///     stage-fixture offline IN OUT [--block N] [--field F] [--guard G] [--turning yes] [--tail N]
@main struct StageFixture {
    var options: [String: String] = [:]
    var plain: [String] = []
    /// The pedal whose MIDI messages the fixture takes.
    var pedal: JACKMIDIClient?

    static func main() async {
        var fixture = StageFixture()
        var words = Array(CommandLine.arguments.dropFirst())
        while let word = words.first {
            words.removeFirst()
            if word.hasPrefix("--"), !words.isEmpty {
                fixture.options[String(word.dropFirst(2))] = words.removeFirst()
            } else {
                fixture.plain.append(word)
            }
        }
        do {
            if fixture.plain.first == "offline" { try fixture.offline() } else { try await fixture.live() }
        } catch {
            say("error \(error)")
            exit(1)
        }
    }

    static func say(_ line: String) { try? FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8)) }

    func renderer(inputs: Int, _ rate: SampleRate) throws -> StageRenderer {
        try TestStage.renderer(
            inputs: inputs, field: options["field"] ?? "impulse", outputGuard: options["guard"] ?? "off",
            isTurning: options["turning"] != nil, sampleRate: rate)
    }

    func offline() throws {
        let input = try SoundFileReader(path: plain[1])
        let output = try SoundFileWriter(path: plain[2], channels: 2, sampleRate: input.sampleRate, replaces: true)
        let render = OfflineRender(
            blockFrames: Int(options["block"] ?? "256") ?? 256, tailFrames: Int(options["tail"] ?? "0") ?? 0)
        let stage = try renderer(inputs: input.channelCount, input.sampleRate)
        let frames = try render.run(from: input, through: stage, into: output).frames
        Self.say("rendered \(frames)")
    }

    mutating func live() async throws {
        let client = try JACKClient(
            name: options["name"] ?? "proscenium", exactName: options["exact"] != nil,
            requiredSampleRate: options["rate"].flatMap { Double($0) }.flatMap { SampleRate(hertz: $0) })
        Self.say("name \(client.name) shared \(client.sharesName) pipewire \(client.isPipeWire)")
        // A server that dies between the opening and the activation.
        if let server = options["kill"].flatMap({ Int32($0) }) {
            kill(server, SIGKILL)
            usleep(500_000)
        }
        let inputs = Int(options["inputs"] ?? "2") ?? 2
        let symbols = inputs == 2 ? ["FL", "FR"] : (0..<inputs).map { "s\($0 + 1)" }
        let stage = try renderer(inputs: inputs, client.sampleRate)
        if let path = options["record"] { try client.record(to: path, waitsForStart: true) }
        try client.activate(
            renderer: stage,
            inputs: symbols.map {
                StagePort(
                    symbol: $0, prettyName: "Loudspeaker \($0)", group: "Test Stage", relay: options["relay"])
            },
            start: StartPolicy(rawValue: options["policy"] ?? "") ?? .firstCycle)
        if let pattern = options["connect"] {
            Self.say("connected \(try client.connectOutputs(to: pattern).joined(separator: " "))")
        }
        if let pattern = options["connect-in"] {
            for link in try client.connectInputs(from: pattern) { Self.say("connected \(link.from) \(link.to)") }
        }
        let events = Task { for await event in client.events { Self.say("event \(event)") } }
        Self.say("latency \(stage.latencyFrames)")
        Self.say("ready")
        while let line = readLine(), line != "quit" {
            do {
                try await obey(line.split(separator: " ").map(String.init), client)
            } catch {
                Self.say("error \(error)")
            }
        }
        client.close()
        await events.value
        Self.say("closed")
    }

    mutating func obey(_ words: [String], _ client: JACKClient) async throws {
        switch words.first {
        case "start":
            let frame = words.count > 1 ? UInt32(words[1]) : nil
            let started = try await client.requestStart(atFrame: frame, timeout: .seconds(60))
            Self.say("started \(started)")
        case "starts":
            // One start that never comes (timeout 4 s); one second before the timeout another one, three seconds ahead.
            let first = try await client.requestStart(timeout: .seconds(60))
            let far = Task { try await client.requestStart(atFrame: first &+ 1 << 30, timeout: .seconds(4)) }
            try await Task.sleep(for: .seconds(3))
            let near = try await client.requestStart(atFrame: first &+ 6 * 48_000, timeout: .seconds(60))
            Self.say("started \(near &- first) frames later")
            do { _ = try await far.value } catch { Self.say("error \(error)") }
        case "stop-recording":
            let summary = try client.stopRecording { Self.say("slow \($0)") }
            Self.say("recorded \(summary?.frames ?? -1) dropped \(summary?.droppedFrames ?? -1)")
        case "connections":
            for link in client.links { Self.say("connection \(link.from) \(link.to)") }
            Self.say("connections done")
        case "ask":
            // On a thread of its own: a server that stands still does not answer.
            Thread.detachNewThread { Self.say("nobody is there: \(!client.clientExists("nobody"))") }
        case "requests":
            // Requests of two threads at once: each gets the answer to its own.
            let (name, other) = (client.name, Thread { for _ in 0..<3000 { client.latencyChanged() } })
            other.start()
            var wrong = 0
            while !other.isFinished {
                if client.clientExists("absent") { wrong += 1 }
                if !client.clientExists(name) { wrong += 1 }
            }
            Self.say("wrong answers \(wrong)")
        case "play":
            do { _ = try JACKPlayer(path: words[1]) } catch { Self.say("refused: \(error)") }
            Self.say("players \(client.clientExists("player"))")
        case "listen":
            let (pedal, found) = (JACKMIDIClient(pattern: words[1], name: "listener"), AsyncStream<Void>.makeStream())
            try pedal.start { if case .connected = $0 { found.continuation.yield() } }
            for await _ in found.stream { break }
            self.pedal = pedal
            Self.say("listening")
        case "wakings":
            let before = pedal?.wakingCount ?? 0
            try await Task.sleep(for: .seconds(2))
            Self.say("wakings \((pedal?.wakingCount ?? 0) - before)")
            pedal?.stop()
        case "playback": Self.say("playback \(client.playbackLatency)")
        case "cycles": Self.say("cycles \(client.cycleCount)")
        default: Self.say("error unknown command")
        }
    }
}
