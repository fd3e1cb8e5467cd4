import Desk
import DoorFixtures
import HeadTracking
import OSC
import Testing
import Waiting

@testable import Control

/// Access of clients to the doors, and the timeout of a silent client.
@Suite(.timeLimit(.minutes(10))) struct DoorAccessTests {
    @Test func `A client that does not say the token is heard at no door but those of this machine`() async throws {
        let desk = SessionDesk()
        desk.commands.serve { $0 == .recentre(.full) ? .done : .refused("no") }
        let doors = try await EveryDoor(desk, token: "word")
        func ask(_ path: String, _ header: String = "") async throws -> String {
            let peer = try #require(DoorPeer(port: doors.web))
            peer.send("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(header)Connection: close\r\n\r\n")
            #expect(await eventually { peer.hears("\r\n\r\n") })
            return String(decoding: peer.read(), as: UTF8.self)
        }
        #expect(try await ask("/state").hasPrefix("HTTP/1.1 401"))
        #expect(try await ask("/state", "Authorization: Bearer word\r\n").hasPrefix("HTTP/1.1 200"))
        #expect(try await ask("/proscenium/mode?token=word").hasPrefix("HTTP/1.1 200"))
        let stranger = try #require(DoorPeer(port: doors.web))
        stranger.send(DoorPeer.upgrade())
        #expect(
            await comes { stranger.hears("401 Unauthorized") }, "\(String(decoding: stranger.read(), as: UTF8.self))")
        let known = try #require(DoorPeer(port: doors.web))
        known.send(DoorPeer.upgrade("/?token=word"))
        #expect(await eventually { known.hears("101 Switching Protocols") })
        known.send(DoorPeer.frame("{\"id\":1,\"address\":\"recentre\",\"arguments\":\"full\"}"))
        #expect(await eventually { known.hears("{\"id\":1,\"reply\":\"done\"}") })
        // OSC needs no token from this machine.
        let stream = try #require(DoorPeer(port: doors.osc.address.port))
        stream.send(OSCFraming.length.frame(OSCMessage("/proscenium/recentre/full").encoded()))
        #expect(await eventually { stream.hears("done") })
        await doors.close()
    }

    @Test func `A place that a silent connection takes is given to another`() async throws {
        let desk = SessionDesk()
        let streams = StreamDoors(at: desk, access: DoorAccess(token: "word", patience: 0.2))
        let web = try await streams.openWeb(at: ControlAddress(port: 0), oscPort: nil).port
        let silent = try (0..<ConnectionCount.most).map { _ in try #require(DoorPeer(port: web)) }
        #expect(
            await eventually {
                guard let peer = DoorPeer(port: web) else { return false }
                peer.send("GET /state?token=word HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                for _ in 0..<100 where !peer.hears("200 OK") { try? await Task.sleep(for: .milliseconds(1)) }
                return peer.hears("200 OK")
            })
        #expect(silent.count == ConnectionCount.most)
        await streams.close()
    }
}
