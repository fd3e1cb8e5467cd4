import Control
import Desk
import Foundation

/// All doors of a session, on real sockets.
package struct EveryDoor {
    package static let names = ["UDP", "TCP", "socket", "HTTP", "WebSocket"]
    /// Path of the Unix socket.
    package let path = NSTemporaryDirectory() + "door-\(UUID().uuidString.prefix(8)).sock"
    package let osc: ControlServer
    package let streams: StreamDoors
    /// Port of HTTP and WebSockets.
    package let web: Int

    package init(_ desk: SessionDesk, token: String? = nil) async throws {
        let access = DoorAccess(token: token)
        streams = StreamDoors(at: desk, access: access)
        try await streams.openSocket(at: path)
        // A port that is free for UDP may be taken for TCP, so up to 100 ports are tried.
        var server = try ControlServer(at: ControlAddress(port: 0), desk: desk, access: access)
        for _ in 0..<100 {
            if try await streams.openOSC(at: server.address) { break }
            await server.stop()
            server = try ControlServer(at: ControlAddress(port: 0), desk: desk, access: access)
        }
        osc = server
        web = try await streams.openWeb(at: ControlAddress(port: 0), oscPort: osc.address.port).port
    }

    package func close() async {
        await osc.stop()
        await streams.close()
    }
}
