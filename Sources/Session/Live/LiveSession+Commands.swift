import AudioIO
import HeadTracking
import Rendering

extension LiveSession {
    /// Carries out a command.
    package func perform(_ command: SessionCommand) async -> SessionReply {
        switch command {
        case .recentre(let axes):
            guard feed.head != nil else { return .refused("there is no head tracker to recentre") }
            return feed.recentre(axes) ? .done : .refused("the head tracker has sent nothing yet")
        case .set(let change):
            let reply = set(change)
            if case .done = reply { remember(change) }
            return reply
        case .loudness(let reset):
            guard let monitor else { return .refused("the session is ending") }
            guard reset else { return .loudness(monitor.status) }
            monitor.reset()
            return .done
        case .playback(let command): return perform(command)
        case .preview:
            return .refused("no file is played here that could be sought or held; that is what 'preview' does")
        case .start(let frame): return await start(at: frame)
        case .status: return .status(status())
        case .quit:
            quit()
            return .done
        }
    }

    /// Sets stream time 0 to a frame of the server's clock; false where that frame had gone by or the server changed its rate
    /// meanwhile, and nothing was begun.
    func begins(atFrame frame: UInt32) async throws(SessionError) -> Bool {
        let client = stage.client
        do throws(JACKError) {
            _ = try await client.requestStart(atFrame: frame)
            return client === stage.client
        } catch {
            if case .startMissed = error { return false }
            if isOutrun { return false }
            throw SessionError(error)
        }
    }

    private func start(at frame: UInt32?) async -> SessionReply {
        let client = stage.client
        do throws(JACKError) {
            // A frame ahead is waited for where the cycles pass, not here: the answer says which frame it will be.
            let started = try await client.requestStart(atFrame: frame)
            // While a cycle was waited for, another client may have taken this one's place: its stream has not begun.
            guard client === stage.client else {
                return .refused("the JACK server changed its rate meanwhile; ask again")
            }
            return .started(frame: started, heardAt: client.heardAt(frame: started))
        } catch {
            return .refused(error.description)
        }
    }
}
