import Desk
import Foundation
import Gate
import Loading
import OSC
import Stages
import Synchronization

/// JSON dialogue with one client, over a Unix socket (one line per message) or a WebSocket.
///
/// A request is an object with an `address` as in OSC, with or without `/proscenium/`, and optionally `arguments`, a
/// list or one value. It may have an `id`, which the reply repeats:
/// `{"id":1,"address":"input/main/level","arguments":-3}`. The reply has `reply` (`"done"`, a message, or JSON data) or
/// `refused` (the reason). Two addresses belong to the dialogue itself: `subscribe` and `unsubscribe`. The arguments of
/// `subscribe` are topics of `Subscription.Topic`; none means all. News of the topics are objects without `id`: `state`
/// with `revision` (and `whole` at first), `event`, `meters`, `pose`.
///
/// All functions may be called on any thread, and call `send` on any thread.
final class JSONConversation: Sendable {
    /// Greatest length of a request, bytes.
    static let longest = 65_536
    private static let counter = Mutex<UInt64>(0)

    private let desk: SessionDesk
    private let origin: PathOrigin
    private let asker: CommandQueue.Asker
    private let send: @Sendable ([String]) -> Void
    private let wake: @Sendable () -> Void
    private let subscription = Mutex<Subscription?>(nil)

    /// Starts a dialogue with a desk. `send` writes objects in order. `wake` is called when `flush` has news to send.
    ///
    /// - Parameter origin: origin of the requests. It determines the folders to which a command may write.
    init(
        at desk: SessionDesk, origin: PathOrigin = .network, send: @escaping @Sendable ([String]) -> Void,
        wake: @escaping @Sendable () -> Void
    ) {
        self.desk = desk
        self.origin = origin
        self.send = send
        self.wake = wake
        let number = Self.counter.withLock { counter in
            counter += 1
            return counter
        }
        asker = Array("json \(number)".utf8)
    }

    /// Carries out a request.
    func receive(_ bytes: [UInt8]) {
        guard bytes.count <= Self.longest, case .object(let object)? = try? JSONValue(bytes, within: .message) else {
            desk.commands.note(lost: 0, received: 1, malformed: 1)
            return refuse("a request is one JSON object of \(Self.longest) bytes at most", nil)
        }
        let id = object["id"]
        guard case .text(let said) = object["address"] ?? .null, let arguments = Self.arguments(object["arguments"])
        else {
            desk.commands.note(lost: 0, received: 1, malformed: 1)
            return refuse("a request has an 'address' and 'arguments': numbers, texts or truth values", id)
        }
        desk.commands.note(lost: 0, received: 1, malformed: 0)
        let address = said.hasPrefix("/") ? said : ControlWire.prefix + said
        switch ControlRequest.read(OSCMessage(address, arguments)) {
        case .success(.ofDoor(let command, let asked)): take(command, asked, id)
        case .success(.nothing): answer("\"done\"", id)
        case .success(.command(let command)): submit(command, to: address, id)
        case .failure(let unusable): refuse(unusable.reason, id)
        }
    }

    /// Carries out a request to the control interface itself.
    private func take(_ command: DoorCommand, _ message: OSCMessage, _ id: JSONValue?) {
        switch command {
        case .subscribe: subscribe(message.arguments, id)
        case .unsubscribe:
            guard message.arguments.isEmpty else {
                return refuse("unsubscribe takes nothing here; a connection can end only its own subscription", id)
            }
            subscription.withLock { $0 = nil }
            answer("\"done\"", id)
        case .watch: refuse("watch is for OSC over UDP; 'subscribe' sends every new value here", id)
        case .token:
            refuse("the command token is for OSC; a WebSocket sends the token with its request (?token=)", id)
        }
    }

    /// Sends the news that are waiting.
    func flush() {
        guard let news = subscription.withLock({ $0?.take() }) else { return }
        var told: [String] = []
        if let state = news.state {
            var object: [String: JSONValue] = [
                "state": .object(state.values.mapValues { $0.map { JSONValue($0) } ?? .null }),
                "revision": .number(Double(state.revision)),
            ]
            if state.isWhole { object["whole"] = .truth(true) }
            told.append(JSONValue.object(object).line)
        }
        for event in news.events { told.append("{\"event\":\(JSONValue.text(event.kind).line),\"of\":\(event.json)}") }
        if let pose = news.pose { told.append(pose.poseLine) }
        if let meters = news.meters { told.append(meters.metersLine) }
        // One call for all, because each separate write wakes up the client.
        if !told.isEmpty { send(told) }
    }

    /// Ends the subscription, because the client is gone.
    func end() { subscription.withLock { $0 = nil } }

    private func subscribe(_ arguments: [OSCArgument], _ id: JSONValue?) {
        guard let wanted = Subscription.Topic.set(of: arguments.map(\.written)) else {
            return refuse("the topics are \(Subscription.Topic.names)", id)
        }
        answer("\"done\"", id)
        // Replacing the former subscription ends it.
        let new = Subscription(wanted, at: desk, wake: wake)
        subscription.withLock { $0 = new }
        wake()
    }

    private func submit(_ command: SessionCommand, to address: String, _ id: JSONValue?) {
        desk.commands.submit(command, from: asker, origin: origin) { [self] reply in
            let text = ControlMessages.text(of: reply, to: address)
            switch reply {
            case .refused: refuse(text, id)
            case .done, .told: answer(JSONValue.text(text).line, id)
            default: answer(text, id)
            }
        }
    }

    private func answer(_ json: String, _ id: JSONValue?) {
        send(["{\(id.map { "\"id\":\($0.line)," } ?? "")\"reply\":\(json)}"])
    }

    private func refuse(_ reason: String, _ id: JSONValue?) {
        send(["{\(id.map { "\"id\":\($0.line)," } ?? "")\"refused\":\(JSONValue.text(reason).line)}"])
    }

    /// Returns the arguments of a request; nil if one of them has no form in OSC.
    private static func arguments(_ value: JSONValue?) -> [OSCArgument]? {
        switch value {
        case nil, .null: return []
        case .list(let list):
            let arguments = list.map(\.argument)
            return arguments.contains(nil) ? nil : arguments.compactMap(\.self)
        case .some(let one): return one.argument.map { [$0] }
        }
    }
}
