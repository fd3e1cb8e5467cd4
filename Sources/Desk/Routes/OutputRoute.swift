import AudioIO

/// Output connections of the ears, and the decision whether playback continues after they change.
///
/// A pure value: it receives the server's connections and the user's requests, and returns the steps to take. Muting
/// itself happens earlier, on the thread that first detects the loss. Times are arguments: seconds of any monotonic
/// clock.
package struct OutputRoute: Sendable, Equatable {
    /// State of the route.
    package enum State: String, Sendable, Codable {
        /// No ear is connected, and no loss mutes the output. The user has to connect the ports.
        case unconnected
        /// At least one ear is connected, and no loss mutes the output.
        case playing
        /// The route was lost: the ears are muted until the user or the policy resumes playback.
        case held
    }

    /// A step to take.
    package enum Step: Equatable {
        /// Mutes the ears if they are not muted yet.
        case close
        /// Unmutes the ears.
        case open
        /// Restores these connections, whose ports had vanished and are back.
        case connect([JACKLink])
        /// Ends the session, which lost these ports.
        case quit(lost: [String])
        /// Sends an event to the clients that watch.
        case tell(SessionEvent)
    }

    /// Policy for a lost route.
    package let policy: RouteLossPolicy
    /// Present state.
    package private(set) var state = State.unconnected
    /// Connections of the ears at the last update.
    package private(set) var links: [JACKLink] = []
    /// The connections lost since the route has been held, restored ones included; empty while it is not held.
    package private(set) var lost: [JACKLink] = []
    /// The connections in `lost` whose ports vanished.
    private var vanished: Set<JACKLink> = []
    /// Time of the newest loss.
    private var lostAt = 0.0
    /// Time of the last loss during playback, and the connections before it.
    private var heldSince = 0.0
    private var linksBefore: [JACKLink] = []
    /// Whether the route was reported as held because of a loss that the end of the server had caused.
    private var wasServer = false

    /// Creates a route without connections.
    package init(policy: RouteLossPolicy) { self.policy = policy }

    /// Updates the connections of the ears. Resumes playback if the lost ones are restored and the policy permits it.
    package mutating func change(to links: [JACKLink], at time: Double) -> [Step] {
        self.links = links
        switch state {
        case .unconnected, .playing:
            state = links.isEmpty ? .unconnected : .playing
            return []
        case .held: return isRestored && mayGoOn(at: time) ? release() : []
        }
    }

    /// Records the loss of connections. `change` records their return.
    package mutating func lose(_ links: [JACKLink], at time: Double) -> [Step] {
        if state == .playing { (heldSince, linksBefore) = (time, self.links) }
        self.links.removeAll { links.contains($0) }
        switch policy {
        case .continue: return [.tell(.routeLost(links.map(\.to)))]
        case .quit: return [.close, .tell(.routeLost(links.map(\.to))), .quit(lost: links.map(\.to))]
        case .patch, .mute, .reconnect:
            let isNew = state != .held
            state = .held
            lostAt = time
            for link in links where !lost.contains(link) { lost.append(link) }
            return [.close, .tell(.routeLost(links.map(\.to)))] + (isNew ? [.tell(.routeHeld)] : [])
        }
    }

    /// Resumes playback with the present connections, at the user's request.
    package mutating func resume() -> [Step] { state == .held ? release() : [] }

    /// Whether to check for the return of the lost ports.
    package var waitsForPorts: Bool { state == .held && policy == .reconnect }

    /// Checks which of the lost ports exist while `waitsForPorts`. Reconnects a port that had vanished and is back. A
    /// port that existed all the time was disconnected by hand, and is not reconnected unless it vanishes.
    package mutating func look(portExists: (String) -> Bool) -> [Step] {
        guard waitsForPorts else { return [] }
        var back: [JACKLink] = []
        for link in lost {
            if !portExists(link.to) {
                vanished.insert(link)
            } else if vanished.remove(link) != nil {
                back.append(link)
            }
        }
        return back.isEmpty ? [] : [.connect(back)]
    }

    /// Records that the server refused to restore a connection. The next `look` restores it if its port still exists.
    package mutating func refused(_ link: JACKLink) {
        if lost.contains(link) { vanished.insert(link) }
    }

    /// Records the end of the server. If the route has been held for at most `grace` seconds, the end of the server was
    /// the cause, not a disconnection by hand: the route gets its state from before the loss.
    package mutating func serverGone(at time: Double, grace: Double) {
        guard state == .held, time - heldSince <= grace, !linksBefore.isEmpty else { return }
        (state, links, lost, vanished, wasServer) = (.playing, linksBefore, [], [], true)
    }

    /// Takes over the connections of a new client, which replaces the former one after a new start of the server or a
    /// change of sample rate. If an ear was connected during playback and has no connection now, its connections are
    /// lost.
    package mutating func reopen(with links: [JACKLink], at time: Double) -> [Step] {
        guard state == .playing else { return change(to: links, at: time) }
        func ear(_ link: JACKLink) -> Substring { link.from.suffix(1) }
        let missing = self.links.filter { old in !links.contains { ear($0) == ear(old) } }
        defer { wasServer = false }
        guard missing.isEmpty else {
            self.links = links
            return lose(missing, at: time)
        }
        return change(to: links, at: time) + (wasServer ? [.tell(.routeResumed(links.map(\.to)))] : [])
    }

    /// Returns whether the policy resumes playback without the user after the return of the connections.
    private func mayGoOn(at time: Double) -> Bool {
        switch policy {
        case .reconnect: true
        case .patch: time - lostAt <= RouteLossPolicy.patching
        case .mute, .continue, .quit: false
        }
    }

    /// Whether each ear that lost connections has at least one of them back.
    private var isRestored: Bool {
        Set(lost.map(\.from)).allSatisfy { ear in lost.contains { $0.from == ear && links.contains($0) } }
    }

    private mutating func release() -> [Step] {
        state = links.isEmpty ? .unconnected : .playing
        (lost, vanished) = ([], [])
        return [.open, .tell(.routeResumed(links.map(\.to)))]
    }
}

/// Policies for a loss of the ears' connections, for example if headphones are unplugged, a device is switched off, or
/// a connection is removed.
package enum RouteLossPolicy: String, Sendable, CaseIterable, Codable {
    /// Mutes. Resumes without the user if each ear regains one of its lost connections within `patching` seconds, for
    /// example when a cable is moved; later only the user resumes.
    case patch
    /// Mutes, and waits for the user, whatever is connected.
    case mute
    /// Mutes. Resumes without the user when each ear has regained one of its lost connections. Reconnects ports that
    /// had vanished and are back.
    case reconnect
    /// Does not mute: the next connections are audible at once.
    case `continue`
    /// Mutes, and ends the session.
    case quit

    /// Longest time from the loss to the reconnection for which `patch` resumes, seconds.
    package static let patching = 5.0

    /// Whether the policy mutes the ears at once.
    package var mutes: Bool { self != .continue }
}
