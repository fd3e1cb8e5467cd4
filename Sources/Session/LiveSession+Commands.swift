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
        case .reference(let reference): return tracking { $0.reference = reference.tracked }
        case .follow(let weights): return tracking { $0.follow = weights.vector }
        case .yawPull(let rate): return tracking { $0.yawPull = rate }
        case .room(let on): return setRoom(on)
        case .programme(let name, let command): return perform(command, on: name)
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

    /// Changes how the head is followed.
    private func tracking(_ change: (inout HeadTrackerOptions) -> Void) -> SessionReply {
        guard feed.head != nil else { return .refused("no head tracker is followed here; see --head") }
        feed.change(change)
        return .done
    }

    private func setRoom(_ on: Bool) -> SessionReply {
        guard stage.assembly.room != nil else { return .refused("no room is loaded; start the session with --room") }
        playsRoom = on
        stage.assembly.renderer.setRoom(on: on)
        return .done
    }

    /// Sets stream time 0 to a frame of the server's clock; false where that frame had gone by, and nothing was begun.
    func begins(atFrame frame: UInt32) async throws(SessionError) -> Bool {
        do throws(JACKError) {
            _ = try await stage.client.requestStart(atFrame: frame)
            return true
        } catch {
            if case .startMissed = error { return false }
            throw SessionError(error)
        }
    }

    private func start(at frame: UInt32?) async -> SessionReply {
        do throws(JACKError) {
            // A frame ahead is waited for where the cycles pass, not here: the answer says which frame it will be.
            let started = try await stage.client.requestStart(atFrame: frame)
            return .started(frame: started, heardAt: stage.client.heardAt(frame: started))
        } catch {
            return .refused(error.description)
        }
    }
}
