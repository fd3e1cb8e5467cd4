/// Tracks the ports that are connected to the two outputs, by the server's reports of changes, and detects the loss of
/// a route, which is an output's connection to the listener's device.
///
/// An output loses its route when its last connection is removed. It also loses its route when its last connection to a
/// sound card is removed, even if other connections remain (a recorder, a meter). A headphone signal must not reach
/// another device unasked. If a new port is connected before the old one is removed, the route changes and is not lost.
/// In freewheel the sound card plays nothing; a loss in freewheel counts at the end of freewheel, unless the connection
/// is back. It is a value without references; `JACKContext.route` protects it by a lock.
struct RouteWatch: Sendable {
    private struct Peer {
        var port: UInt32
        var name: String
        var isPhysical: Bool
    }

    /// `[ear]`: ports to which the output is connected.
    private var peers: [[Peer]] = [[], []]
    private var isFreewheeling = false
    /// Connections that were lost during freewheel.
    private var lostMeanwhile: [(ear: Int, peer: Peer)] = []
    /// Connections that were lost since the last call of `takeLost`. Ear 0 is left, ear 1 is right.
    private var lost: [(ear: Int, name: String)] = []

    /// Adds a connection of an output.
    mutating func connect(ear: Int, port: UInt32, name: String, isPhysical: Bool) {
        peers[ear].removeAll { $0.port == port }
        peers[ear].append(Peer(port: port, name: name, isPhysical: isPhysical))
        lostMeanwhile.removeAll { $0.ear == ear && ($0.peer.port == port || $0.peer.name == name) }
    }

    /// Removes a connection of an output. Returns whether the output has lost its route; in freewheel false.
    mutating func disconnect(ear: Int, port: UInt32) -> Bool {
        guard let index = peers[ear].firstIndex(where: { $0.port == port }) else { return false }
        let gone = peers[ear].remove(at: index)
        let isLoss = peers[ear].isEmpty || (gone.isPhysical && !peers[ear].contains { $0.isPhysical })
        guard isLoss else { return false }
        if isFreewheeling {
            lostMeanwhile.append((ear, gone))
            return false
        }
        lost.append((ear, gone.name))
        return true
    }

    /// Starts or ends freewheel. Returns whether a route was lost during freewheel.
    mutating func freewheel(_ begins: Bool) -> Bool {
        isFreewheeling = begins
        guard !begins, !lostMeanwhile.isEmpty else { return false }
        lost += lostMeanwhile.map { ($0.ear, $0.peer.name) }
        lostMeanwhile = []
        return true
    }

    /// Returns the connections that were lost since the last call.
    mutating func takeLost() -> [(ear: Int, name: String)] {
        defer { lost = [] }
        return lost
    }
}
