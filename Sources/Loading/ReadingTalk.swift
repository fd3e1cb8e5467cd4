import Foundation
import HRTF
import Processes
import Rooms
import SOFA

/// What a session and the process that reads a file for it say to each other: a line of JSON each, samples apart
/// (`ReadingMemory`).
package enum ReadingTalk {
    /// What is to be read, and within which limits. The child's last argument.
    package struct Request: Codable {
        /// The file.
        package var path: String
        /// What is wanted of it.
        package var content: Content
        /// What the child may take of the machine.
        package var limits: ProcessLimits
    }

    /// What a file is read as.
    package enum Content: Codable {
        case set(sampleRate: Double?, options: HRTFOptions)
        case room
        case headphones
    }

    /// A room's response that is wanted: its first so many samples at both ears.
    package struct ResponseRequest: Codable {
        /// The response's number.
        package var key: Int
        /// Its length.
        package var frames: Int
    }

    /// What the child says.
    package enum Reply: Codable {
        /// This share of the file is read.
        case progress(Double)
        /// All of it is, and the set is being prepared.
        case isRead
        /// A prepared set lies in memory, of so many bytes.
        case set(bytes: Int)
        /// The room is open.
        case room(RoomViews.Facts)
        /// A request is fulfilled: so many samples of the left ear lie in memory, then as many of the right.
        case responses(frames: Int)
        /// The responses of headphones lie in memory.
        case headphones(HeadphoneResponses.Facts)
        /// It cannot be read.
        case fault(Fault)
    }

    /// Why not, as the parent would have it from this process.
    package enum Fault: Error, Codable {
        case set(HRTFError)
        case room(RoomError)
        case file(SOFAError)
    }
}
