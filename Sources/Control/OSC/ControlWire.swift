import Desk

/// What all control messages share, see `ControlMessages`.
enum ControlWire {
    /// What every address begins with.
    static let prefix = "/proscenium/"

    /// What stands behind the prefix of an address; the address itself where it has none.
    static func name(of address: String) -> String {
        address.hasPrefix(prefix) ? String(address.dropFirst(prefix.count)) : address
    }

    /// Why a message is no command, as text for its sender.
    struct Unusable: Error { let reason: String }

    /// Why a message to an address of the table of commands is not done.
    static func unusable(_ address: String) -> Unusable {
        let name = name(of: address)
        return Unusable(reason: Command.at(name)?.row.refusal(at: name) ?? "\(name) is not understood")
    }
}
