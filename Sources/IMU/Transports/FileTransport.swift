import Foundation
import Gate
import Geometry

/// A recording, played once in real time. Its times are exact, and each reading is delivered at its time. Recordings
/// that share a `RecordingTimeline` keep their time offsets.
package final class FileTransport: TrackerTransport, Sendable {
    private let path: String
    private let clock: @Sendable () -> Double
    private let timeline: RecordingTimeline
    // A thread is used because a task's frame does not keep the alignment of the vectors in readings (Swift 6.3).
    private let thread = TransportThread(name: "tracker file")

    /// Creates a transport that is not open yet. `clock`: seconds of the host's monotonic clock. `timeline`: shared by
    /// recordings that are played together; playback begins when all are open.
    package init(
        path: String, clock: @escaping @Sendable () -> Double, timeline: RecordingTimeline = .init(recordings: 1)
    ) {
        self.path = path
        self.clock = clock
        self.timeline = timeline
    }

    /// Reads the whole recording, then plays it on a thread. Throws if the file is unreadable or faulty, if it does not
    /// overlap another recording of the time line, or if no thread can be started.
    package func start(receive: @escaping @Sendable (TransportEvent) -> [[UInt8]]) async throws(TrackerError) {
        let recording = try Recording(contentsOf: path)
        try timeline.join(path, from: recording.times[0], to: recording.times[recording.times.count - 1])
        try play(recording, receive)
    }

    /// Does nothing: a recording receives no messages.
    package func send(_ messages: [[UInt8]]) {}

    /// Stops the playback and waits for its end.
    package func stop() async { await thread.stop() }

    private func play(
        _ recording: Recording, _ receive: @escaping @Sendable (TransportEvent) -> [[UInt8]]
    ) throws(TrackerError) {
        let (clock, path, thread, timeline) = (self.clock, self.path, self.thread, self.timeline)
        try thread.start {
            _ = receive(.opened(place: path))
            var origin = timeline.origin(at: clock())
            while origin == nil, !thread.isEnding {
                _ = thread.wait(for: -1, milliseconds: 5)
                origin = timeline.origin(at: clock())
            }
            guard let start = origin else { return }
            for (time, reading) in zip(recording.times, recording.readings) {
                while case let wait = start + time - clock(), wait > 0, !thread.isEnding {
                    _ = thread.wait(for: -1, milliseconds: Int32(Int(clamping: wait * 1000, .up, to: 0...1000)))
                }
                if thread.isEnding { return }
                _ = receive(.played(reading, at: start + time))
            }
        }
    }
}

/// Content of a recording: readings over time.
///
/// The first line that is neither empty nor a comment (`#`) distinguishes three forms: motion logs (CSV `t,w,x,y,z`,
/// body to world), raw IMUs (CSV `t,gx,gy,gz,ax,ay,az[,mx,my,mz]` in s, rad/s, m/s², µT, with or without this header),
/// and lines of JSON in the format of the `udp:` tracker, each with its time.
package struct Recording: Sendable {
    /// Times of the readings in seconds, never falling; at least one.
    package private(set) var times: [Double] = []
    /// Readings, one for each time.
    package private(set) var readings: [TrackerReading] = []

    /// Reads a file. The error contains the path.
    package init(contentsOf path: String) throws(TrackerError) {
        let bytes = try Data(recordingAt: path)
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .badLog(path: path, .notText) }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let first = lines.first { !$0.allSatisfy(\.isWhitespace) && !$0.hasPrefix("#") } ?? ""
        if first.hasPrefix("{") {
            try take(json: lines, path)
        } else if first.hasPrefix("t,g") || [7, 10].contains(first.split(separator: ",").count) {
            try take(inertial: lines, path)
        } else {
            let log: OrientationLog<Body, World>
            do throws(OrientationLogError) { log = try OrientationLog(csv: bytes) } catch {
                throw .badLog(path: path, error)
            }
            times = log.times
            readings = log.poses.map { TrackerReading(.orientation($0)) }
        }
        guard !times.isEmpty else { throw .badLog(path: path, .noRows) }
    }

    private mutating func take(inertial lines: [Substring], _ path: String) throws(TrackerError) {
        for (index, line) in lines.enumerated() {
            let row = line.filter { !$0.isWhitespace }
            if row.isEmpty || row.hasPrefix("#") || (times.isEmpty && row.hasPrefix("t,")) { continue }
            let numbers = row.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
            guard numbers.count == 7 || numbers.count == 10, numbers.allSatisfy(\.isFinite) else {
                throw .badRecording(
                    path: path, line: index + 1, reason: "needs t,gx,gy,gz,ax,ay,az or these and mx,my,mz, as numbers")
            }
            let sample = InertialSample(
                rate: SIMD3(numbers[1], numbers[2], numbers[3]), force: SIMD3(numbers[4], numbers[5], numbers[6]),
                field: numbers.count == 10 ? SIMD3(numbers[7], numbers[8], numbers[9]) : nil)
            if sample.fault() != nil {
                throw .badRecording(
                    path: path, line: index + 1,
                    reason: "contains a value that no sensor measures; the limits are \(MotionRanges.greatestRate) "
                        + "rad/s, \(MotionRanges.greatestForce) m/s² and \(MotionRanges.greatestField) µT")
            }
            try append(TrackerReading(.inertial(sample)), at: numbers[0], path, line: index + 1)
        }
    }

    private mutating func take(json lines: [Substring], _ path: String) throws(TrackerError) {
        guard let format = TrackerFormat.named(TrackerSpecification.ownFormat) else { return }
        var decoder = format.makeDecoder(.messages)
        for (index, line) in lines.enumerated() where !line.allSatisfy(\.isWhitespace) && !line.hasPrefix("#") {
            var output = DecoderOutput()
            decoder.decode(Array(line.utf8) + [10], into: &output)
            if let fault = output.faults.first {
                throw .badRecording(path: path, line: index + 1, reason: "cannot be decoded (\(fault.rawValue))")
            }
            for reading in output.readings {
                guard let stamp = reading.stamp else {
                    throw .badRecording(path: path, line: index + 1, reason: "has no time")
                }
                try append(reading, at: stamp.seconds, path, line: index + 1)
            }
        }
    }

    private mutating func append(
        _ reading: TrackerReading, at time: Double, _ path: String, line: Int
    ) throws(TrackerError) {
        guard abs(time) <= MotionRanges.greatestTime else {
            throw .badRecording(path: path, line: line, reason: "\(time) is not a valid time in seconds")
        }
        if let previous = times.last, time < previous {
            throw .badLog(path: path, .timesOutOfOrder(line: line, time: time, previous: previous))
        }
        times.append(time)
        readings.append(reading)
    }
}

extension OrientationLog {
    /// Reads a log from a file. The error contains the path.
    package init(contentsOf path: String) throws(TrackerError) {
        let bytes = try Data(recordingAt: path)
        do { try self.init(csv: bytes) } catch { throw .badLog(path: path, error) }
    }
}
