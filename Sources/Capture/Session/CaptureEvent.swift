import AudioIO

/// Something that happened to a capture, in words for the recordist.
package enum CaptureEvent: Equatable, Sendable, CustomStringConvertible {
    /// A take has begun, with so many seconds of what came before.
    case began(path: String, preRoll: Double)
    /// Something about its files.
    case take(CaptureIncident)
    /// Something is wrong with what comes in; told once.
    case fault(InputFault)
    /// Sources went away, or came back.
    case gone([String])
    case back([String])
    /// The inputs hear other sources.
    case turned([String])
    /// The device is held so, and the stereo rendition is this, from now on.
    case changed(InputOrientation, StereoRendition)
    /// Frames of the take were lost: by the server, or because the disk was too slow.
    case lost(frames: Int)
    /// JACK went away, or came back.
    case serverGone
    case serverBack
    /// A marker was set, seconds after the take's beginning.
    case marker(name: String, seconds: Double)
    /// Something that was asked for is not possible.
    case refused(String)

    /// What happened.
    package var description: String {
        switch self {
        case .began(let path, let preRoll):
            "recording into \(path)" + (preRoll > 0 ? ", from \(Self.number(preRoll)) s before" : "")
        case .take(.nextPart(let path)): "the take goes on in \(path)"
        case .take(.outOfRoom(let seconds, let reason)):
            "no more can be written (\(reason)): \(Self.number(seconds)) s are kept, and the take goes on when there is room"
        case .take(.completed(let paths)): "complete: \(paths.joined(separator: ", "))"
        case .take(.incomplete(let reason)): "not complete: \(reason)"
        case .fault(let fault): fault.description
        case .gone(let sources):
            "\(sources.joined(separator: ", ")) \(sources.count == 1 ? "is" : "are") gone: silence is recorded until "
                + "\(sources.count == 1 ? "it is" : "they are") there again"
        case .back(let sources): "\(sources.joined(separator: ", ")) \(sources.count == 1 ? "is" : "are") there again"
        case .turned(let sources): "the inputs hear \(sources.joined(separator: ", "))"
        case .changed(let orientation, let rendition):
            "orientation \(orientation.rawValue), rendition \(rendition.rawValue)"
        case .lost(let frames): "\(frames) frames were lost"
        case .serverGone: "JACK is gone: the take waits for it"
        case .serverBack: "JACK is there again, and the take goes on"
        case .marker(let name, let seconds): "marker '\(name)' at \(Self.number(seconds)) s"
        case .refused(let reason): reason
        }
    }

    private static func number(_ seconds: Double) -> String { String((seconds * 100).rounded() / 100) }
}
