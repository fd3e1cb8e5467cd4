import Glibc

/// Addresses that only programs of this machine reach.
package enum Loopback {
    /// Whether a host, numeric or `localhost`, is one. A name that only looks like one, as `127.example.org`, may lead
    /// anywhere.
    package static func contains(_ host: String) -> Bool {
        if host.lowercased() == "localhost" || host == "::1" { return true }
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
    }
}
