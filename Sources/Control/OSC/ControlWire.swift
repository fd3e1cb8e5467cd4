import Desk

/// Conventions of all control messages, see `ControlMessages`.
enum ControlWire {
    /// Prefix of every address.
    static let prefix = "/proscenium/"
    /// Address to which a client on another machine sends the session's token.
    static let token = prefix + DoorCommand.token.rawValue

    /// Returns the address without the prefix. An address that lacks the prefix is returned unchanged.
    static func name(of address: String) -> String {
        address.hasPrefix(prefix) ? String(address.dropFirst(prefix.count)) : address
    }

    /// Reason why a message is not a command, as text for its sender.
    struct Unusable: Error { let reason: String }

    /// Returns the reason why a message is not carried out: invalid arguments, or an unknown address.
    static func unusable(_ address: String) -> Unusable {
        let name = name(of: address)
        return Unusable(reason: Command.at(name)?.row.refusal(at: name) ?? "\(name) is not understood")
    }
}
