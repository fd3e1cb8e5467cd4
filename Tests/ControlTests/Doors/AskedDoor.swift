import DoorFixtures
import Foundation
import OSC
import Testing
import Waiting

@testable import Control

extension EveryDoor {
    /// Sends a command to a door as a new client, with a number unless it is nil. Returns the answer.
    func ask(_ door: String, _ word: String, _ number: Double? = nil) async throws -> String {
        let bytes = OSCMessage("/proscenium/" + word, number.map { [.float(Float($0))] } ?? []).encoded()
        let request = "{\"address\":\"\(word)\"\(number.map { ",\"arguments\":\($0)" } ?? "")}"
        let peer: DoorPeer
        switch door {
        case "UDP":
            peer = try #require(DoorPeer(udp: osc.address.port))
            peer.send(bytes)
        case "TCP":
            peer = try #require(DoorPeer(port: osc.address.port))
            peer.send(OSCFraming.length.frame(bytes))
        case "socket":
            peer = try #require(DoorPeer(path: path))
            peer.send(request + "\n")
        case "HTTP":
            peer = try #require(DoorPeer(port: web))
            peer.send(
                "POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(request.utf8.count)\r\n\r\n\(request)")
        default:
            peer = try #require(DoorPeer(port: web))
            peer.send(DoorPeer.upgrade())
            #expect(await eventually { peer.hears("101 Switching Protocols") })
            peer.send(DoorPeer.frame(request))
        }
        #expect(await eventually { ["reply", "refused"].contains(where: peer.hears) })
        // JSON escapes slashes.
        return String(decoding: peer.read(), as: UTF8.self).replacing("\\/", with: "/")
    }
}
