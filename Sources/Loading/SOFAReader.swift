import HRTF
import Rooms
import SOFA
import Signal

/// Reader of SOFA files: HRTF sets, measured rooms, and measured headphones. The files come from sources that are not
/// trusted, and a third-party library parses them. During playback a separate process therefore reads them
/// (`ChildReader`).
package protocol SOFAReader: Sendable {
    /// Reads an HRTF set and prepares it for a sample rate (nil: that of the file). `reading` receives the share read
    /// and may cancel; `whenRead` is called before the set is prepared.
    func set(
        at path: String, sampleRate: SampleRate?, options: HRTFOptions, reading: @escaping ReadingProgress,
        whenRead: () -> Void
    ) throws(HRTFError) -> PreparedSet

    /// Opens a measured room, whose responses are read on demand.
    func room(at path: String) throws(RoomError) -> RoomViews

    /// Reads the responses of headphones.
    func headphones(at path: String) throws(SOFAError) -> HeadphoneResponses
}

/// Reads files in this process, for offline work: a crash then interrupts no playback.
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
