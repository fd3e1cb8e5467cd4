import Gate
import Loading

/// Which clients are let in: every user of this machine where a door is on the loopback;
/// with a token where it is wider.
package struct DoorAccess: Sendable {
    /// What must be said at a door that is open to a network; nil: such a door is not opened.
    package let token: String?
    /// Seconds within which a connection has to say the token; one that does not makes room for others.
    let patience: Double

    /// Access with a token, or on the loopback alone.
    package init(token: String? = nil, patience: Double = 10) { (self.token, self.patience) = (token, patience) }

    /// Throws where a door at an address would be open to a network, and there is no token.
    package func check(_ address: ControlAddress) throws(SessionError) {
        guard !Loopback.contains(address.host), token == nil else { return }
        throw SessionError(
            .usage, "\(address) can be reached by others than this machine; say with --token what they have to know")
    }

    /// Whether a token is the right one; takes as long for a wrong one as for the right one.
    package func accepts(_ said: String?) -> Bool {
        guard let token else { return true }
        guard let said, !token.isEmpty else { return false }
        let (known, heard) = (Array(token.utf8), Array(said.utf8))
        var difference = known.count ^ heard.count
        for index in heard.indices { difference |= Int(heard[index] ^ known[index % known.count]) }
        return difference == 0
    }
}
