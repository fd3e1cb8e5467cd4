/// Which ports the two ears go to, as the server tells one change after another, and which change is a loss.
///
/// An ear has lost its route when its last connection goes; and when the last one to a sound card goes, whatever else
/// (a recorder, a meter) is still connected: a listener on headphones is not to be heard on whatever comes next.
/// Where the new port is connected before the old one goes, the route has changed, and nothing is lost. In freewheel
/// nothing is heard: what is lost there counts when it ends, unless it is back. A pure value;
/// used on the notification thread.
struct RouteWatch: Sendable {
    private struct Peer {
        var port: UInt32
        var name: String
        var isPhysical: Bool
    }

    /// `[ear]`.
    private var peers: [[Peer]] = [[], []]
    private var isFreewheeling = false
    /// What was lost in freewheel.
    private var lostMeanwhile: [(ear: Int, peer: Peer)] = []
    /// What was lost since it was last asked for: left 0, right 1.
    private var lost: [(ear: Int, name: String)] = []

    /// An ear was connected to a port.
    mutating func connect(ear: Int, port: UInt32, name: String, isPhysical: Bool) {
        peers[ear].removeAll { $0.port == port }
        peers[ear].append(Peer(port: port, name: name, isPhysical: isPhysical))
        lostMeanwhile.removeAll { $0.ear == ear && ($0.peer.port == port || $0.peer.name == name) }
    }

    /// An ear was disconnected from a port. True: its route is lost.
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

    /// Freewheel begins or ends. True: a route was lost in it.
    mutating func freewheel(_ begins: Bool) -> Bool {
        isFreewheeling = begins
        guard !begins, !lostMeanwhile.isEmpty else { return false }
        lost += lostMeanwhile.map { ($0.ear, $0.peer.name) }
        lostMeanwhile = []
        return true
    }

    /// What was lost since the last call.
    mutating func takeLost() -> [(ear: Int, name: String)] {
        defer { lost = [] }
        return lost
    }
}
