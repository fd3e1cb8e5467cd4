import HRTF
import Rooms
import SOFA
import Signal

/// Reader of SOFA files for a stage. A third-party library parses these files, whose source is not trusted: during
/// playback a separate process reads them (`ChildReader`).
package protocol SOFAReader: Sendable {
    /// Reads an HRTF set and prepares it for a sample rate (nil: its own). `reading` receives the share read and may
    /// cancel; `whenRead` is called before the set is prepared.
    func set(
        at path: String, sampleRate: SampleRate?, options: HRTFOptions, reading: @escaping ReadingProgress,
        whenRead: () -> Void
    ) throws(HRTFError) -> PreparedSet

    /// Opens a measured room, whose responses are read on demand.
    func room(at path: String) throws(RoomError) -> RoomViews

    /// Reads the responses of headphones.
    func headphones(at path: String) throws(SOFAError) -> HeadphoneResponses
}

/// Reads in this process: for offline work, where a crash interrupts no sound.
package struct InProcessReader: SOFAReader {
    /// Creates a reader.
    package init() {}

    /// Reads and prepares an HRTF set on the calling thread.
    package func set(
        at path: String, sampleRate: SampleRate?, options: HRTFOptions, reading: @escaping ReadingProgress,
        whenRead: () -> Void
    ) throws(HRTFError) -> PreparedSet {
        try PreparedSet(
            readingFrom: path, sampleRate: sampleRate, options: options, reading: reading, whenRead: whenRead)
    }

    /// Opens a room on the calling thread.
    package func room(at path: String) throws(RoomError) -> RoomViews { try RoomViews(sofaAt: path) }

    /// Reads measured headphones on the calling thread.
    package func headphones(at path: String) throws(SOFAError) -> HeadphoneResponses {
        try HeadphoneResponses(contentsOf: path)
    }
}
