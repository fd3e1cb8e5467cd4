import Foundation
import OSC
import Session
import Synchronization
import Testing

@testable import Control

@Suite struct ControlTests {
    @Test(arguments: [
        SessionCommand.recentre(.yaw), .recentre(.full), .recentre(.reset), .reference(.still), .room(true),
        .room(false),
        .follow(FollowWeights(yaw: 1, pitch: 0.5, roll: 0) ?? FollowWeights()), .yawPull(0.25), .start(frame: nil),
        .start(frame: 4_000_000_000), .status,
        .preview(.go(to: 90.5)), .preview(.seek(by: -5)), .preview(.pause(nil)), .preview(.pause(true)),
        .preview(.pause(false)), .preview(.skip(-2)),
        .quit, .programme(nil, .width(0)), .programme("choir", .width(62.5)),
    ])
    func everyCommandSurvivesTheWire(_ command: SessionCommand) throws {
        let bytes = OSCPacket.message(ControlMessages.message(for: command)).encoded()
        let message = try #require(try OSCPacket(decoding: bytes).messages.first)
        #expect(try ControlMessages.command(from: message).get() == command)
    }

    @Test func whatIsNoCommandIsAnsweredWithTheReason() throws {
        for message in [
            OSCMessage("/proscenium/dance"), OSCMessage("/proscenium/room", [.string("maybe")]),
            OSCMessage("/proscenium/recentre", [.string("upwards")]),
            OSCMessage("/proscenium/start", [.float(1)]), OSCMessage("/proscenium/reference", [.string("moon")]),
            OSCMessage("/proscenium/follow", [.float(1), .float(2), .float(0)]),
            OSCMessage("/proscenium/follow", [.float(1)]), OSCMessage("/proscenium/yaw-pull", [.float(.nan)]),
            OSCMessage("/proscenium/seek", [.float(-1)]), OSCMessage("/proscenium/seek"),
            OSCMessage("/proscenium/skip", [.int32(0)]), OSCMessage("/proscenium/pause", [.string("maybe")]),
            OSCMessage("/proscenium/width", [.float(181)]), OSCMessage("/proscenium/input/a/width"),
        ] {
            #expect(throws: ControlWire.Unusable.self) { try ControlMessages.command(from: message).get() }
        }
    }

    @Test func addressesAreReadAsWritten() {
        #expect(ControlAddress("9150") == ControlAddress("127.0.0.1:9150"))
        #expect(ControlAddress("0.0.0.0:80")?.host == "0.0.0.0")
        for text in ["", "0", "65536", "a:b", ":9150", "1:2:3"] { #expect(ControlAddress(text) == nil) }
    }

    @Test func aCommandReachesTheSessionAndItsAnswerComesBack() async throws {
        let asked = Mutex<[SessionCommand]>([])
        let address = try #require(ControlAddress(String(Int.random(in: 40_000...60_000))))
        let server = try await ControlServer(at: address) { command in
            asked.withLock { $0.append(command) }
            return command == .quit ? .refused("not today") : .started(frame: 7, heardAt: 1.5)
        }
        // Tests that compute for long hold up the answer, for as long as they take.
        let answer = try await ControlClient.request(.start(frame: 7), at: address, timeout: .seconds(300))
        #expect(answer == "{\"frame\":7,\"heardAt\":1.5}")
        await #expect(throws: SessionError.self) {
            try await ControlClient.request(.quit, at: address, timeout: .seconds(300))
        }
        #expect(asked.withLock { $0 } == [.start(frame: 7), .quit])
        await server.stop()
    }

    @Test func aLongAnswerComesBackWhole() async throws {
        let address = try #require(ControlAddress(String(Int.random(in: 40_000...60_000))))
        let long = String(repeating: "The stage is wide. ", count: 3000)
        let server = try await ControlServer(at: address) { _ in .refused(long) }
        let error = await #expect(throws: SessionError.self) {
            try await ControlClient.request(.status, at: address, timeout: .seconds(300))
        }
        #expect(error?.description.contains(long) == true)
        await server.stop()
    }

    @Test func aTakenPortIsSaidPlainly() async throws {
        let address = try #require(ControlAddress(String(Int.random(in: 40_000...60_000))))
        let first = try await ControlServer(at: address) { _ in .done }
        let error = await #expect(throws: SessionError.self) {
            _ = try await ControlServer(at: address) { _ in .done }
        }
        #expect(error?.description.contains("in use") == true)
        await first.stop()
    }

    @Test func nobodyThereIsSaidSoon() async throws {
        let address = try #require(ControlAddress(String(Int.random(in: 40_000...60_000))))
        let error = await #expect(throws: SessionError.self) {
            try await ControlClient.request(.status, at: address, timeout: .milliseconds(300))
        }
        #expect(error?.description.contains("no session answers") == true)
    }
}
