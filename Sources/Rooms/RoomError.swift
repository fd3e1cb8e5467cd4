import SOFA

/// Error while a room is loaded or generated.
package enum RoomError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// A name that is neither a known room nor a path.
    case unknownRoom(name: String, known: [String])
    /// The SOFA file is faulty.
    case file(SOFAError)
    /// The content of a file or folder is not a room.
    case implausible(path: String, reason: String)
    /// The room would take more memory than the limit.
    case tooLarge(path: String, bytes: Int, most: Int)
    /// No loudspeaker of the stage can stand in a room.
    case noSources
    /// The converter between sample rates failed.
    case conversion(path: String, from: Double, to: Double, reason: String)

    /// Message with the cause, its place and mostly a remedy.
    package var description: String {
        switch self {
        case .unknownRoom(let name, let known):
            "unknown room \"\(name)\": expected none, one of \(known.joined(separator: ", ")), or the path of a .sofa "
                + "or .wav file or of a folder with WAV files"
        case .file(let error): error.description
        case .implausible(let path, let reason): "\(path): \(reason)"
        case .tooLarge(let path, let bytes, let most):
            "\(path): would take \(bytes >> 20) MB, more than the \(most >> 20) MB a room may have; "
                + "shorten its responses or the filters of the set, or its early part with --room-early"
        case .noSources:
            "the layout has no loudspeaker that stands in a room (they are low-frequency, fixed to the head, or "
                + "channels of a sound field); "
                + "use --room none"
        case .conversion(let path, let from, let to, let reason):
            "\(path): cannot convert responses from \(from) Hz to \(to) Hz: \(reason); choose another session rate"
        }
    }
}
