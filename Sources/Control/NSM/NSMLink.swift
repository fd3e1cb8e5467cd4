import Foundation
import OSC
import Signal

/// A client's link to its session manager: announces it, has sessions opened and saved by a `SessionKeeper`, and
/// answers when that is done.
package actor NSMLink {
    /// What became of an announcement.
    package enum Joining: Sendable {
        /// Not asked for: `NSM_URL` is not set.
        case unasked
        /// It is set, and there is no manager; why. The program goes on alone, and says so.
        case alone(reason: String)
        /// The manager took the client on; its name and its welcome. Nothing of JACK is opened before the keeper is
        /// asked to open a session.
        case managed(NSMLink, manager: String, welcome: String)
    }

    private let socket: NSMSocket
    private var conversation: NSMConversation
    private var keeper: (any SessionKeeper)?
    /// What was asked for before there was a keeper.
    private var waiting: [NSMConversation.Act] = []
    private var joining: CheckedContinuation<(isManaged: Bool, String, String), Never>?
    /// Tells of the session's work, one thing after another.
    private var told: Task<Void, Never>?
    /// What the keeper has to say, in the order in which it said so.
    private let posts: AsyncStream<Post>, post: AsyncStream<Post>.Continuation

    /// Something that the keeper has to say.
    private enum Post: Sendable {
        case dirty(Bool)
        case text(String, Int)
        case progress(Double)
        case outcome(Result<String, NSMFailure>)
    }

    /// Announces a program where the environment names a session manager, and waits for its welcome.
    ///
    /// - Parameters:
    ///   - introduction: what the program says of itself.
    ///   - environment: the process's.
    ///   - patience: how long to wait; where no program listens at the address, that is told at once.
    package static func join(
        as introduction: NSMIntroduction, environment: [String: String] = ProcessInfo.processInfo.environment,
        patience: Duration = .seconds(5)
    ) async -> Joining {
        guard let written = environment[NSMAddress.variable], !written.isEmpty else { return .unasked }
        guard let address = NSMAddress(written) else {
            return .alone(reason: "\(NSMAddress.variable) is '\(written)', not osc.udp://HOST:PORT/")
        }
        // Looking up a name blocks a thread: not one of those that run tasks.
        let opened = await Worker.apart("manager name") { () -> Result<NSMSocket, NSMSocket.Refused> in
            do throws(NSMSocket.Refused) { return .success(try NSMSocket(facing: address)) } catch {
                return .failure(error)
            }
        }
        switch opened {
        case .failure(let refused):
            return .alone(
                reason:
                    "the session manager at \(address) cannot be reached: \(String(cString: strerror(refused.errno)))")
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

    /// Has a keeper carry out what the manager asks for, from now on and what it asked for already. Once.
    package func serve(by keeper: any SessionKeeper) {
        self.keeper = keeper
        let acts = waiting
        waiting = []
        carryOut(acts)
    }

    /// There is something to save, or nothing any more. After opening and saving there is nothing, without a word.
    /// What is said one after the other arrives in that order. Any thread.
    package nonisolated func note(isDirty: Bool) { post.yield(.dirty(isDirty)) }

    /// Tells the manager's user something. `priority`: 0…3, 3 the most important. Any thread.
    package nonisolated func tell(_ text: String, priority: Int = 0) { post.yield(.text(text, priority)) }

    /// Ends the link, as the program ends: what was asked for is not answered any more.
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
                // In order: a session is told that all are there after it was opened.
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
