/// Address of a session manager as in `NSM_URL`, for example `osc.udp://host:14735/`.
package struct NSMAddress: Sendable, Equatable, CustomStringConvertible {
    /// Name of the environment variable with the address.
    package static let variable = "NSM_URL"

    /// Host name or numeric address; IPv6 without brackets.
    package let host: String
    /// Port, 1…65535.
    package let port: Int

    /// Parses the address as the manager writes it; nil if it is malformed or not UDP, which is the only transport of
    /// managers.
    package init?(_ text: String) {
        let scheme = "osc.udp://"
        guard text.hasPrefix(scheme) else { return nil }
        var rest = text.dropFirst(scheme.count)
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard let colon = rest.lastIndex(of: ":"), let port = Int(rest[rest.index(after: colon)...]),
            (1...65_535).contains(port)
        else { return nil }
        var host = rest[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty, host.allSatisfy({ !$0.isWhitespace && $0 != "/" && $0 != "[" && $0 != "]" }) else {
            return nil
        }
        self.host = String(host)
        self.port = port
    }

    /// Address as the manager writes it.
    package var description: String { "osc.udp://\(host.contains(":") ? "[\(host)]" : host):\(port)/" }
}
