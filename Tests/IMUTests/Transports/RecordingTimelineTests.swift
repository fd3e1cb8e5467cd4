import Foundation
import Geometry
import Synchronization
import Testing

@testable import IMU

@Suite(.timeLimit(.minutes(10))) struct RecordingTimelineTests {
    @Test func equalStampsArePlayedTogether() throws {
        let timeline = RecordingTimeline(recordings: 2)
        try timeline.join("head.csv", from: 12, to: 20)
        #expect(timeline.origin(at: 100) == nil)
        try timeline.join("device.csv", from: 10, to: 15)
        // The earlier begins at once, the other two seconds later.
        #expect(timeline.origin(at: 101) == 91)
        #expect(timeline.origin(at: 200) == 91)
    }

    @Test func recordingsThatNeverMeetAreRefused() throws {
        let timeline = RecordingTimeline(recordings: 2)
        try timeline.join("head.csv", from: 0, to: 20)
        #expect(
            throws: TrackerError.recordingsApart(earlier: "head.csv", ends: 20, later: "device.csv", begins: 1.7e9)
        ) {
            try timeline.join("device.csv", from: 1.7e9, to: 1.7e9 + 20)
        }
    }

    /// When each reading of two files was played, by their stamps.
    @Test func twoFilesShareOneTimeLine() async throws {
        let folder = TemporaryFolder()
        let timeline = RecordingTimeline(recordings: 2)
        let played = [Played(), Played()]
        var transports: [FileTransport] = []
        for (index, first) in [5.0, 5.04].enumerated() {
            let rows = (0..<8).map { "\(first + 0.01 * Double($0)),1,0,0,0" }
            let path = folder("\(index).csv")
            try Data(("t,w,x,y,z\n" + rows.joined(separator: "\n") + "\n").utf8).write(to: URL(fileURLWithPath: path))
            transports.append(FileTransport(path: path, clock: monotonicSeconds, timeline: timeline))
        }
        for (transport, played) in zip(transports, played) {
            try await transport.start { event in
                if case .played(_, let time) = event { played.add(time) }
                return []
            }
        }
        #expect(try await eventually { played.allSatisfy { $0.times.count == 8 } })
        for transport in transports { await transport.stop() }
        #expect(abs(played[1].times[0] - played[0].times[4]) < 1e-6)
        #expect(abs(played[1].times[3] - played[0].times[7]) < 1e-6)
    }
}

/// Recordings with values that no sensor measures.
@Suite struct RecordingRangeTests {
    @Test(arguments: [
        ("0,1e160,0,0,0,0,9.8", "line 1: contains a value that no sensor measures"),
        ("0,0,0,0,0,0,9.8\n1,0,0,0,0,0,2001", "line 2: contains a value that no sensor measures"),
        ("0,0,0,0,0,0,9.8,0,10001,0", "line 1: contains a value that no sensor measures"),
        ("1e300,0,0,0,0,0,9.8", "line 1: 1e+300 is not a valid time in seconds"),
        ("1e300,1,0,0,0", "line 1: 1e+300 is not a valid time in seconds"),
        (#"{"ns":1e300,"quat":[1,0,0,0]}"#, "line 1: cannot be decoded (implausible)"),
        (#"{"ns":1,"gyro":[1e160,0,0],"acc":[0,0,9.8]}"#, "line 1: cannot be decoded (implausible)"),
    ])
    func `A row that cannot have been measured is refused, and where`(text: String, words: String) throws {
        let folder = TemporaryFolder()
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder("a.csv")))
        let error = #expect(throws: TrackerError.self) { try Recording(contentsOf: folder("a.csv")) }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }

    @Test func `A stamp that no clock shows is refused and counted, as a measurement is`() {
        var output = DecoderOutput()
        for seconds in [1e300, -1e20, .infinity, .nan] {
            output.inertial(
                rate: SIMD3(0, 0, 0), force: SIMD3(0, 0, 9.8), stamp: SenderStamp(seconds: seconds))
            output.orientation(.identity, stamp: SenderStamp(seconds: seconds))
        }
        #expect(output.readings.isEmpty && output.refusals.count == 8)
        #expect(
            output.faults == [
                .implausible, .implausible, .implausible, .implausible, .notFinite, .notFinite, .notFinite, .notFinite,
            ])
    }

    @Test func `The orientation filter passes over what no sensor measures`() {
        var filter = InertialFilter()
        for step in 0..<100 {
            filter.take(InertialSample(rate: SIMD3(0, 0, 1), force: SIMD3(0, 0, 9.81)), at: Double(step) / 100)
        }
        let before = filter.bodyToWorld
        filter.take(InertialSample(rate: SIMD3(1e160, 0, 0), force: SIMD3(0, 0, 9.81)), at: 1)
        filter.take(InertialSample(rate: SIMD3(0, 0, 1), force: SIMD3(0, 1e160, 0)), at: 1.01)
        filter.take(InertialSample(rate: SIMD3(0, 0, 1), force: SIMD3(0, 0, 9.81)), at: 1e300)
        #expect(filter.bodyToWorld == before)
    }
}

private final class Played: Sendable {
    private let list = Mutex<[Double]>([])
    func add(_ time: Double) { list.withLock { $0.append(time) } }
    var times: [Double] { list.withLock { $0 } }
}
