import Desk
import Stages

/// A request of a client of the D-Bus, for example of a media key or a slider of the desktop.
package enum MediaRequest: Sendable, Equatable {
    case quit
    case next
    case previous
    case pause
    case playPause
    case stop
    case play
    /// Moves the position by microseconds.
    case seek(by: Int64)
    /// Moves to a position in microseconds, if the track with this object path still plays.
    case position(Int64, track: String)
    /// Volume; 1 is 0 dB.
    case volume(Double)
    /// `None`, `Track` or `Playlist`.
    case loop(String)

    /// Reason why a request is not carried out.
    package struct Refusal: Error, Sendable, Equatable {
        /// The reason, for the client.
        package let reason: String
    }

    /// Name of the interruption that pauses the inputs of `run`, which has no file to pause.
    package static let interruption = "media-keys"

    /// Returns the session's commands for a request, in order; empty if MPRIS prescribes that nothing happens.
    ///
    /// - Parameters:
    ///   - playing: what plays.
    ///   - seconds: position in the file.
    /// - Throws: `Refusal` for a volume that is not finite, and for a loop status that the session does not have.
    package func commands(for playing: NowPlaying, at seconds: Double) throws(Refusal) -> [SessionCommand] {
        switch self {
        case .quit: return [.quit]
        case .next: return playing.hasNext ? [.preview(.skip(1))] : []
        case .previous: return playing.isFile ? [.preview(.skip(-1))] : []
        case .play: return playing.isFile ? [.preview(.pause(false))] : Self.resuming
        case .pause: return playing.isFile ? [.preview(.pause(true))] : Self.pausing
        case .stop: return playing.isFile ? [.preview(.pause(true)), .preview(.go(to: 0))] : Self.pausing
        case .playPause:
            if playing.isFile { return [.preview(.pause(nil))] }
            return playing.status == .playing ? Self.pausing : Self.resuming
        case .seek(let microseconds):
            guard playing.isFile else { return [] }
            let offset = Self.seconds(microseconds)
            // MPRIS: a seek beyond the end plays the next track.
            if let duration = playing.duration, seconds + offset > duration, playing.hasNext {
                return [.preview(.skip(1))]
            }
            return [.preview(.seek(by: offset))]
        case .position(let microseconds, let track):
            // MPRIS: a position in another track, or outside this one, is ignored.
            guard playing.isFile, track == playing.track, microseconds >= 0,
                Self.seconds(microseconds) <= playing.duration ?? 0
            else { return [] }
            return [.preview(.go(to: Self.seconds(microseconds)))]
        case .volume(let volume):
            guard let level = NowPlaying.level(ofVolume: volume), let row = Parameter.named("monitor-level") else {
                throw Refusal(reason: "a volume is a number from 0 to 1")
            }
            return [.set(ParameterChange(row, .number(level)))]
        case .loop(let word):
            guard playing.isFile else {
                throw Refusal(reason: "this session plays no files that could repeat")
            }
            // If the list has one file, repeating this track repeats the list.
            switch word {
            case "None": return [.preview(.loop(false))]
            case "Playlist": return [.preview(.loop(true))]
            case "Track" where playing.count == 1: return [.preview(.loop(true))]
            default: throw Refusal(reason: "the list repeats as a whole: None or Playlist")
            }
        }
    }

    /// Pauses the inputs of a session without files.
    private static let pausing: [SessionCommand] = [
        .playback(.beginInterruption(name: interruption, .pause, lease: nil))
    ]

    /// Ends the pause begun by `pausing`, and the pause after a lost route.
    private static let resuming: [SessionCommand] = [
        .playback(.endInterruption(name: interruption, resumes: true)), .playback(.resume),
    ]

    /// Converts microseconds to seconds, limited to the range of seconds that player commands accept.
    private static func seconds(_ microseconds: Int64) -> Double {
        let seconds = Double(microseconds) / 1e6
        return max(SessionCommand.Player.seconds.lowerBound, min(SessionCommand.Player.seconds.upperBound, seconds))
    }
}
