import Foundation
import OSC
import Signal

/// Connection of a client to its session manager. It announces the client, lets a `SessionKeeper` open and save
/// sessions, and then replies to the manager.
package actor NSMLink {
    /// Outcome of an announcement.
    package enum Joining: Sendable {
        /// `NSM_URL` is not set or empty, and nothing was announced.
        case unasked
        /// `NSM_URL` is set, but no manager accepted the client. The program reports `reason`, and continues without a
        /// manager.
        case alone(reason: String)
        /// The manager accepted the client. The values are the link, the manager's name and its welcome. No JACK client
        /// may be opened before the first `open` of the keeper.
        case managed(NSMLink, manager: String, welcome: String)
    }

    private let socket: NSMSocket
    private var conversation: NSMConversation
    private var keeper: (any SessionKeeper)?
    /// Requests that arrived before there was a keeper.
    private var waiting: [NSMConversation.Act] = []
    private var joining: CheckedContinuation<(isManaged: Bool, String, String), Never>?
    /// Last task that informs the keeper of a loaded session or carries out a request. Each task waits for the previous
    /// one.
    private var told: Task<Void, Never>?
    /// Reports of the keeper, in order.
    private let posts: AsyncStream<Post>, post: AsyncStream<Post>.Continuation

    /// Report of the keeper.
    private enum Post: Sendable {
        case dirty(Bool)
        case text(String, Int)
        case progress(Double)
        case outcome(Result<String, NSMFailure>)
    }

    /// Announces the program to the session manager that the environment names, and waits for the manager's welcome.
    ///
    /// - Parameters:
    ///   - introduction: announcement of the program.
    ///   - environment: environment of the process.
    ///   - patience: longest wait for the welcome, after the host's name was looked up. It ends at once if the host
    ///     reports that no program listens at the port.
    package static func join(
        as introduction: NSMIntroduction, environment: [String: String] = ProcessInfo.processInfo.environment,
        patience: Duration = .seconds(5)
    ) async -> Joining {
        guard let written = environment[NSMAddress.variable], !written.isEmpty else { return .unasked }
        guard let address = NSMAddress(written) else {
            return .alone(reason: "\(NSMAddress.variable) is '\(written)', not osc.udp://HOST:PORT/")
        }
        // Looking up a name blocks the thread, which must not belong to the task pool.
        let opened = await Worker.apart("manager name") { () -> Result<NSMSocket, NSMSocket.Refused> in
            do throws(NSMSocket.Refused) { return .success(try NSMSocket(facing: address)) } catch {
                return .failure(error)
            }
        }
        switch opened {
        case .failure(.noThread(let error)):
            return .alone(reason: error.description)
        case .failure(.unreachable(let code)):
            return .alone(
                reason:
                    "the session manager at \(address) cannot be reached: "
                    + (code == ENOENT ? "no host of this name is known" : String(cString: strerror(code))))
        case .success(let socket):
            let link = NSMLink(socket, introduction)
            let (isManaged, first, second) = await link.announce(to: address, patience)
            guard isManaged else {
                socket.close()
                return .alone(reason: first)
            }
            return .managed(link, manager: first, welcome: second)
        }
    }

    private init(_ socket: NSMSocket, _ introduction: NSMIntroduction) {
        self.socket = socket
        conversation = NSMConversation(introduction)
        (posts, post) = AsyncStream.makeStream()
    }

    deinit {
        post.finish()
        socket.close()
    }

    private func announce(to address: NSMAddress, _ patience: Duration) async -> (isManaged: Bool, String, String) {
        let events = socket.events
        Task { [weak self] in
            for await event in events { await self?.take(event, from: address) }
        }
        let posts = posts
        Task { [weak self] in
            for await post in posts { await self?.pass(post) }
        }
        let clock = Task { [weak self] in
            try await Task.sleep(for: patience)
            await self?.giveUp("the session manager at \(address) does not answer")
        }
        defer { clock.cancel() }
        return await withCheckedContinuation { done in
            joining = done
            carryOut(conversation.announce())
        }
    }

    private func giveUp(_ reason: String) { carryOut(conversation.giveUp(reason)) }

    private func take(_ event: NSMSocket.Event, from address: NSMAddress) {
        switch event {
        case .message(let message): carryOut(conversation.take(message))
        case .refused: giveUp("no program listens at \(address); the session manager that set it has ended")
        }
    }

    // MARK: Sessions

    /// Sets the keeper that carries out the manager's requests, beginning with those that are waiting. Must be called
    /// once.
    package func serve(by keeper: any SessionKeeper) {
        self.keeper = keeper
        let acts = waiting
        waiting = []
        carryOut(acts)
    }

    /// Reports whether there are unsaved changes. After a session was opened or saved there are none, even without a
    /// call. Calls take effect in order. May be called on any thread.
    package nonisolated func note(isDirty: Bool) { post.yield(.dirty(isDirty)) }

    /// Requests the manager to display a text to the user. `priority`: 0…3, where 3 is the most important. May be
    /// called on any thread.
    package nonisolated func tell(_ text: String, priority: Int = 0) { post.yield(.text(text, priority)) }

    /// Closes the link at the end of the program. Requests in progress get no reply any more.
    package func close() {
        post.finish()
        socket.close()
    }

    private func pass(_ post: Post) {
        switch post {
        case .dirty(let isDirty): carryOut(conversation.note(isDirty: isDirty))
        case .text(let text, let priority): carryOut(conversation.tell(text, priority: priority))
        case .progress(let share): carryOut(conversation.progress(share))
        case .outcome(let outcome): carryOut(conversation.finish(outcome))
        }
    }

    private func carryOut(_ acts: [NSMConversation.Act]) {
        for act in acts {
            switch act {
            case .send(let message): socket.send(message)
            case .joined(let manager, let welcome): joined(true, manager, welcome)
            case .alone(let reason): joined(false, reason, "")
            case .open, .save, .sessionIsLoaded:
                guard let keeper else {
                    waiting.append(act)
                    continue
                }
                // The order is kept, so that a session is opened before the keeper is informed that all clients are
                // open.
                let before = told
                told = Task { [weak self] in
                    await before?.value
                    await self?.ask(keeper, act)
                }
            }
        }
    }

    private func joined(_ isManaged: Bool, _ first: String, _ second: String) {
        joining?.resume(returning: (isManaged, first, second))
        joining = nil
    }

    private func ask(_ keeper: any SessionKeeper, _ act: NSMConversation.Act) async {
        let post = post
        let progress: @Sendable (Double) -> Void = { post.yield(.progress($0)) }
        do throws(NSMFailure) {
            switch act {
            case .open(let place): post.yield(.outcome(.success(try await keeper.open(place, progress: progress))))
            case .save: post.yield(.outcome(.success(try await keeper.save(progress: progress))))
            case .sessionIsLoaded: await keeper.sessionIsLoaded()
            case .send, .joined, .alone: break
            }
        } catch {
            post.yield(.outcome(.failure(error)))
        }
    }
}
