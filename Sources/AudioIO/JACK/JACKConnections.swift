import CJACK
import Glibc
import Synchronization

/// Finding ports and connecting to them.
enum JACKConnections {
    /// Names of ports by a regular expression and flags.
    static func ports(of client: OpaquePointer, matching pattern: String?, flags: UInt32) -> [String] {
        guard let list = jack_get_ports(client, pattern, "32 bit float mono audio", UInt(flags)) else { return [] }
        defer { jack_free(list) }
        var names: [String] = []
        var next = list
        while let name = next.pointee {
            names.append(String(cString: name))
            next += 1
        }
        return names
    }

    /// The alternatives a shell would make of braces: `a_{1,2}` becomes `a_1` and `a_2`; nested braces too.
    static func expandBraces(_ text: String) -> [String] {
        guard let open = text.firstIndex(of: "{") else { return [text] }
        var depth = 0
        var starts = [text.index(after: open)]
        var index = open
        while index < text.endIndex {
            switch text[index] {
            case "{": depth += 1
            case "}":
                depth -= 1
                if depth == 0 {
                    starts.append(text.index(after: index))
                    guard starts.count > 2 else { break }
                    let tails = expandBraces(String(text[text.index(after: index)...]))
                    var result: [String] = []
                    for (start, end) in zip(starts, starts.dropFirst()) {
                        let inner = text[start..<text.index(before: end)]
                        for middle in expandBraces(String(inner)) {
                            for tail in tails { result.append(text[..<open] + middle + tail) }
                        }
                    }
                    return result
                }
            case "," where depth == 1: starts.append(text.index(after: index))
            default: break
            }
            index = text.index(after: index)
        }
        return [text]
    }
}

extension JACKClient {
    /// Connects the two outputs to the ports a pattern names; never called by itself.
    ///
    /// `physical` is the first two inputs of the sound card; else braces are expanded as a shell does
    /// (`system:playback_{1,2}`), and each alternative is a port's name or alias, or else a regular expression for the
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
            for alternative in JACKConnections.expandBraces(pattern) {
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
