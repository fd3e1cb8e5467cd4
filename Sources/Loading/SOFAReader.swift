import HRTF
import Rooms
import SOFA
import Signal

/// What reads SOFA files for a stage. They are parsed by a library that is not ours, and come from anywhere: where
/// sound plays, another process reads them (`ChildReader`).
package protocol SOFAReader: Sendable {
    /// Reads a head's set and prepares it for a rate (nil: its own). `reading` is told the share that is read and may
    /// end it; `whenRead` is told when the set has to be prepared.
    func set(
        at path: String, sampleRate: SampleRate?, options: HRTFOptions, reading: @escaping ReadingProgress,
        whenRead: () -> Void
    ) throws(HRTFError) -> PreparedSet

    /// Opens a measured room, whose responses are read as they are needed.
    func room(at path: String) throws(RoomError) -> RoomViews

    /// Reads the responses of headphones.
    func headphones(at path: String) throws(SOFAError) -> HeadphoneResponses
}

/// This process reads: for what is made out of time, where a crash costs no sound.
package struct InProcessReader: SOFAReader {
    /// It needs nothing.
    package init() {}

    /// A head's set, read and prepared on the calling thread.
    package func set(
        at path: String, sampleRate: SampleRate?, options: HRTFOptions, reading: @escaping ReadingProgress,
        whenRead: () -> Void
    ) throws(HRTFError) -> PreparedSet {
        try PreparedSet(
            readingFrom: path, sampleRate: sampleRate, options: options, reading: reading, whenRead: whenRead)
    }

    /// A room, read on the calling thread.
    package func room(at path: String) throws(RoomError) -> RoomViews { try RoomViews(sofaAt: path) }

    /// Measured headphones, read on the calling thread.
    package func headphones(at path: String) throws(SOFAError) -> HeadphoneResponses {
        try HeadphoneResponses(contentsOf: path)
    }
}
