import Glibc
import Synchronization

/// Free ports for programs that need a port number before they open it. A program that can open port 0 and report the
/// number should do that instead.
package enum Ports {
    /// Descriptors of sockets whose abstract names reserve the ports of this process, as in `Scripts/free_ports.py`.
    private static let held = Mutex<[Int32]>([])

    /// Returns a UDP and TCP port of the loopback that no program has open. It is no ephemeral port, so the system does
    /// not hand it out; an abstract socket name reserves it among processes that choose in this way, until this process
    /// ends.
    package static func free() -> Int {
        for port in (10_000..<firstOfTheSystem).shuffled() {
            let name = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            if hold(port, by: name), isFree(port, SOCK_DGRAM), isFree(port, SOCK_STREAM) {
                held.withLock { $0.append(name) }
                return port
            }
            close(name)
        }
        preconditionFailure("no port is free")
    }

    /// First of the ephemeral ports, which the system hands out by itself.
    private static var firstOfTheSystem: Int {
        guard let file = fopen("/proc/sys/net/ipv4/ip_local_port_range", "r") else { return 32_768 }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 64)
        guard fgets(&text, 64, file) != nil else { return 32_768 }
        return max(12_000, Int(strtol(text, nil, 10)))
    }

    private static func hold(_ port: Int, by descriptor: Int32) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = [0] + Array("proscenium-port-\(port)".utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t((MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2) + name.count)
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) == 0 }
        }
    }

    private static func isFree(_ port: Int, _ kind: __socket_type) -> Bool {
        let descriptor = socket(AF_INET, Int32(kind.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
