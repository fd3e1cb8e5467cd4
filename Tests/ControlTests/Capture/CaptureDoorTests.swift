import AudioIO
import AudioInMemory
import Capture
import Control
import Foundation
import Loading
import OSC
import Signal
import SoundFixtures
import Testing

/// A capture in memory that is controlled over UDP.
@Suite(.timeLimit(.minutes(10))) struct CaptureDoorTests {
    /// A capture of a sound field that waits for its take, and a controller connected to it.
    final class Rig {
        let folder: Scratch
        let inputs = MemoryCapture(channels: 4, sampleRate: .studio)
        let session: CaptureSession
        let door: CaptureDoor
        let surface: Surface

        init() throws {
            folder = try Scratch()
            inputs.offer(
                ["mic", "other"].flatMap { name in
                    "WYZX".map { CaptureSource(port: "\(name):\($0)", group: name, isPhysical: false) }
                })
            let engine = try CaptureEngine(
                .init(chain: .init(array: try MicrophoneArray("ambix")), take: .init(path: folder("take.wav"))),
                inputs: inputs, sources: ["mic:W", "mic:Y", "mic:Z", "mic:X"]
            ) { Thread.detachNewThread($0) }
            session = CaptureSession(engine, inputs: inputs) { nil }
            door = try CaptureDoor(at: ControlAddress(port: 0), session)
            surface = try Surface()
            try session.start()
        }

        deinit {
            door.close()
            _ = session.finish()
        }

        /// Feeds a wave of `seconds` seconds.
        func run(_ seconds: Double) {
            for _ in 0..<Int(seconds * 48_000 / 512) {
                // One minute at most.
                for _ in 0..<60_000 where inputs.waitingFrames > 24_000 { usleep(1000) }
                inputs.cycle(512) { _, clock in (0..<512).map { 0.25 * Float(sin(0.1 * Double(clock + $0))) } }
            }
        }

        /// Sends a message. Returns the first answer whose address begins with `awaiting`. `meanwhile` runs before each
        /// received message: a client that receives more slowly than the door sends may miss one.
        func ask(
            _ address: String, _ arguments: [OSCArgument] = [], awaiting: String = "/proscenium/",
            meanwhile: () -> Void = {}
        ) async throws -> OSCMessage {
            let message = OSCMessage(address, arguments)
            surface.send(message, to: door.address.port)
            for _ in 0..<1000 {
                meanwhile()
                let answer = try await surface.receive(from: door.address.port, orSayAgain: message)
                if answer.address.hasPrefix(awaiting) { return answer }
            }
            throw NothingCame(address: awaiting)
        }

        /// A thousand messages came, none with the awaited address.
        struct NothingCame: Error { let address: String }
    }

    @Test func aTakeIsBegunMarkedTurnedAndCompletedOverUDP() async throws {
        let rig = try Rig()
        rig.run(1)
        let begun = try await rig.ask("/proscenium/record/start")
        #expect(begun.address == "/proscenium/reply")
        #expect(begun.arguments.last == .string("recording into \(rig.folder("take.wav"))") || begun.says("s before"))
        rig.run(1)
        #expect(try await rig.ask("/proscenium/record/start").says("a take is being recorded already"))
        #expect(try await rig.ask("/proscenium/record/marker", [.string("here")]).says("marker 'here' at"))
        let status = try await rig.ask("/proscenium/status")
        #expect(status.says("\"markers\":1") && status.says("\"name\":\"W\""))
        #expect(try await rig.ask("/proscenium/capture/rendition", [.string("ms")]).arguments.count == 2)
        rig.run(1)
        #expect(try await rig.ask("/proscenium/capture/source", [.string("other:{W,Y,Z,X}")]).says("other:W, other:Y"))
        rig.run(1)
        #expect(try await rig.ask("/proscenium/record", [.string("off")]).says("complete: "))
        #expect(try await rig.ask("/proscenium/record/stop").says("no take is being recorded"))
        let take = try SoundFileReader(path: rig.folder("take.wav"))
        #expect(take.frameCount > 2 * 48_000 && take.metadata.markers.map(\.name) == ["here"])
    }

    /// A reply about a take states the take's status at that moment, not the status sent last.
    @Test func turnsOnAndOffAtOnceAreNeitherLostNorInverted() async throws {
        let rig = try Rig()
        rig.run(1)
        for _ in 0..<3 {
            for (first, second) in [("on", "off"), ("toggle", "toggle")] {
                rig.run(0.2)
                let begun = try await rig.ask("/proscenium/record", [.string(first)])
                let ended = try await rig.ask("/proscenium/record", [.string(second)])
                #expect(begun.says("recording into") && ended.says("complete: "), "\(begun), \(ended)")
            }
        }
    }

    @Test func whoAsksAtTheEndIsAnswered() async throws {
        let rig = try Rig()
        rig.run(0.1)
        #expect(rig.session.finish())
        #expect(try await rig.ask("/proscenium/record/start").says("the capture is ending"))
    }

    @Test func whatIsNoRequestIsRefusedWithWhatThereIs() async throws {
        let rig = try Rig()
        for (address, arguments, words) in [
            ("/proscenium/capture/rendition", [OSCArgument.string("quad")], "rendition takes omni|cardioid"),
            ("/proscenium/capture/orientation", [], "portrait|landscape-left"),
            ("/proscenium/record/start", [.string("other.wav")], "name given at its start"),
            ("/proscenium/gain", [.float(3)], "a capture has no such command; its commands are record"),
            ("/proscenium/record/marker", [], "there is no take to mark"),
            ("/proscenium/watch", [.string("often")], "times per second"),
        ] {
            let answer = try await rig.ask(address, arguments)
            #expect(answer.address == "/proscenium/refused" && answer.says(words), "\(address): \(answer)")
        }
    }

    /// In an earlier version the release of a button ended the take that its press had begun.
    @Test func `A button begins and ends a take when it is pressed, and does nothing when it is let go`() async throws {
        let rig = try Rig()
        rig.run(0.5)
        #expect(try await rig.ask("/proscenium/record/start", [.float(1)]).says("recording into"))
        for word in ["start", "stop", "marker"] {
            #expect(try await rig.ask("/proscenium/record/" + word, [.float(0)]).arguments.last == .string("done"))
        }
        rig.run(0.5)
        #expect(try await rig.ask("/proscenium/status", [.float(1)]).says("\"markers\":0"))
        #expect(try await rig.ask("/proscenium/record/marker", [.int32(1)]).says("marker"))
        let refused = try await rig.ask("/proscenium/record/stop", [.float(2)])
        #expect(refused.address == "/proscenium/refused" && refused.says("record/stop takes nothing"))
        #expect(try await rig.ask("/proscenium/quit", [.float(0)]).says("a capture has no such command"))
        #expect(try await rig.ask("/proscenium/record/stop", [.boolean(true)]).says("complete: "))
    }

    @Test func whoWatchesIsSentLevelsAndWhatHappens() async throws {
        let rig = try Rig()
        rig.run(2)
        let levels = try await rig.ask("/proscenium/watch", [.float(20)], awaiting: "/proscenium/capture/levels")
        // Seconds and gain, then name, peak and mean of each of four inputs and six outputs.
        #expect(levels.arguments.count == 2 + 3 * 10)
        #expect(levels.arguments[0] == .float(-1) && levels.arguments[2] == .string("ACN0"))
        #expect(abs((levels.arguments[3].number ?? 0) - 20 * log10(0.25)) < 1.5)
        let event = try await rig.ask("/proscenium/watch", [.float(20)], awaiting: "/proscenium/capture/event") {
            rig.door.tell(.lost(frames: 7))
        }
        #expect(event.says("7 frames were lost"))
    }

    @Test func aDoorToOtherMachinesIsNotOpened() throws {
        let rig = try Rig()
        let error = #expect(throws: SessionError.self) {
            try CaptureDoor(at: ControlAddress(host: "0.0.0.0", port: 9999), rig.session)
        }
        #expect(error?.description.contains("only on 127.0.0.1") == true)
    }
}

extension OSCMessage {
    /// Returns whether a text among the arguments contains `words`.
    fileprivate func says(_ words: String) -> Bool {
        arguments.contains { if case .string(let text) = $0 { text.contains(words) } else { false } }
    }
}
