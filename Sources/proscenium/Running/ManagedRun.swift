import Control
import Desk
import Foundation
import Loading
import SavedSessions
import Session
import Synchronization

/// `run` under a session manager: nothing plays until it says which session, and another may take its place.
actor ManagedRun: SessionKeeper {
    /// Plays a session until it ends.
    typealias Play = @Sendable (SessionPatron) async throws -> Void

    /// Finds out what a session is played by, which these words on the command line say;
    /// `tell` hears what is missing for it.
    private let prepare: @Sendable (_ words: [String], _ tell: (String) -> Void) throws -> Play
    private let interrupt: Interrupt
    private let link: NSMLink
    private var playing: Playing?
    private let over: AsyncStream<Result<Void, any Error>>
    private let end: AsyncStream<Result<Void, any Error>>.Continuation

    /// A session that plays, or waits until it can.
    private struct Playing {
        /// Its place, and what keeps others from it.
        var path: String, lock: SessionLock
        var task: Task<Void, Never>
        var live: LiveSession?
        var folder: SessionFolder?
    }

    /// What becomes of a session as it begins.
    private enum Beginning: Sendable {
        case plays
        /// It is tried again: there is no server yet.
        case waits(String)
        case failed(Failure)
    }

    /// `prepare`: finds out what a session is played by, given the options that say where it is and what plays it.
    init(
        _ interrupt: Interrupt, _ link: NSMLink,
        prepare: @escaping @Sendable (_ words: [String], _ tell: (String) -> Void) throws -> Play
    ) {
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
        // All that can be found out beforehand: what is open is closed for nothing that cannot be.
        let (play, lock, remarks) = try prepare(place)
        for remark in remarks { link.tell(remark, priority: 2) }
        progress(0.1)
        let hadFormer = playing != nil
        await stop()
        progress(0.2)
        let held = try take(place, lock)
        let (beginnings, began) = AsyncStream<Beginning>.makeStream()
        let patron = SessionPatron(lock: held, tells: Self.hearing(link, progress)) { live, folder in
            await self.note(live, folder)
            began.yield(.plays)
        }
        playing = Playing(
            path: place.path, lock: held, task: Task { await self.begin(play, for: patron, began) })
        var remark = "opened"
        for await beginning in beginnings {
            switch beginning {
            case .plays: break
            case .waits(let reason):
                remark = "opened; it plays when it can: \(reason)"
                link.tell(reason, priority: 2)
            case .failed(let failure):
                playing = nil
                held.release()
                throw NSMFailure(Self.code(of: failure), failure.message, closedFormer: hadFormer)
            }
            break
        }
        progress(1)
        return remark
    }

    func save(progress: @escaping @Sendable (Double) -> Void) async throws(NSMFailure) -> String {
        guard let playing else { throw NSMFailure(.noSessionOpen, "no session is open") }
        // One that waits for its server is as it was saved.
        guard let folder = playing.folder else { return "nothing has changed" }
        progress(0.5)
        do throws(SessionError) { try await folder.save() } catch { throw NSMFailure(.general, error.description) }
        progress(1)
        return "saved"
    }

    func sessionIsLoaded() async {}

    /// Passes on what a session has to say as it begins and while it plays: to the manager's user, and as progress.
    private static func hearing(
        _ link: NSMLink, _ progress: @escaping @Sendable (Double) -> Void
    ) -> @Sendable (SessionRemark) -> Void {
        let share = Mutex(0.2)
        return { remark in
            switch remark {
            case .note(let text): link.tell(text, priority: 2)
            // How many steps there are depends on the session: each takes a part of what is left.
            case .preparing:
                progress(
                    share.withLock { share in
                        share += (0.9 - share) / 4
                        return share
                    })
            case .ready: progress(0.9)
            }
        }
    }

    private static func code(of failure: Failure) -> NSMFailure.Code {
        failure.fault == .input || failure.fault == .usage ? .badProject : .general
    }

    /// What plays the session of a place, while what was open before is open still: its folder is made and taken, and
    /// all that is in it has been read. And what of it is missing here.
    private func prepare(
        _ place: NSMPlace
    ) throws(NSMFailure) -> (play: Play, lock: SessionLock?, remarks: [String]) {
        let file = place.path + "/" + SavedSession.fileName
        for path in [place.path, file] where Self.leadsNowhere(path) {
            throw NSMFailure(.noSuchFile, "\(path) is a link to something that is not there")
        }
        let isNew = !FileManager.default.fileExists(atPath: place.path)
        var remarks: [String] = []
        do {
            // What is open has its folder already.
            let lock = playing?.path == place.path ? nil : try SessionLock(place.path, by: place.clientID)
            guard access(place.path, W_OK | X_OK) == 0 else {
                throw Failure(.environment, "\(place.path) cannot be written: \(String(cString: strerror(errno)))")
            }
            let play = try prepare(["--session", place.path, "--name", place.clientID]) { remarks.append($0) }
            return (play, lock, remarks)
        } catch {
            let failure = Failure(error)
            let isOfFolder = failure.fault == .environment
            throw NSMFailure(isOfFolder ? isNew ? .createFailed : .general : .badProject, failure.message)
        }
    }

    /// The folder of a place, which is `lock` where it was taken already: once what was open there has let go of it.
    private func take(_ place: NSMPlace, _ lock: SessionLock?) throws(NSMFailure) -> SessionLock {
        if let lock { return lock }
        do {
            return try SessionLock(place.path, by: place.clientID)
        } catch {
            throw NSMFailure(.general, error.description, closedFormer: true)
        }
    }

    private static func leadsNowhere(_ path: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
            && !FileManager.default.fileExists(atPath: path)
    }

    /// Plays; where there is no server, again every second until there is one.
    private func begin(
        _ play: Play, for patron: SessionPatron, _ began: AsyncStream<Beginning>.Continuation
    ) async {
        // The manager waits for an answer, whatever becomes of it.
        defer { began.finish() }
        var waits = false
        while !Task.isCancelled, !interrupt.isRequested {
            do {
                try await play(patron)
                break
            } catch {
                let failure = Failure(error)
                let hasBegun = playing?.live != nil
                guard (error as? SessionError)?.mayPass == true, !hasBegun else {
                    began.yield(.failed(failure))
                    guard !Task.isCancelled, hasBegun || waits else { return }
                    link.tell(failure.message, priority: 3)
                    // One that played and cannot go on ends all; one that could not begin leaves room for another.
                    if hasBegun {
                        end.yield(.failure(error))
                    } else {
                        playing = nil
                        patron.lock.release()
                    }
                    return
                }
                began.yield(.waits(failure.message))
                waits = true
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
        await folder?.watch { link.note(isDirty: $0) }
    }

    /// Closes what is open.
    private func stop() async {
        guard let former = playing else { return }
        playing = nil
        former.task.cancel()
        await former.live?.quit()
        await former.task.value
        former.lock.release()
    }
}
