import HRTF
import Rooms
import SOFA

/// Whether a SOFA file can be used, and why (not).
struct SOFAVerdict: Sendable {
    /// As `sofa check` prints it.
    enum Word: String, Sendable {
        /// As the standard has it.
        case ok
        /// It is played; what was converted or read around is said.
        case warn
        case reject
    }

    let word: Word
    /// One sentence or several, separated by semicolons; empty where all is well.
    let reason: String

    /// Reads the file as what it says it is, all its responses included. `progress`: told the share that is read, and
    /// may end the reading, which is no verdict worth showing.
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

    /// Why, without the file's name.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as SOFAError: error.reason
        case HRTFError.file(let error), RoomError.file(let error): error.reason
        case HRTFError.implausible(_, let reason), RoomError.implausible(_, let reason): reason
        default: String(describing: error)
        }
    }
}
