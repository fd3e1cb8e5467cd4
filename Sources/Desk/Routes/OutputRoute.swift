import AudioIO

/// Where the ears go, and whether that still is what the listener chose: the judgement of a session on its route.
///
/// A pure value: told what the server says and what the user asks, it answers what is to be done. Muting itself happens
/// before it hears of a loss, on the thread that learns first. Time is an argument: seconds of any clock that runs on.
package struct OutputRoute: Sendable, Equatable {
    /// What plays where.
    package enum State: String, Sendable, Codable {
        /// No ear is connected, and none was: nothing is held, the user will patch.
        case unconnected
        /// The ears are heard.
        case playing
        /// The route was lost: muted until the user resumes.
        case held
    }

    /// What is to be done.
    package enum Step: Equatable {
        /// Mute, where that has not happened yet.
        case close
        /// Let the sound through again.
        case open
        /// Connect these, which had vanished and are back.
        case connect([JACKLink])
        /// End the session, which lost these ports.
        case quit(lost: [String])
        /// Say so to clients that watch.
        case tell(SessionEvent)
    }

    /// What happens when it is lost.
    package let policy: RouteLossPolicy
    /// What it is now.
    package private(set) var state = State.unconnected
    /// The connections of the ears as last told.
    package private(set) var links: [JACKLink] = []
    /// What was lost and has not come back, while held.
    package private(set) var lost: [JACKLink] = []
    /// Those of `lost` whose ports vanished.
    private var vanished: Set<JACKLink> = []
    /// When the newest loss was told.
    private var lostAt = 0.0
    /// Since when the route is held, and what the ears' connections were before.
    private var heldSince = 0.0
    private var linksBefore: [JACKLink] = []
    /// Whether it was told that the route is held, though it was the server that went.
    private var wasServer = false

    /// A route that is not connected yet.
    package init(policy: RouteLossPolicy) { self.policy = policy }

    /// The ears' connections are now these.
    package mutating func change(to links: [JACKLink], at time: Double) -> [Step] {
        self.links = links
        switch state {
        case .unconnected, .playing:
            state = links.isEmpty ? .unconnected : .playing
            return []
        case .held: return isRestored && mayGoOn(at: time) ? release() : []
        }
    }

    /// These connections were lost; if they are back, a change tells.
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

    /// The user wants to go on, wherever the ears go now.
    package mutating func resume() -> [Step] { state == .held ? release() : [] }

    /// Whether it is worth to look which ports are there.
    package var waitsForPorts: Bool { state == .held && policy == .reconnect }

    /// Looks which of the lost ports are there: one that had vanished and is back is connected to again. One that is
    /// there all the time was disconnected by hand, and may be connected again.
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

    /// The server itself is gone. What was lost a moment before, `grace` seconds at most, went with it, and was not
    /// disconnected by hand: the ears are wanted where they were.
    package mutating func serverGone(at time: Double, grace: Double) {
        guard state == .held, time - heldSince <= grace, !linksBefore.isEmpty else { return }
        (state, links, lost, vanished, wasServer) = (.playing, linksBefore, [], [], true)
    }

    /// Another client takes this one's place (the server's rate changed), and its ears are connected so: what the old
    /// one had and the new one lacks is lost.
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

    /// Whether the sound goes on by itself once the route is restored.
    private func mayGoOn(at time: Double) -> Bool {
        switch policy {
        case .reconnect: true
        case .patch: time - lostAt <= RouteLossPolicy.patching
        case .mute, .continue, .quit: false
        }
    }

    /// Whether every ear that lost something has one of the ports it lost.
    private var isRestored: Bool {
        Set(lost.map(\.from)).allSatisfy { ear in lost.contains { $0.from == ear && links.contains($0) } }
    }

    private mutating func release() -> [Step] {
        state = links.isEmpty ? .unconnected : .playing
        (lost, vanished) = ([], [])
        return [.open, .tell(.routeResumed(links.map(\.to)))]
    }
}

/// What happens when the ears' ports are gone: headphones unplugged, a device switched off, a connection undone.
package enum RouteLossPolicy: String, Sendable, CaseIterable, Codable {
    /// Mutes, as a cable may merely be on its way to another port: goes on without asking when the very ports that went
    /// are connected again within `patching` seconds, and waits for the user after that.
    case patch
    /// Mutes, and waits for the user, whatever is connected.
    case mute
    /// Mutes, and goes on without asking when the very ports that went are connected again; ports that vanished are
    /// connected to again when they are back.
    case reconnect
    /// Goes on: whatever is connected next is heard.
    case `continue`
    /// Mutes, and ends the session.
    case quit

    /// Seconds within which ports that come back were only patched.
    package static let patching = 5.0

    /// Whether the ears are muted at once.
    package var mutes: Bool { self != .continue }
}
