import Foundation
import Testing

@testable import MotionLogs

/// Settings of the session in the first line of a motion log.
@Suite struct CircumstancesTests {
    /// Reads a log with these entries in its first line, which is the second one of the file, and returns its settings.
    private func read(_ entries: String) throws -> MotionRecording.Circumstances {
        let text = "\n{\"motion\":{\(entries)}}\n" + #"{"pose":[0,1,0,0,0]}"#
        return try MotionRecording(ndjson: Data(text.utf8)).circumstances
    }

    @Test func `Absent settings have the values of the first version, and unknown ones are ignored`() throws {
        let least = MotionRecording.Circumstances(
            sampleRate: 48_000, slice: 64, period: 256, layout: "", hrtf: "", head: "none", device: "none", yawPull: 0)
        #expect(try read(#""version":1,"sampleRate":48000,"slice":64,"period":256"#) == least)
        #expect(try read(#""version":1,"sampleRate":48000,"slice":64,"period":256,"scent":"rain""#) == least)
    }

    @Test(arguments: [
        (#""slice":64,"period":64"#, "'motion.sampleRate' is missing"),
        (#""sampleRate":0,"slice":64,"period":64"#, "'motion.sampleRate'"),
        (#""sampleRate":768001,"slice":64,"period":64"#, "'motion.sampleRate'"),
        (#""sampleRate":48000,"period":64"#, "'motion.slice' or 'motion.period' is missing"),
        (#""sampleRate":48000,"slice":64"#, "'motion.slice' or 'motion.period' is missing"),
        (#""sampleRate":48000,"slice":0,"period":64"#, "'motion.slice' or 'motion.period'"),
        (#""sampleRate":48000,"slice":64,"period":8193"#, "'motion.slice' or 'motion.period'"),
    ])
    func `Settings that no session has are refused with their line`(entries: String, words: String) {
        let error = #expect(throws: MotionRecordingError.self) { try read(#""version":1,"# + entries) }
        #expect(error?.description.hasPrefix("line 2: " + words) == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        (#""version":2,"sampleRate":"new""#, MotionRecordingError.newerVersion(2)),
        (#""version":"1""#, MotionRecordingError.notAMotionLog),
        (#""version":1.5"#, MotionRecordingError.notAMotionLog),
        (#""sampleRate":48000,"slice":64,"period":64"#, MotionRecordingError.notAMotionLog),
        (#""version":1,"sampleRate":48000,"slice":64,"period":64,"layout":3"#, MotionRecordingError.notAMotionLog),
    ])
    func `A line that is no header of this version is refused as such`(entries: String, fault: MotionRecordingError) {
        #expect(throws: fault) { try read(entries) }
    }
}
