import Desk
import Gate
import Glibc
import OSC
import Synchronization

/// Requests to the OSC interface over UDP itself, not to the session.
///
/// | address | arguments | does |
/// |---|---|---|
/// | `/proscenium/subscribe` | topics `s`... (none or a button: all) | sends `OSCNews` until unsubscribed |
/// | | `s` `HOST:PORT`, then topics | the same, to that address in place of the sender's |
/// | `/proscenium/unsubscribe` | none or a button, or `s` `HOST:PORT` | ends the subscription |
/// | `/proscenium/token` | `s` | gives access to a sender on another machine |
struct OSCEntrance: Sendable {
    /// Subscribed addresses.
    let subscribers: OSCSubscribers
    private let access: DoorAccess
    private let known = Known()

    /// Senders on other machines that have sent the token; only the newest are kept.
    private final class Known: Sendable {
        static let capacity = 64
        let all = Mutex<[ControlAddress]>([])
    }

    init(_ desk: SessionDesk, _ access: DoorAccess, _ subscribers: OSCSubscribers) {
        self.access = access
        self.subscribers = subscribers
    }

    /// Returns whether a sender's message is accepted. A message with the token always is, so that `token(_:from:)` can
    /// check it. Other messages are accepted from this machine, and from senders that have sent the token.
    func isOpen(to sender: ControlAddress, _ message: OSCMessage) -> Bool {
        message.address == ControlWire.token || isOpen(to: sender)
    }

    /// Returns whether a sender is on this machine, or has sent the token; true if no token is set.
    func isOpen(to sender: ControlAddress) -> Bool {
        if access.token == nil || Loopback.contains(sender.host) { return true }
        return known.all.withLock { $0.contains(sender) }
    }

    /// Returns the reply to a request to the control interface itself. `watch`: carries out `watch`.
    func answer(
        _ command: DoorCommand, _ message: OSCMessage, from sender: ControlAddress, watch: () -> SessionReply
    ) -> SessionReply {
        switch command {
        case .watch: watch()
        case .token: token(message, from: sender)
        case .subscribe: subscribe(message.arguments, from: sender)
        case .unsubscribe: unsubscribe(message, from: sender)
        }
    }

    private func token(_ message: OSCMessage, from sender: ControlAddress) -> SessionReply {
        guard access.token != nil else { return .done }
        guard case .string(let said)? = message.arguments.first, access.accepts(said) else {
            return .refused("that is not this session's token")
        }
        known.all.withLock { known in
            known.removeAll { $0 == sender }
            if known.count == Known.capacity { known.removeFirst() }
            known.append(sender)
        }
        return .done
    }

    private func subscribe(_ arguments: [OSCArgument], from sender: ControlAddress) -> SessionReply {
        var words = arguments.map { $0.written ?? "" }
        var (target, isNamed) = (sender, false)
        if let first = words.first, first.contains(":") {
            guard let named = ControlAddress(Self.plain(first)) else {
                return .refused("'\(first)' is not a HOST:PORT to send to")
            }
            words.removeFirst()
            (target, isNamed) = (ControlAddress(host: named.numericHost, port: named.port), true)
        }
        // Without a token, this interface must not be usable for sending to other machines.
        guard Loopback.contains(target.host) || access.token != nil else {
            return .refused("\(target) is on another machine; this session sends only to its own machine (see --token)")
        }
        if isNamed, let reason = reasonAgainst(target, from: sender) { return .refused(reason) }
        guard let wanted = Subscription.Topic.set(of: words) else {
            return .refused("subscribe takes optionally HOST:PORT, then any of \(Subscription.Topic.names)")
        }
        return subscribers.set(target, wanted, isNamed: isNamed)
            ? .done : .refused("\(OSCSubscribers.capacity) named addresses are subscribed already; unsubscribe one")
    }

    /// Returns the reason why this socket cannot send to an address; nil if it can. The address must be numeric,
    /// because the look-up of a name could block. It must be of the same kind (IPv4 or IPv6) as the sender's address.
    private func reasonAgainst(_ target: ControlAddress, from sender: ControlAddress) -> String? {
        guard let family = target.family else { return "'\(target)': give the address in numbers" }
        guard family != sender.family else { return nil }
        return "'\(target)': this session sends to IPv\(family == AF_INET ? 6 : 4) addresses alone"
    }

    private func unsubscribe(_ message: OSCMessage, from sender: ControlAddress) -> SessionReply {
        if message.arguments.isEmpty {
            subscribers.remove(sender)
            return .done
        }
        guard message.arguments.count == 1, let said = message.text else {
            return .refused(ControlWire.unusable(message.address).reason)
        }
        guard let named = ControlAddress(Self.plain(said)) else { return .refused("'\(said)' is not a HOST:PORT") }
        subscribers.remove(ControlAddress(host: named.numericHost, port: named.port))
        return .done
    }

    /// Returns the `HOST:PORT` in `osc.udp://HOST:PORT/`, the form in which OSC tools write addresses.
    private static func plain(_ text: String) -> String {
        var text = Substring(text)
        if text.hasPrefix("osc.udp://") { text = text.dropFirst(10) }
        if text.hasSuffix("/") { text = text.dropLast() }
        return String(text)
    }
}
