import CDevices
import Glibc

/// Address and port of a datagram's sender.
package struct DatagramSender: Hashable, Sendable {
    /// Address in network order, IPv4 in the upper half of `high`.
    private let high: UInt64
    private let low: UInt64
    private let isIPv4: Bool
    /// Port of the sender.
    package let port: UInt16

    /// Creates a sender. `address`: 4 or 16 bytes in network order; other lengths are truncated or padded with zeros.
    package init(address: [UInt8], port: UInt16) {
        func word(_ range: Range<Int>) -> UInt64 {
            range.reduce(0) { $0 << 8 | UInt64($1 < address.count ? address[$1] : 0) }
        }
        (high, low, isIPv4) = (word(0..<8), word(8..<16), address.count <= 4)
        self.port = port
    }

    /// Reads the sender of a datagram; `nil` if its address family is unknown.
    init?(_ datagram: borrowing pcd_datagram) {
        var address = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        let count = withUnsafePointer(to: datagram) { pcd_udp_sender($0, &address, &port) }
        guard count > 0 else { return nil }
        self.init(address: Array(address.prefix(Int(count))), port: port)
    }

    /// Returns whether another sender has the same address.
    func hasAddress(of other: DatagramSender) -> Bool { (high, low, isIPv4) == (other.high, other.low, other.isIPv4) }
}

extension DatagramSender: CustomStringConvertible {
    /// Text such as `192.168.1.7:50123` or `[fe80::1]:50123`.
    package var description: String {
        let bytes = [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(isIPv4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count))
        let address = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return isIPv4 ? "\(address):\(port)" : "[\(address)]:\(port)"
    }
}
