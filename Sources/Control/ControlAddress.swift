import Glibc

/// Address of a control socket, written `[ADDRESS:]PORT`. An IPv6 address is in brackets, for example `[::1]:9150`. A
/// port without an address is on the IPv4 loopback.
package struct ControlAddress: Sendable, Hashable, CustomStringConvertible {
    /// Default port.
    package static let defaultPort = 9150

    /// Numeric address (IPv6 without brackets) or `localhost`. For a client it may be any host name.
    package let host: String
    /// Port, 1…65535; 0 lets a server use any free port.
    package let port: Int

    /// Creates an address. `port` 0 means any free port.
    package init(host: String = "127.0.0.1", port: Int) {
        self.host = host
        self.port = port
    }

    /// Parses an address; nil if the text has another form or the port is outside 1…65535.
    package init?(_ text: String) {
        let place: Substring, number: Substring
        if text.first == "[", let end = text.firstIndex(of: "]") {
            place = text[text.index(after: text.startIndex)..<end]
            guard place.contains(":"), text[end...].hasPrefix("]:") else { return nil }
            number = text[end...].dropFirst(2)
        } else {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count) else { return nil }
            place = parts.count == 2 ? parts[0] : "127.0.0.1"
            number = parts[parts.count - 1]
        }
        guard !place.isEmpty, let port = Int(number), (1...65_535).contains(port) else { return nil }
        host = String(place)
        self.port = port
    }

    /// Host, with `localhost` replaced by 127.0.0.1. By default a session listens at 127.0.0.1, but the name may also
    /// resolve to an IPv6 address.
    var numericHost: String { host.lowercased() == "localhost" ? "127.0.0.1" : host }

    /// Address family of the numeric host, `AF_INET` or `AF_INET6`; nil for a host name.
    var family: Int32? {
        var bytes = in6_addr()
        if inet_pton(AF_INET, numericHost, &bytes) == 1 { return AF_INET }
        return inet_pton(AF_INET6, numericHost, &bytes) == 1 ? AF_INET6 : nil
    }

    /// Address as on the command line.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// URL of the page that a web interface at this address serves. If the interface listens on all addresses of this
    /// machine, the URL contains the loopback's address.
    package var page: String {
        let shown = ["0.0.0.0": "127.0.0.1", "::": "::1"][host] ?? host
        return "http://\(ControlAddress(host: shown, port: port))/"
    }
}
