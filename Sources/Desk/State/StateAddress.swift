import Racks
import Stages

extension Parameter {
    /// Returns the table row of an address; nil where the address has no parameter.
    package static func standing(at address: String) -> Parameter? {
        let name = address.split(separator: "/").last.map(String.init) ?? ""
        return address.hasPrefix("loudspeaker/") ? .ofLoudspeaker(name) : .named(name)
    }
}

/// Addresses of the state, and the commands that set their values.
package enum StateAddress {
    /// Whether the ears are recorded: on or off.
    package static let record = "record"

    /// Returns the command that sets an address to a value; nil where it cannot be set, or not while a session runs.
    ///
    /// - Throws: `ParameterError` where the parameter does not accept the value.
    package static func command(_ address: String, _ value: ParameterValue) throws(ParameterError) -> SessionCommand? {
        let parts = address.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        switch (parts.first ?? "", parts.count) {
        case ("input", 3): return try set(parts[2], value, input: parts[1])
        case ("loudspeaker", 3):
            guard let parameter = Parameter.ofLoudspeaker(parts[2]) else { return nil }
            return try set(parameter.id, value, input: parts[1])
        case ("plugin", 3) where parts[2] == "bypass":
            return .plugin(.bypass(parts[1], value == .word("on")))
        // A symbol or a property's URI, which may hold slashes.
        case ("plugin", 4...) where parts[2] == "set":
            return .plugin(
                .set(
                    parts[1], symbol: parts[3...].joined(separator: "/"), value: value.written.joined(separator: " ")))
        case (record, 1):
            guard ["on", "off", "toggle"].contains(value.word) else { return nil }
            return .record(.turn(on: value == .word("toggle") ? nil : value == .word("on")))
        case (_, 1): return try set(address, value, input: nil)
        default: return nil
        }
    }

    /// Returns the command that clears the value at an address; nil where it cannot be cleared.
    package static func unsaying(_ address: String) -> SessionCommand? {
        let parts = address.split(separator: "/").map(String.init)
        guard let parameter = parts.last.flatMap({ Parameter.named($0) }), parameter.traits.contains(.isUnsetAtFirst)
        else { return nil }
        switch parts.count {
        case 1: return .set(ParameterChange(parameter, .unsaid))
        case 3 where parts[0] == "input": return .set(ParameterChange(parameter, .unsaid, input: parts[1]))
        default: return nil
        }
    }

    private static func set(
        _ name: String, _ value: ParameterValue, input: String?
    ) throws(ParameterError) -> SessionCommand? {
        guard let parameter = Parameter.named(name) else { return nil }
        return .set(ParameterChange(parameter, try parameter.value(of: value.written), input: input))
    }

    /// Returns whether the value at an address can be set while a session runs.
    package static func isSettable(_ address: String) -> Bool {
        guard isKept(address) else { return false }
        let name = address.split(separator: "/").last.map(String.init) ?? ""
        return address.hasPrefix("plugin/") || Parameter.named(name) != nil
    }

    /// Returns whether the value at an address is carried over to a later session; the others are facts of this one.
    package static func isKept(_ address: String) -> Bool {
        if address.hasPrefix("plugin/") { return true }
        let name = address.split(separator: "/").last.map(String.init) ?? ""
        guard Parameter.named(name)?.traits.contains(.isMomentary) != true else { return false }
        if address.hasPrefix("loudspeaker/") { return Parameter.ofLoudspeaker(name) != nil }
        return (address == name || address.hasPrefix("input/")) && Parameter.named(name) != nil
    }

    /// Returns whether an address is a control or property of a plugin.
    package static func isPluginControl(_ address: String) -> Bool {
        let parts = address.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count >= 4 && parts[0] == "plugin" && !parts[1].isEmpty && parts[2] == "set" && !parts[3].isEmpty
    }

    /// Returns whether the value at an address is a switch, which accepts 1 and 0 too. The `off` of a level is not 0.
    package static func isSwitch(_ address: String) -> Bool {
        if address == record { return true }
        if address.hasPrefix("plugin/") { return address.hasSuffix("/bypass") }
        let words = address.split(separator: "/").last.flatMap { Parameter.named(String($0)) }?.words ?? []
        return words.contains("on") && words.contains("off")
    }
}
