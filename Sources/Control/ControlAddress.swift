/// Where a control socket listens: `[ADDRESS:]PORT`, an IPv6 address in brackets, as `[::1]:9150`; without an address
/// the IPv4 loopback.
package struct ControlAddress: Sendable, Hashable, CustomStringConvertible {
    /// The port used when nothing is said.
    package static let defaultPort = 9150

    /// A numeric address, IPv6 without its brackets, or `localhost`; a client may name any host.
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

    /// The host, and for `localhost` its IPv4 address, at which sessions listen: a name may stand for an IPv6 address
    /// too.
    var numericHost: String { host == "localhost" ? "127.0.0.1" : host }

    /// As it is written on the command line.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
