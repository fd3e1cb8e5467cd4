import CJACK
import Glibc
import Synchronization

/// Search for ports, and connections between them.
enum JACKConnections {
    /// Returns the names of ports that match a regular expression, flags and a type (audio by default).
    static func ports(
        of client: OpaquePointer, matching pattern: String?, flags: UInt32, type: String = "32 bit float mono audio"
    ) -> [String] {
        names(jack_get_ports(client, pattern, type, UInt(flags)))
    }

    /// Returns the audio ports that a pattern of the command line names, in the order of the pattern.
    ///
    /// The pattern `physical` names the ports of the sound card. Any other pattern is a list with commas
    /// (`phones:left,phones:right`). Braces in it are expanded as in a shell (`system:playback_{1,2}`). Each
    /// alternative is one of three kinds: a port's name or alias, a name with a shell's stars (`recorder:out_*`), or a
    /// regular expression for the whole name (`.*:playback_F[LR]`). `flag` selects inputs or outputs.
    static func ports(named pattern: String, flag: JackPortFlags, client: OpaquePointer) -> [String] {
        let flags = UInt32(flag.rawValue)
        if pattern == "physical" {
            return ports(of: client, matching: nil, flags: flags | UInt32(JackPortIsPhysical.rawValue))
        }
        // A port's name may contain a comma.
        let isName = jack_port_by_name(client, pattern) != nil
        return (isName ? [pattern] : alternatives(pattern)).flatMap { alternative in
            if let port = jack_port_by_name(client, alternative), jack_port_flags(port) & Int32(flags) != 0 {
                return [String(cString: jack_port_name(port))]
            }
            for expression in expressions(of: alternative) {
                let found = ports(of: client, matching: expression, flags: flags)
                if !found.isEmpty { return found }
            }
            return []
        }
    }

    /// Registers outputs `out_1`, `out_2`, … and stores them in an allocated buffer.
    static func register(
        outputs: UnsafeMutablePointer<OpaquePointer>, count: Int, client: OpaquePointer
    ) throws(JACKError) {
        for channel in 0..<count {
            guard
                let port = JACKRequest.registerPort(
                    client, "out_\(channel + 1)", "32 bit float mono audio", UInt(JackPortIsOutput.rawValue))
            else { throw JACKPortKind.refusal(by: client, registered: channel, wanted: count) }
            outputs[channel] = port
        }
    }

    /// Connects outputs, in order, to the audio inputs of a client, until one of the two lists ends.
    static func join(_ outputs: [String], to name: String, client: OpaquePointer) throws(JACKError) {
        let inputs = inputs(of: name, client: client)
        guard !inputs.isEmpty else { throw .noSuchPort(pattern: "\(name):*", takesSound: true, available: []) }
        for (output, input) in zip(outputs, inputs) {
            let code = JACKRequest.connect(client, output, input)
            guard code == 0 || code == EEXIST else { throw .notConnected(from: output, to: input, code: code) }
        }
    }

    /// Returns the audio inputs of a client in their order. If the client is a stage, the inputs of its relays come
    /// first.
    static func inputs(of name: String, client: OpaquePointer) -> [String] {
        let all = ports(of: client, matching: nil, flags: UInt32(JackPortIsInput.rawValue))
        let ends = jack_port_by_name(client, "\(name):\(JACKCable.start)").map { peers(of: $0, client: client) }
        let mark = ":" + JACKCable.end
        let relays = (ends ?? []).filter { $0.hasSuffix(mark) }
        let taken = all.filter { port in
            !relays.contains(port) && relays.contains { port.hasPrefix($0.dropLast(mark.count) + ":") }
        }
        return taken + all.filter { $0.hasPrefix(name + ":") }
    }

    /// Returns the names of the ports to which a port is connected.
    static func peers(of port: OpaquePointer, client: OpaquePointer) -> [String] {
        names(jack_port_get_all_connections(client, port))
    }

    /// Returns the strings of a list that libjack allocated, and frees the list.
    private static func names(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
        guard let list else { return [] }
        defer { jack_free(list) }
        var names: [String] = []
        var next = list
        while let name = next.pointee {
            names.append(String(cString: name))
            next += 1
        }
        return names
    }

    /// Returns the regular expressions for a name, the likelier one first. `in_*` is more likely a shell's pattern,
    /// `in_[0-9]*` a regular expression.
    static func expressions(of name: String) -> [String] {
        let plain = "^(\(name))$"
        guard let starred = starred(name) else { return [plain] }
        return name.contains { #".[](){}^$+?|\"#.contains($0) } ? [plain, starred] : [starred, plain]
    }

    /// Returns the regular expression of a name in which stars stand for any characters; nil without a star.
    static func starred(_ name: String) -> String? {
        guard name.contains("*") else { return nil }
        let letters = name.map { letter in
            letter == "*" ? ".*" : #".[](){}^$+?|\"#.contains(letter) ? #"\\#(letter)"# : String(letter)
        }
        return "^\(letters.joined())$"
    }

    /// Expands a list: `a_{1,2},b` names `a_1`, `a_2` and `b`.
    static func alternatives(_ list: String) -> [String] {
        let braced = "{\(list)}"
        let listed = expandBraces(braced)
        return listed == [braced] ? expandBraces(list) : listed
    }

    /// Expands braces as a shell does: `a_{1,2}` becomes `a_1` and `a_2`. Braces may be nested.
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
                    let tails = expandBraces(String(text[text.index(after: index)...]))
                    // Braces without a comma belong to a regular expression.
                    guard starts.count > 2 else { return tails.map { text[...index] + $0 } }
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
