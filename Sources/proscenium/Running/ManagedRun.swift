import Control
import Desk
import Foundation
import Loading
import NSM
import SavedSessions
import Session
import Synchronization

/// `run` under a session manager: plays the session that the manager opens, until the manager opens another or ends it.
actor ManagedRun: SessionKeeper {
    /// Plays a session until it ends.
    typealias Play = @Sendable (SessionPatron) async throws -> Void

    /// Prepares a session and returns the function that plays it. `options`: texts of the session's options, by
    /// name, which override typed ones. `tell` is called for each part of the session that is missing on this machine.
    private let prepare: @Sendable (_ options: [String: String], _ tell: (String) -> Void) throws -> Play
    private let interrupt: Interrupt
    private let link: NSMLink
    private var playing: Playing?
    private let over: AsyncStream<Result<Void, any Error>>
    private let end: AsyncStream<Result<Void, any Error>>.Continuation

    /// The open session: it plays, or waits for the JACK server.
    private struct Playing {
        /// Path of the session's folder, and its lock.
        var path: String, lock: SessionLock
        var task: Task<Void, Never>
        var live: LiveSession?
        var folder: SessionFolder?
    }

    /// Outcome of a session's start.
    private enum Beginning: Sendable {
        case plays
        /// The start failed for this reason, as without a JACK server, and is tried again every second.
        case waits(String)
        case failed(Failure)
    }

    /// `prepare` returns the function that plays a session, for the options that name its folder and its client.
    init(
        _ interrupt: Interrupt, _ link: NSMLink,
        prepare: @escaping @Sendable (_ options: [String: String], _ tell: (String) -> Void) throws -> Play
    ) {
        self.prepare = prepare
        self.interrupt = interrupt
        self.link = link
        (over, end) = AsyncStream<Result<Void, any Error>>.makeStream()
    }

    /// Carries out the manager's requests until SIGTERM or Ctrl-C, or until the session quits or fails while it plays.
    /// Throws that failure.
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
        // Checks all that can be checked beforehand, so that an invalid request does not close the open session.
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
                remark = "opened; it waits to play: \(reason)"
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
        // Without a folder nothing is to be saved: the session still waits for the JACK server, or its folder is a
        // template.
        guard let folder = playing.folder else { return "nothing has changed" }
        progress(0.5)
        do throws(SessionError) { try await folder.save() } catch { throw NSMFailure(.general, error.description) }
        progress(1)
        return "saved"
    }

    func sessionIsLoaded() async {}

    /// Returns a callback that passes a session's remarks to the manager: notes as texts for the user, preparation
    /// steps as progress.
    private static func hearing(
        _ link: NSMLink, _ progress: @escaping @Sendable (Double) -> Void
    ) -> @Sendable (SessionRemark) -> Void {
        let share = Mutex(0.2)
        return { remark in
            switch remark {
            case .note(let text): link.tell(text, priority: 2)
            // The number of steps is unknown beforehand: each one adds a quarter of the rest up to 0.9.
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

    /// Prepares the session of a place while the former one stays open: locks its folder, which is created if missing,
    /// and reads its files. Returns the function that plays it, the lock (nil if the open session has the same folder)
    /// and remarks on missing parts.
    private func prepare(
        _ place: NSMPlace
    ) throws(NSMFailure) -> (play: Play, lock: SessionLock?, remarks: [String]) {
        let file = place.path + "/" + SessionDocument.fileName
        for path in [place.path, file] where Self.leadsNowhere(path) {
            throw NSMFailure(.noSuchFile, "\(path) is a link whose target does not exist")
        }
        let isNew = !FileManager.default.fileExists(atPath: place.path)
        var remarks: [String] = []
        do {
            // The open session already holds the lock of its own folder.
            let lock = playing?.path == place.path ? nil : try SessionLock(place.path, by: place.clientID)
            guard access(place.path, W_OK | X_OK) == 0 else {
                throw Failure(.environment, "\(place.path) cannot be written: \(String(cString: strerror(errno)))")
            }
            let play = try prepare(["session": place.path, "name": place.clientID]) { remarks.append($0) }
            return (play, lock, remarks)
        } catch {
            let failure = Failure(error)
            let isOfFolder = failure.fault == .environment
            throw NSMFailure(isOfFolder ? isNew ? .createFailed : .general : .badProject, failure.message)
        }
    }

    /// Returns `lock`. If it is nil, locks the place's folder, which the former session has released by now, and
    /// returns this lock.
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

    /// Plays the session. If a retry may succeed, as without a JACK server, tries again every second.
    private func begin(
        _ play: Play, for patron: SessionPatron, _ began: AsyncStream<Beginning>.Continuation
    ) async {
        // `open` waits for the outcome of the start, so the stream must end in any case.
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
                    // A session that fails while it plays ends the program; one that never began leaves the manager
                    // free to open another.
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
        // A cancelled session makes way for another; else the program ends.
        if !Task.isCancelled { end.yield(.success(())) }
    }

    private func note(_ live: LiveSession, _ folder: SessionFolder?) async {
        // The session was closed while it began: `stop` had no `live` yet that it could end.
        guard !Task.isCancelled else { return await live.quit() }
        playing?.live = live
        playing?.folder = folder
        let link = link
        await folder?.watch { link.note(isDirty: $0) }
    }

    /// Ends the open session and releases its folder.
    private func stop() async {
        guard let former = playing else { return }
        playing = nil
        former.task.cancel()
        await former.live?.quit()
        await former.task.value
        former.lock.release()
    }
}
