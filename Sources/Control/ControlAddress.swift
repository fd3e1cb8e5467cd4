/// Where a control socket listens: `[ADDRESS:]PORT`; without an address the loopback.
package struct ControlAddress: Sendable, Hashable, CustomStringConvertible {
    /// The port used when nothing is said.
    package static let defaultPort = 9150

    /// A numeric IPv4 address or `localhost`; for whoever asks a session, any host name too.
    package let host: String
    /// 1…65535; 0 where a server is to take any that is free.
    package let port: Int

    /// An address; `port` 0 for any that is free.
    package init(host: String = "127.0.0.1", port: Int) {
        self.host = host
        self.port = port
    }

    /// An address as written; nil if the port is none.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let port = Int(parts[parts.count - 1]), (1...65_535).contains(port) else {
            return nil
        }
        host = parts.count == 2 ? String(parts[0]) : "127.0.0.1"
        guard !host.isEmpty else { return nil }
        self.port = port
    }

    /// The host, and for `localhost` its IPv4 address, at which sessions listen: a name may stand for an IPv6 address
    /// too.
    var numericHost: String { host == "localhost" ? "127.0.0.1" : host }

    /// As it is written on the command line.
    package var description: String { "\(host):\(port)" }
}
