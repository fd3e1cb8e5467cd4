import CJACK
import Glibc
import Synchronization

extension JACKClient {
    /// Connects the two outputs to the ports that a pattern names (see `JACKConnections.ports(named:flag:client:)`).
    /// Only on request.
    ///
    /// `physical` is the sound card. The first two ports found are left and right; a single one gets both outputs.
    /// - Returns: the connected ports, left first. A server that forbids a client's own connections gives
    ///   `notConnected`.
    @discardableResult
    package func connectOutputs(to pattern: String) throws(JACKError) -> [String] {
        let targets = try found(pattern, flag: JackPortIsInput)
        let pair = [targets[0], targets.count > 1 ? targets[1] : targets[0]]
        for (output, target) in zip(["out_L", "out_R"], pair) { try connect("\(name):\(output)", to: target) }
        return pair
    }

    /// Connects the ports that a pattern names to the inputs, in order, up to the smaller number. After `activate`, and
    /// only on request.
    ///
    /// `physical` is the sound card's capture.
    /// - Returns: the connections made.
    @discardableResult
    package func connectInputs(from pattern: String) throws(JACKError) -> [JACKLink] {
        let sources = try found(pattern, flag: JackPortIsOutput)
        let inputs = state.withLock { $0.parts.ports.map { "\(name):in_" + $0.symbol } }
        let links = zip(sources, inputs).map { JACKLink(from: $0, to: $1) }
        for link in links { try connect(link.from, to: link.to) }
        return links
    }

    /// Returns other clients' ports that a pattern names; throws without any.
    private func found(_ pattern: String, flag: JackPortFlags) throws(JACKError) -> [String] {
        let (ports, all) = try asking { client in
            let ports = JACKConnections.ports(named: pattern, flag: flag, client: client)
            return (ports, JACKConnections.ports(of: client, matching: nil, flags: UInt32(flag.rawValue)))
        }
        let own = state.withLock { [name] + $0.relays.map(\.name) }
        func isOther(_ port: String) -> Bool { !own.contains { port.hasPrefix($0 + ":") } }
        let others = ports.filter(isOther)
        guard !others.isEmpty else {
            throw .noSuchPort(
                pattern: pattern, takesSound: flag == JackPortIsInput, available: all.filter(isOther))
        }
        return others
    }

    /// Connects two ports by name; an existing connection is no error.
    package func connect(_ from: String, to: String) throws(JACKError) {
        let (giver, taker) = (serverName(from), serverName(to))
        let code = try asking { jack_connect($0, giver, taker) }
        // PipeWire 0.3.65 reports errors as positive numbers.
        guard code == 0 || code == EEXIST else { throw .notConnected(from: from, to: to, code: code) }
    }

    /// Number of the sound card's ports that take sound; 0 without a card, or once the client is closed.
    package var physicalInputCount: Int {
        ifOpen(0) { JACKConnections.ports(named: "physical", flag: JackPortIsInput, client: $0).count }
    }

    /// Connections of the client's ports, as last seen; after the loss of the server, the last ones.
    package var links: [JACKLink] { state.withLock { $0.supervisor?.connections ?? [] } }
}
