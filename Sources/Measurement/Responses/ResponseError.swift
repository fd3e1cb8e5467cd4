import AudioIO
import SOFA
import Sweeps
import Takes

/// Reason why responses cannot be made from takes.
package enum ResponseError: Error, CustomStringConvertible {
    /// A file, its name or its content is at fault; the text names it and the remedy.
    case input(String)
    /// Takes are refused: the file or look of each, with its faults, and the remedy.
    case refused([(take: String, faults: [TakeFault])], remedy: String)
    /// A sound file cannot be read.
    case sound(SoundFileError)
    /// A SOFA file cannot be written.
    case output(SOFAError)
    /// A text file or a folder cannot be written, or a take cannot be renamed.
    case text(TakeError)
    /// The user ended the work.
    case cancelled

    /// The fault and its remedy.
    package var description: String {
        switch self {
        case .input(let reason): reason
        case .refused(let takes, let remedy):
            takes.map { take in "\(take.take): " + take.faults.map(\.description).joined(separator: "; ") }
                .joined(separator: "\n") + "\n" + remedy
        case .sound(let error): error.description
        case .output(let error): error.description
        case .text(let error): error.description
        case .cancelled: "cancelled"
        }
    }
}
