import Desk
import Dispatch
import Synchronization

/// The session as clients of the D-Bus see it: the present state, the changes since clients were last informed, and the
/// requests of clients. All functions may be called on any thread.
package final class MediaDesk: Sendable {
    /// Properties of MPRIS that change together.
    package struct Properties: OptionSet, Sendable {
        /// Bits of the set, those of `pcb_changed`.
        package let rawValue: Int32

        /// Creates a set of these bits.
        package init(rawValue: Int32) { self.rawValue = rawValue }

        package static let status = Properties(rawValue: 1)
        package static let loop = Properties(rawValue: 2)
        package static let metadata = Properties(rawValue: 4)
        package static let volume = Properties(rawValue: 8)
        package static let abilities = Properties(rawValue: 16)
    }

    /// Changes of which clients have not been informed yet.
    package struct News: Sendable, Equatable {
        /// Properties with a new value.
        package var changes: Properties = []
        /// Position to which the player jumped, seconds; nil without a jump.
        package var jump: Double?
    }

    private struct Content {
        var now = NowPlaying()
        var news = News()
        var wakes: (@Sendable () -> Void)?
        var endings: [@Sendable () -> Void] = []
    }

    /// Longest wait for the reply to a command, seconds. The bus has one thread, which serves nothing else meanwhile.
    /// Most replies take some milliseconds.
    static let patience = 2.0

    private let desk: SessionDesk
    private let content = Mutex(Content())

    /// Creates a view of a session, given by its commands and present values.
    package init(_ desk: SessionDesk) { self.desk = desk }

    /// Follows the values in force, and calls `wakes` when there is news. Must be called once.
    package func follow(wakes: @escaping @Sendable () -> Void) {
        content.withLock { $0.wakes = wakes }
        desk.player.hearJumps { [weak self] seconds in
            self?.note { $0.news.jump = seconds }
        }
        let (state, end) = desk.state.hear { [weak self] change in
            // The position changes each second. It is not announced, but read when a client asks.
            guard change.values.keys.contains(where: { $0 != "player/seconds" }) else { return }
            self?.look()
        }
        content.withLock { $0.endings.append(end) }
        if !state.values.isEmpty { look() }
    }

    /// Stops following the values in force.
    package func leave() {
        desk.player.hearJumps(nil)
        let endings = content.withLock { content in
            content.wakes = nil
            defer { content.endings = [] }
            return content.endings
        }
        for end in endings { end() }
    }

    /// The present state, and the position in the file, seconds; 0 without a file.
    package var now: (playing: NowPlaying, seconds: Double) {
        (content.withLock { $0.now }, desk.player.place?.seconds ?? 0)
    }

    /// Returns the news, and marks it as announced.
    package func takeNews() -> News {
        content.withLock { content in
            defer { content.news = News() }
            return content.news
        }
    }

    /// Carries out a request, and waits for the reply to each command, at most `patience`. Returns the reason if the
    /// request is refused or gets no reply, otherwise nil. Blocks the calling thread.
    package func perform(_ request: MediaRequest) -> String? {
        let (playing, seconds) = now
        let commands: [SessionCommand]
        do throws(MediaRequest.Refusal) { commands = try request.commands(for: playing, at: seconds) } catch {
            return error.reason
        }
        for (index, command) in commands.enumerated() {
            let refusal = carryOut(command)
            // The last command decides whether the request was carried out. Refusals of earlier commands are ignored.
            if index == commands.count - 1 || refusal?.isFinal == true { return refusal?.reason }
        }
        return nil
    }

    private func carryOut(_ command: SessionCommand) -> (reason: String, isFinal: Bool)? {
        let answer = Answer()
        desk.commands.submit(command) { answer.give($0) }
        guard let reply = answer.wait(Self.patience) else {
            return ("the session has not answered yet; it may still do this", true)
        }
        if case .refused(let reason) = reply { return (reason, false) }
        return nil
    }

    /// Compares the values in force with those known to clients, and notes the changes.
    private func look() {
        let now = NowPlaying(desk.state.state.values, duration: desk.player.place?.duration)
        note { content in
            let former = content.now
            content.now = now
            var changes: Properties = []
            if now.status != former.status { changes.insert(.status) }
            if now.loops != former.loops { changes.insert(.loop) }
            if (now.track, now.title, now.url) != (former.track, former.title, former.url)
                || now.duration != former.duration
            {
                changes.insert(.metadata)
            }
            if now.level != former.level { changes.insert(.volume) }
            if (now.hasNext, now.isFile) != (former.hasNext, former.isFile) { changes.insert(.abilities) }
            content.news.changes.formUnion(changes)
        }
    }

    private func note(_ change: (inout Content) -> Void) {
        let wakes = content.withLock { content -> (@Sendable () -> Void)? in
            change(&content)
            return content.news == News() ? nil : content.wakes
        }
        wakes?()
    }

    /// The answer to a command, for a thread that waits.
    private final class Answer: Sendable {
        private let reply = Mutex<SessionReply?>(nil)
        private let isThere = DispatchSemaphore(value: 0)

        func give(_ answer: SessionReply) {
            reply.withLock { $0 = answer }
            isThere.signal()
        }

        /// Returns the answer, or nil if none arrives within `seconds`.
        func wait(_ seconds: Double) -> SessionReply? {
            _ = isThere.wait(timeout: .now() + seconds)
            return reply.withLock { $0 }
        }
    }
}
