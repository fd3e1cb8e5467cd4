import Foundation
import HeadTracking
import StoredProperties
import Testing

@testable import MotionLogs

/// Parameters of head tracking in the lines of a motion log.
@Suite struct FollowingLineTests {
    /// Reads a log whose second line has these entries, and returns the parameters in that line.
    private func read(_ entries: String) throws -> HeadTrackerOptions.Choices {
        let header = #"{"motion":{"version":1,"sampleRate":48000,"slice":64,"period":256}}"#
        let text = header + "\n{\"following\":{\(entries)}}\n" + #"{"pose":[0,1,0,0,0]}"#
        let event = try #require(try MotionRecording(ndjson: Data(text.utf8)).events.first)
        guard case .following(let choices, 1) = event else { throw MotionRecordingError.badLine(2, entries) }
        return choices
    }

    @Test func `No parameter is missing in a line`() throws {
        var choices = HeadTrackerOptions.Choices()
        (choices.reference, choices.follow, choices.yawPull) = (.head, SIMD3(0.1, 1 / 3, 0), 0.1 + 0.2)
        // A new parameter needs a value here.
        #expect(StoredProperties.same(choices, HeadTrackerOptions.Choices()).isEmpty)
        let line = MotionLine.event(.following(choices, at: 1))
        let entries = line.dropFirst(#"{"following":{"#.count).dropLast("}}\n".count)
        #expect(try read(String(entries)) == choices)
    }

    /// Earlier versions wrote the entries in another order, and whole numbers with a point.
    @Test func `A line of an earlier version is read to the same values`() throws {
        let former = #""reference":"static","follow":[1.0,0.5,0.0],"yawPull":0.1,"time":1.0"#
        let present = #""follow":[1,0.5,0],"reference":"static","time":1,"yawPull":0.1"#
        #expect(try read(former) == read(present))
    }

    @Test func `Absent parameters have their defaults, and unknown ones are ignored`() throws {
        #expect(try read(#""time":1,"scent":3"#) == HeadTrackerOptions.Choices())
    }

    @Test(arguments: [
        (#""follow":[1,1]"#, "'follow' has 2 numbers, not three"),
        (#""follow":[1,1,1,1]"#, "'follow' has 4 numbers, not three"),
        (#""follow":[1,2e4,1]"#, "'follow' contains a share outside 0…1"),
        (#""follow":[1,"x",1]"#, "'follow.Index 1' is not what it must be"),
        (#""follow":1"#, "'follow' is not what it must be"),
        (#""yawPull":1e20"#, "'yawPull' is 1e+20, outside 0…10"), (#""yawPull":-1"#, "'yawPull' is -1.0, outside 0…10"),
        (#""yawPull":"much""#, "'yawPull' is not what it must be"),
        (#""reference":"moon""#, "'reference' is device, head or static, not 'moon'"),
        (#""reference":3"#, "'reference' is not what it must be"),
    ])
    func `A parameter that no session has is refused with its line`(entry: String, words: String) {
        let error = #expect(throws: MotionRecordingError.self) { try read(entry + #","time":1"#) }
        #expect(error?.description.hasPrefix("line 2: " + words) == true, "\(String(describing: error))")
    }

    @Test(arguments: [
        (#""yawPull":0"#, "'time' is missing"), (#""time":1e20"#, "1e+20 is not a valid time"),
    ])
    func `A line without a valid time is refused`(entries: String, words: String) {
        let error = #expect(throws: MotionRecordingError.self) { try read(entries) }
        #expect(error?.description.hasPrefix("line 2: " + words) == true, "\(String(describing: error))")
    }
}
