import HRTF
import Rooms
import SOFA

/// Verdict on whether a SOFA file can be used, with the reason.
struct SOFAVerdict: Sendable {
    /// The verdict as `sofa check` prints it.
    enum Word: String, Sendable {
        /// Usable, without remarks.
        case ok
        /// Usable, with remarks on conversions and faults.
        case warn
        case reject
    }

    let word: Word
    /// Remarks or the fault, separated by semicolons; empty for `ok`.
    let reason: String

    /// Reads the file by its convention, with all responses. `progress` receives the share read; if it returns false,
    /// the reading ends and the verdict is meaningless.
    init(_ path: String, progress: @escaping ReadingProgress = { _ in true }) {
        do {
            let remarks = try SOFAVerdict.remarks(path, progress)
            (word, reason) = remarks.isEmpty ? (.ok, "") : (.warn, remarks.joined(separator: "; "))
        } catch {
            (word, reason) = (.reject, SOFAVerdict.reason(error))
        }
    }

    private static func remarks(_ path: String, _ progress: @escaping ReadingProgress) throws -> [String] {
        switch try SOFAContent(path: path, progress: progress) {
        case .freeField(let file): try HRTFInspection.remarks(on: file)
        case .room: try RoomViews(sofaAt: path, progress: progress).remarks
        case .headphones(let file): file.remarks
        }
    }

    /// Returns an error's reason, without the file's name.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as SOFAError: error.reason
        case HRTFError.file(let error), RoomError.file(let error): error.reason
        case HRTFError.implausible(_, let reason), RoomError.implausible(_, let reason): reason
        default: String(describing: error)
        }
    }
}
