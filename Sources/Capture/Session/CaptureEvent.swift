import AudioIO

/// An event of a capture, described for the recordist.
package enum CaptureEvent: Equatable, Sendable, CustomStringConvertible {
    /// A take has begun. `preRoll`: length of its pre-roll, seconds.
    case began(path: String, preRoll: Double)
    /// An incident of the take's files.
    case take(CaptureIncident)
    /// A fault of the inputs. Each fault is logged once.
    case fault(InputFault)
    /// Sources are gone, or are back.
    case gone([String])
    case back([String])
    /// The inputs change to other sources.
    case turned([String])
    /// Filters for this orientation of the device and this stereo rendition are now in use.
    case changed(InputOrientation, StereoRendition)
    /// Frames of the take were lost at the inputs.
    case lost(frames: Int)
    /// The JACK server is gone, or is back.
    case serverGone
    case serverBack
    /// A marker was set. `seconds`: time from the beginning of the take.
    case marker(name: String, seconds: Double)
    /// A request or an operation failed for the given reason.
    case refused(String)

    /// Event in words.
    package var description: String {
        switch self {
        case .began(let path, let preRoll):
            "recording into \(path)" + (preRoll > 0 ? ", from \(Self.number(preRoll)) s before" : "")
        case .take(.nextPart(let path)): "the take continues in \(path)"
        case .take(.outOfRoom(let seconds, let reason)):
            "no more can be written (\(reason)): \(Self.number(seconds)) s are kept; the take "
                + "continues when there is room"
        case .take(.completed(let paths)): "complete: \(paths.joined(separator: ", "))"
        case .take(.incomplete(let reason)): "not complete: \(reason)"
        case .fault(let fault): fault.description
        case .gone(let sources):
            "\(sources.joined(separator: ", ")) \(sources.count == 1 ? "is" : "are") gone: silence is recorded until "
                + "\(sources.count == 1 ? "it is" : "they are") back"
        case .back(let sources): "\(sources.joined(separator: ", ")) \(sources.count == 1 ? "is" : "are") back"
        case .turned(let sources): "the sources of the inputs are \(sources.joined(separator: ", "))"
        case .changed(let orientation, let rendition):
            "orientation \(orientation.rawValue), rendition \(rendition.rawValue)"
        case .lost(let frames): "\(frames) frames were lost"
        case .serverGone: "JACK is gone: the take waits for it"
        case .serverBack: "JACK is back, and the take continues"
        case .marker(let name, let seconds): "marker '\(name)' at \(Self.number(seconds)) s"
        case .refused(let reason): reason
        }
    }

    private static func number(_ seconds: Double) -> String { String((seconds * 100).rounded() / 100) }
}
