import Glibc

/// Addresses that only programs on this machine can reach.
package enum Loopback {
    /// Returns whether a host, given as a numeric address or as `localhost`, is a loopback address. A host name such as
    /// `127.example.org` is not one, because it may resolve to any address.
    package static func contains(_ host: String) -> Bool {
        if host.lowercased() == "localhost" || host == "::1" { return true }
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
    }
}
