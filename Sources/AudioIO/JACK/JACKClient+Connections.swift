import CJACK
import Glibc
import Synchronization

extension JACKClient {
    /// Connects the two outputs to the ports that a pattern names (see `JACKConnections.ports(named:flag:client:)`).
    /// Called only on request.
    ///
    /// The pattern `physical` names the sound card. The first two ports found are left and right. If only one port is
    /// found, both outputs are connected to it.
    ///
    /// - Returns: The connected ports, left first.
    /// - Throws: `notConnected`, also if the server forbids a client to connect its ports; `noSuchPort` or
    ///   `serverGone`.
    @discardableResult
    package func connectOutputs(to pattern: String) throws(JACKError) -> [String] {
        let targets = try found(pattern, flag: JackPortIsInput)
        let pair = [targets[0], targets.count > 1 ? targets[1] : targets[0]]
        for (output, target) in zip(["out_L", "out_R"], pair) { try connect("\(name):\(output)", to: target) }
        return pair
    }

    /// Connects the ports that a pattern names to the inputs, in order, until one of the two lists ends. Called only on
    /// request, after `activate`.
    ///
    /// The pattern `physical` names the sound card's capture ports.
    ///
    /// - Returns: The connections made.
    @discardableResult
    package func connectInputs(from pattern: String) throws(JACKError) -> [JACKLink] {
        let sources = try found(pattern, flag: JackPortIsOutput)
        let inputs = state.withLock { $0.parts.ports.map { "\(name):in_" + $0.symbol } }
        let links = zip(sources, inputs).map { JACKLink(from: $0, to: $1) }
        for link in links { try connect(link.from, to: link.to) }
        return links
    }

    /// Returns the ports of other clients that a pattern names. Throws `noSuchPort` if the pattern names none.
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

    /// Connects two ports by name. An existing connection is no error.
    package func connect(_ from: String, to: String) throws(JACKError) {
        let (giver, taker) = (serverName(from), serverName(to))
        let code = try asking { JACKRequest.connect($0, giver, taker) }
        // PipeWire 0.3.65 reports errors as positive numbers.
        guard code == 0 || code == EEXIST else { throw .notConnected(from: from, to: to, code: code) }
    }

    /// Number of the sound card's playback ports. It is 0 without a sound card, or once the client is closed.
    package var physicalInputCount: Int {
        ifOpen(0) { JACKConnections.ports(named: "physical", flag: JackPortIsInput, client: $0).count }
    }

    /// Connections of the client's ports, as the supervisor last read them. After the loss of the server these are the
    /// connections to restore.
    package var links: [JACKLink] { state.withLock { $0.supervisor?.connections ?? [] } }
}
