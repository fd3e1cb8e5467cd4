import OSC

/// What is said between a client and its session manager (NSM API 1.1.2): messages in, messages and requests out; a
/// value, without socket or time.
///
/// The manager is answered when what it asked for is done, and asks one thing at a time; what it asks meanwhile is
/// answered with `notNow`. There is no message that ends the client: it is sent SIGTERM.
struct NSMConversation: Sendable {
    static let open = "/nsm/client/open"
    static let save = "/nsm/client/save"
    static let loaded = "/nsm/client/session_is_loaded"

    /// What is to be done next.
    enum Act: Sendable, Equatable {
        /// Send this to the manager.
        case send(OSCMessage)
        /// The manager took the client on; its name and its welcome.
        case joined(manager: String, welcome: String)
        /// There is no manager: go on alone; why.
        case alone(String)
        /// Open a session, then say `finish`.
        case open(NSMPlace)
        /// Save the session, then say `finish`.
        case save
        /// Tell the tasks that wait for other clients that they are there.
        case sessionIsLoaded
    }

    private enum Standing { case unknown, announced, managed, alone }

    private let introduction: NSMIntroduction
    private var standing = Standing.unknown
    /// The address of the request that is being carried out.
    private var underWay: String?
    private var isOpen = false
    /// Whether there is anything to save, and what the manager was told of that last.
    private var isDirty = false
    private var toldDirty = false
    /// Whether there is something to save that changed since the request under way began.
    private var changedMeanwhile = false
    /// How far the manager was told that the request under way is.
    private var toldProgress = 0.0

    /// A conversation that has not begun.
    init(_ introduction: NSMIntroduction) { self.introduction = introduction }

    /// Announces the client. Once.
    mutating func announce() -> [Act] {
        guard standing == .unknown else { return [] }
        standing = .announced
        return [.send(introduction.message)]
    }

    /// The manager did not answer: what it says from now on comes too late.
    mutating func giveUp(_ reason: String) -> [Act] {
        guard standing == .announced else { return [] }
        standing = .alone
        return [.alone(reason)]
    }

    /// A message of the manager. What the protocol does not know is passed over,
    /// as is what comes to a program that is alone.
    mutating func take(_ message: OSCMessage) -> [Act] {
        switch (standing, message.address) {
        case (.announced, "/reply"), (.announced, "/error"): answered(message)
        // A manager may send the first request right behind its welcome, and datagrams need not keep their order.
        case (.managed, Self.open), (.announced, Self.open): join("", "") + opening(message)
        case (.managed, Self.save): saving()
        case (.managed, Self.loaded): [.sessionIsLoaded]
        default: []
        }
    }

    /// The request under way is done, or could not be.
    mutating func finish(_ outcome: Result<String, NSMFailure>) -> [Act] {
        guard let path = underWay else { return [] }
        underWay = nil
        switch outcome {
        case .success(let text):
            if path == Self.open { isOpen = true }
            // What was open or saved is what is on disk, but for what changed after it was written.
            isDirty = changedMeanwhile
            return [.send(OSCMessage("/reply", [.string(path), .string(text)]))] + tellDirtiness()
        case .failure(let failure):
            if failure.closedFormer { isDirty = false }
            let told = tellDirtiness()
            if failure.closedFormer { isOpen = false }
            return [Self.refusal(path, failure)] + told
        }
    }

    /// Something changed that is not on disk, or nothing is left to save.
    mutating func note(isDirty: Bool) -> [Act] {
        if underWay != nil { changedMeanwhile = isDirty }
        self.isDirty = isDirty
        return tellDirtiness()
    }

    /// How far the request under way is, 0…1; nothing where none is, or where that was told already.
    mutating func progress(_ share: Double) -> [Act] {
        guard underWay != nil, share > toldProgress else { return [] }
        toldProgress = min(1, share)
        return [.send(OSCMessage("/nsm/client/progress", [.float(Float(toldProgress))]))]
    }

    /// Tells the user something through the manager. `priority`: 0…3, 3 the most important.
    func tell(_ text: String, priority: Int) -> [Act] {
        guard standing == .managed else { return [] }
        return [.send(OSCMessage("/nsm/client/message", [.int32(Int32(min(3, max(0, priority)))), .string(text)]))]
    }

    // MARK: What comes

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

    /// The client is managed from now on; nothing where it is already.
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

    /// Whether the request can be carried out now; it is then under way.
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

    /// What the manager does not know yet of whether there is anything to save.
    private mutating func tellDirtiness() -> [Act] {
        guard standing == .managed, isOpen, underWay == nil, isDirty != toldDirty else { return [] }
        toldDirty = isDirty
        return [.send(OSCMessage(isDirty ? "/nsm/client/is_dirty" : "/nsm/client/is_clean"))]
    }
}
