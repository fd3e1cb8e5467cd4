/// Ports connected to the two outputs, from the server's single changes, and the detection of a lost route.
///
/// An output has lost its route when its last connection is removed, or its last one to a sound card, even if others (a
/// recorder, a meter) remain: a headphone signal must not reach the next device unasked. If the new port is connected
/// before the old one is removed, the route has changed, and is not lost. Freewheel is silent: a loss there counts at
/// its end, unless the connection is back. A pure value; used on the notification thread.
struct RouteWatch: Sendable {
    private struct Peer {
        var port: UInt32
        var name: String
        var isPhysical: Bool
    }

    /// `[ear]`: connected ports.
    private var peers: [[Peer]] = [[], []]
    private var isFreewheeling = false
    /// Connections lost in freewheel.
    private var lostMeanwhile: [(ear: Int, peer: Peer)] = []
    /// Connections lost since the last call of `takeLost`: left 0, right 1.
    private var lost: [(ear: Int, name: String)] = []

    /// Adds a connection of an output.
    mutating func connect(ear: Int, port: UInt32, name: String, isPhysical: Bool) {
        peers[ear].removeAll { $0.port == port }
        peers[ear].append(Peer(port: port, name: name, isPhysical: isPhysical))
        lostMeanwhile.removeAll { $0.ear == ear && ($0.peer.port == port || $0.peer.name == name) }
    }

    /// Removes a connection of an output. True: its route is lost.
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

    /// Starts or ends freewheel. True: a route was lost during it.
    mutating func freewheel(_ begins: Bool) -> Bool {
        isFreewheeling = begins
        guard !begins, !lostMeanwhile.isEmpty else { return false }
        lost += lostMeanwhile.map { ($0.ear, $0.peer.name) }
        lostMeanwhile = []
        return true
    }

    /// Returns the connections lost since the last call.
    mutating func takeLost() -> [(ear: Int, name: String)] {
        defer { lost = [] }
        return lost
    }
}
