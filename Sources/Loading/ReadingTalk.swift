import Foundation
import HRTF
import Processes
import Rooms
import SOFA

/// Messages between a session and the process that reads a file for it. Each is one line of JSON. Samples pass
/// separately (`ReadingMemory`).
package enum ReadingTalk {
    /// The file to read, and the limits. A request is the last argument of the child's command line.
    package struct Request: Codable {
        /// The file.
        package var path: String
        /// Kind of the file's content.
        package var content: Content
        /// Resource limits of the child.
        package var limits: ProcessLimits
    }

    /// Kinds of content.
    package enum Content: Codable {
        case set(sampleRate: Double?, options: HRTFOptions)
        case room
        case headphones
    }

    /// A request for a room response: its first samples at both ears.
    package struct ResponseRequest: Codable {
        /// Number of the response.
        package var key: Int
        /// Number of samples at each ear.
        package var frames: Int
    }

    /// Messages of the child.
    package enum Reply: Codable {
        /// Share of the file that is read, 0…1.
        case progress(Double)
        /// The file is read, and the set is being prepared.
        case isRead
        /// A prepared set of this size is in memory.
        case set(bytes: Int)
        /// The room is open.
        case room(RoomViews.Facts)
        /// A request is complete: this count of samples of the left ear is in memory, then the same count of the right.
        case responses(frames: Int)
        /// The headphones' responses are in memory.
        case headphones(HeadphoneResponses.Facts)
        /// The file cannot be read.
        case fault(Fault)
    }

    /// Errors of the reading, the same as those of a reader in this process.
    package enum Fault: Error, Codable {
        case set(HRTFError)
        case room(RoomError)
        case file(SOFAError)
    }
}
