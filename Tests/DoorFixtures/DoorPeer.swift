import CDevices
import Foundation
import Glibc
import Synchronization

/// A client that is connected to a door over a real socket, and reads only when `read` or `hears` is called.
package final class DoorPeer: Sendable {
    private let descriptor: Int32
    private let heard = Mutex<[UInt8]>([])

    /// Connects over TCP on this machine; nil where no door listens.
    package convenience init?(port: Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port)).bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else { return nil }
        self.init(descriptor)
    }

    /// Connects over a Unix socket.
    package convenience init?(path: String) { self.init(pcd_unix_connect(path)) }

    /// Connects over UDP on this machine.
    package convenience init?(udp port: Int) { self.init(pcd_udp_connect("127.0.0.1", UInt16(port))) }

    private init?(_ descriptor: Int32) {
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { pcd_close(descriptor) }

    /// Sends as many bytes as the socket takes without waiting. Returns their count.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Int {
        var sent = 0
        while sent < bytes.count {
            let written = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            guard written > 0 else { break }
            sent += written
        }
        return sent
    }

    /// Sends a text. Returns the count of bytes sent.
    @discardableResult
    package func send(_ text: String) -> Int { send(Array(text.utf8)) }

    /// Reads the bytes that have arrived. Returns all bytes read so far.
    package func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return heard.withLock { $0 } }
            heard.withLock { $0 += buffer[..<count] }
        }
    }

    /// Returns whether a text is among all bytes read so far.
    package func hears(_ text: String) -> Bool { Data(read()).range(of: Data(text.utf8)) != nil }

    /// Returns a WebSocket text frame as a client sends it: masked, with the mask 0.
    package static func frame(_ text: String) -> [UInt8] {
        [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8)
    }

    /// Returns an HTTP request to upgrade to a WebSocket.
    package static func upgrade(_ path: String = "/") -> String {
        "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    }
}
