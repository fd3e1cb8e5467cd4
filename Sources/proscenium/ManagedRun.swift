import Control
import Foundation
import Session

/// `run` under a session manager: nothing plays until it says which session, and another may take its place.
actor ManagedRun: SessionKeeper {
    /// Plays a session until it ends, and tells when it plays.
    typealias Play =
        @Sendable (_ begun: @escaping @Sendable (LiveSession, SessionFolder?) async -> Void) async throws -> Void

    /// Finds out what a session is played by, which these words on the command line say.
    private let prepare: @Sendable (_ words: [String]) throws -> Play
    private let interrupt: Interrupt
    private let link: NSMLink
    private var playing: Playing?
    private let over: AsyncStream<Result<Void, any Error>>
    private let end: AsyncStream<Result<Void, any Error>>.Continuation

    /// A session that plays, or waits until it can.
    private struct Playing {
        var task: Task<Void, Never>
        var live: LiveSession?
        var folder: SessionFolder?
    }

    /// What becomes of a session as it begins.
    private enum Beginning: Sendable {
        case plays
        /// It is tried again: there is no server yet.
        case waits(String)
        case failed(String)
    }

    /// `prepare`: finds out what a session is played by, given the options that say where it is and who plays it.
    init(_ interrupt: Interrupt, _ link: NSMLink, prepare: @escaping @Sendable (_ words: [String]) throws -> Play) {
        self.prepare = prepare
        self.interrupt = interrupt
        self.link = link
        (over, end) = AsyncStream<Result<Void, any Error>>.makeStream()
    }

    /// Does what the manager asks for until it sends SIGTERM, or the session is asked to quit.
    func serve() async throws {
        interrupt.tell { [end] in end.yield(.success(())) }
        await link.serve(by: self)
        var outcome: Result<Void, any Error> = .success(())
        for await ended in over {
            outcome = ended
            break
        }
        await stop()
        await link.close()
        try outcome.get()
    }

    func open(
        _ place: NSMPlace, progress: @escaping @Sendable (Double) -> Void
    ) async throws(NSMFailure) -> String {
        let play = try prepare(place)
        await stop()
        let (beginnings, began) = AsyncStream<Beginning>.makeStream()
        playing = Playing(task: Task { await self.begin(play, began) })
        var remark = "opened"
        for await beginning in beginnings {
            switch beginning {
            case .plays: break
            case .waits(let reason): remark = "opened; it plays when it can: \(reason)"
            case .failed(let reason): throw NSMFailure(.badProject, reason)
            }
            break
        }
        return remark
    }

    func save(progress: @escaping @Sendable (Double) -> Void) async throws(NSMFailure) -> String {
        guard let playing else { throw NSMFailure(.noSessionOpen, "no session is open") }
        // One that waits for its server is as it was saved.
        guard let folder = playing.folder else { return "nothing has changed" }
        do throws(SessionError) { try await folder.save() } catch { throw NSMFailure(.general, error.description) }
        return "saved"
    }

    func sessionIsLoaded() async {}

    /// What plays the session of a place, while what was open before is open still.
    private func prepare(_ place: NSMPlace) throws(NSMFailure) -> Play {
        do {
            _ = try SavedSession(folder: place.path)
            let play = try prepare(["--session", place.path, "--name", place.clientID])
            try FileManager.default.createDirectory(atPath: place.path, withIntermediateDirectories: true)
            return play
        } catch let error as CocoaError {
            throw NSMFailure(.createFailed, "\(place.path) cannot be made: \(error.localizedDescription)")
        } catch {
            throw NSMFailure(.badProject, Failure(error).message)
        }
    }

    /// Plays; where there is no server, again every second until there is one.
    private func begin(_ play: Play, _ began: AsyncStream<Beginning>.Continuation) async {
        // Whoever opens it waits for a word, whatever becomes of it.
        defer { began.finish() }
        var hasBegun = false
        while !Task.isCancelled, !interrupt.isWished {
            do {
                try await play { live, folder in
                    await self.note(live, folder)
                    began.yield(.plays)
                }
                break
            } catch {
                let failure = Failure(error)
                hasBegun = playing?.live != nil
                guard failure.fault == .environment, !hasBegun else {
                    began.yield(.failed(failure.message))
                    // One that played and cannot go on ends all; one that could not begin leaves room for another.
                    if hasBegun, !Task.isCancelled { end.yield(.failure(error)) }
                    return
                }
                began.yield(.waits(failure.message))
                try? await Task.sleep(for: .seconds(1))
            }
        }
        // Another session takes its place, or all is over.
        if !Task.isCancelled { end.yield(.success(())) }
    }

    private func note(_ live: LiveSession, _ folder: SessionFolder?) async {
        // It was closed while it began, when there was nothing yet that could be told to quit.
        guard !Task.isCancelled else { return await live.quit() }
        playing?.live = live
        playing?.folder = folder
        let link = link
        await folder?.watch { isDirty in Task { await link.note(isDirty: isDirty) } }
    }

    /// Closes what is open.
    private func stop() async {
        guard let former = playing else { return }
        playing = nil
        former.task.cancel()
        await former.live?.quit()
        await former.task.value
    }
}
