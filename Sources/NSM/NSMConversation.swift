import OSC

/// State machine of the protocol between a client and its session manager (NSM API 1.1.2). Inputs are messages; outputs
/// are messages and requests. It is a value type without socket or clock.
///
/// A request of the manager gets a reply when it has been carried out or has failed. A second request that arrives
/// before this reply is refused with `notNow`. No message ends the client; to end it, the manager sends SIGTERM.
struct NSMConversation: Sendable {
    static let open = "/nsm/client/open"
    static let save = "/nsm/client/save"
    static let loaded = "/nsm/client/session_is_loaded"

    /// Next action of the caller.
    enum Act: Sendable, Equatable {
        /// Send a message to the manager.
        case send(OSCMessage)
        /// Record that the manager has accepted the client. The values are the manager's name and its welcome, empty if
        /// unknown.
        case joined(manager: String, welcome: String)
        /// Continue without a manager. The value is the reason.
        case alone(String)
        /// Open a session, then call `finish`.
        case open(NSMPlace)
        /// Save the session, then call `finish`.
        case save
        /// Inform the `SessionKeeper` that all clients of the manager's session are open.
        case sessionIsLoaded
    }

    private enum Standing { case unknown, announced, managed, alone }

    private let introduction: NSMIntroduction
    private var standing = Standing.unknown
    /// Address of the request in progress.
    private var underWay: String?
    private var isOpen = false
    /// Whether there are unsaved changes, and whether the manager was last told that there are.
    private var isDirty = false
    private var toldDirty = false
    /// Whether there are unsaved changes since the beginning of the request in progress.
    private var changedMeanwhile = false
    /// Progress of the request that was last reported to the manager, 0…1.
    private var toldProgress = 0.0

    /// Creates the state before the announcement.
    init(_ introduction: NSMIntroduction) { self.introduction = introduction }

    /// Announces the client. Has an effect only once.
    mutating func announce() -> [Act] {
        guard standing == .unknown else { return [] }
        standing = .announced
        return [.send(introduction.message)]
    }

    /// Ends the wait for the manager's reply. Later messages of the manager are ignored. Has no effect after the reply.
    mutating func giveUp(_ reason: String) -> [Act] {
        guard standing == .announced else { return [] }
        standing = .alone
        return [.alone(reason)]
    }

    /// Processes a message of the manager. Messages outside the protocol are ignored, and so are all messages to a
    /// client without a manager.
    mutating func take(_ message: OSCMessage) -> [Act] {
        switch (standing, message.address) {
        case (.announced, "/reply"), (.announced, "/error"): answered(message)
        // A manager may send its first request directly after its welcome, and datagrams may arrive out of order.
        case (.managed, Self.open), (.announced, Self.open): join("", "") + opening(message)
        case (.managed, Self.save): saving()
        case (.managed, Self.loaded): [.sessionIsLoaded]
        default: []
        }
    }

    /// Replies to the request in progress, which is done or has failed.
    mutating func finish(_ outcome: Result<String, NSMFailure>) -> [Act] {
        guard let path = underWay else { return [] }
        underWay = nil
        switch outcome {
        case .success(let text):
            if path == Self.open { isOpen = true }
            // The state that was opened or saved equals the file, except for changes during the request.
            isDirty = changedMeanwhile
            return [.send(OSCMessage("/reply", [.string(path), .string(text)]))] + tellDirtiness()
        case .failure(let failure):
            if failure.closedFormer { isDirty = false }
            let told = tellDirtiness()
            if failure.closedFormer { isOpen = false }
            return [Self.refusal(path, failure)] + told
        }
    }

    /// Records whether there are unsaved changes, and reports this to the manager if the manager does not know it yet.
    mutating func note(isDirty: Bool) -> [Act] {
        if underWay != nil { changedMeanwhile = isDirty }
        self.isDirty = isDirty
        return tellDirtiness()
    }

    /// Reports the progress of the request in progress, 0…1. Sends no message if there is no request or no progress.
    mutating func progress(_ share: Double) -> [Act] {
        guard underWay != nil, share > toldProgress else { return [] }
        toldProgress = min(1, share)
        return [.send(OSCMessage("/nsm/client/progress", [.float(Float(toldProgress))]))]
    }

    /// Requests the manager to display a text. Returns no action without a manager. `priority`: 0…3, where 3 is the
    /// most important.
    func tell(_ text: String, priority: Int) -> [Act] {
        guard standing == .managed else { return [] }
        return [.send(OSCMessage("/nsm/client/message", [.int32(Int32(min(3, max(0, priority)))), .string(text)]))]
    }

    // MARK: Incoming messages

    private mutating func answered(_ message: OSCMessage) -> [Act] {
        guard message.arguments.first == .string(NSMIntroduction.address) else { return [] }
        if message.address == "/reply" {
            guard case .string(let welcome)? = message.arguments.dropFirst().first else { return [] }
            guard message.arguments.count > 2, case .string(let manager) = message.arguments[2] else {
                return join("", welcome)
            }
            return join(manager, welcome)
        }
        standing = .alone
        let code = message.arguments.dropFirst().first?.number.flatMap { Int32(exactly: $0) }
        var reason = "the session manager refused it"
        if case .string(let text)? = message.arguments.last, message.arguments.count > 2 { reason += ": \(text)" }
        return [.alone(reason + (code.map { " (\($0))" } ?? ""))]
    }

    /// Marks the client as managed. Returns no action if it is already managed.
    private mutating func join(_ manager: String, _ welcome: String) -> [Act] {
        guard standing != .managed else { return [] }
        standing = .managed
        return [.joined(manager: manager, welcome: welcome)]
    }

    private mutating func opening(_ message: OSCMessage) -> [Act] {
        let texts = message.arguments.compactMap { if case .string(let text) = $0 { text } else { nil } }
        guard texts.count == 3, message.arguments.count == 3, !texts[0].isEmpty, !texts[2].isEmpty else {
            return [Self.refusal(Self.open, NSMFailure(.general, "open takes a path, a name and a client's name"))]
        }
        guard begin(Self.open) else { return [busy(Self.open)] }
        return [.open(NSMPlace(path: texts[0], displayName: texts[1], clientID: texts[2]))]
    }

    private mutating func saving() -> [Act] {
        guard underWay == nil else { return [busy(Self.save)] }
        guard isOpen else { return [Self.refusal(Self.save, NSMFailure(.noSessionOpen, "no session is open"))] }
        return begin(Self.save) ? [.save] : []
    }

    /// Marks a request as in progress; returns false if another one is.
    private mutating func begin(_ path: String) -> Bool {
        guard underWay == nil else { return false }
        underWay = path
        (changedMeanwhile, toldProgress) = (false, 0)
        return true
    }

    private func busy(_ path: String) -> Act {
        let what = underWay == Self.open ? "a session is being opened" : "the session is being saved"
        return Self.refusal(path, NSMFailure(.notNow, "\(what); ask again when that is done"))
    }

    private static func refusal(_ path: String, _ failure: NSMFailure) -> Act {
        .send(OSCMessage("/error", [.string(path), .int32(failure.code.rawValue), .string(failure.message)]))
    }

    /// Reports whether there are unsaved changes, if a session is open, no request is in progress, and the manager's
    /// information is out of date.
    private mutating func tellDirtiness() -> [Act] {
        guard standing == .managed, isOpen, underWay == nil, isDirty != toldDirty else { return [] }
        toldDirty = isDirty
        return [.send(OSCMessage(isDirty ? "/nsm/client/is_dirty" : "/nsm/client/is_clean"))]
    }
}
