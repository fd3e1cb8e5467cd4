import CJACK
import Glibc
import Synchronization

extension JACKClient {
    /// Connects the two outputs to the ports a pattern names; never called by itself.
    ///
    /// `physical` is the first two inputs of the sound card; else a list with commas (`phones:left,phones:right`), in which braces
    /// are expanded as a shell does (`system:playback_{1,2}`), and each alternative is a port's name or alias, or else a regular expression for the
    /// whole name (`.*:playback_F[LR]`). The first two ports found are left and right; a single one gets both ears.
    /// - Returns: the ports connected, left first. A server that vetoes self-made connections gives `notConnected`.
    @discardableResult
    package func connectOutputs(to pattern: String) throws(JACKError) -> [String] {
        guard !hasLostServer else { throw .serverGone }
        var targets: [String] = []
        let isInput = UInt32(JackPortIsInput.rawValue)
        if pattern == "physical" {
            targets = JACKConnections.ports(
                of: client, matching: nil, flags: isInput | UInt32(JackPortIsPhysical.rawValue))
        } else {
            // A name may hold a comma.
            let isName = jack_port_by_name(client, pattern) != nil
            for alternative in isName ? [pattern] : JACKConnections.alternatives(pattern) {
                if let port = jack_port_by_name(client, alternative),
                    jack_port_flags(port) & Int32(JackPortIsInput.rawValue) != 0
                {
                    targets.append(String(cString: jack_port_name(port)))
                } else {
                    targets += JACKConnections.ports(of: client, matching: "^(\(alternative))$", flags: isInput)
                }
            }
        }
        targets.removeAll { $0.hasPrefix(name + ":") }
        guard let left = targets.first else {
            let all = JACKConnections.ports(of: client, matching: nil, flags: isInput)
            throw .noSuchPort(pattern: pattern, available: all.filter { !$0.hasPrefix(name + ":") })
        }
        let pair = [left, targets.count > 1 ? targets[1] : left]
        for (output, target) in zip(["out_L", "out_R"], pair) { try connect("\(name):\(output)", to: target) }
        return pair
    }

    /// Connects two ports by name; an existing connection is no error.
    package func connect(_ from: String, to: String) throws(JACKError) {
        guard !hasLostServer else { throw .serverGone }
        let code = jack_connect(client, from, to)
        // PipeWire 0.3.65 answers with positive numbers.
        guard code == 0 || code == EEXIST else { throw .notConnected(from: from, to: to, code: code) }
    }

    /// The connections of our ports, as pairs from output to input: to be restored after the server was lost.
    package var connections: [(from: String, to: String)] {
        state.withLock { $0.supervisor?.connections ?? [] }
    }
}
