import Glibc

/// Ports for programs that must be told one before they open it; one that can be given port 0 and asked afterwards
/// should be.
package enum Ports {
    /// A UDP port of the loopback that no program has, chosen by the system and given back: it hands them out in no
    /// order, so that no other program is given it soon.
    package static func free() -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        precondition(isBound, "no port is free")
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
