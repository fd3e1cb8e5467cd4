import Gate
import Loading

/// Access of clients to a control interface. On a network a token is required. On the loopback every user of this
/// machine has access; only the web interface requires a token there too, if one is set.
package struct DoorAccess: Sendable {
    /// Token of the clients; nil permits no control interface on a network.
    package let token: String?
    /// Time within which a client must send the token and, over HTTP, complete a request; seconds.
    let patience: Double

    /// Creates an access with a token, or only for the loopback.
    package init(token: String? = nil, patience: Double = 10) { (self.token, self.patience) = (token, patience) }

    /// Throws an error if the address is on a network and there is no token.
    package func check(_ address: ControlAddress) throws(SessionError) {
        guard !Loopback.contains(address.host), token == nil else { return }
        throw SessionError(
            .usage, "\(address) can be reached from other machines; set with --token the word that they must send")
    }

    /// Returns whether a token is correct; true for any token, and for nil, if none is set. The duration of the
    /// comparison does not depend on the number of correct characters.
    package func accepts(_ said: String?) -> Bool {
        guard let token else { return true }
        guard let said, !token.isEmpty else { return false }
        let (known, heard) = (Array(token.utf8), Array(said.utf8))
        var difference = known.count ^ heard.count
        for index in heard.indices { difference |= Int(heard[index] ^ known[index % known.count]) }
        return difference == 0
    }
}
