import Foundation
import Gate
import Geometry

extension OrientationLog {
    /// Reads CSV `t,w,x,y,z`, with or without this header. Empty lines and lines that begin with `#` are skipped.
    /// Spaces around fields and CR line ends are accepted. O(bytes).
    package init(csv bytes: some Collection<UInt8>) throws(OrientationLogError) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
        var times: [Double] = []
        var poses: [Rotation<From, To>] = []
        var line = 0
        for raw in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            line += 1
            let row = raw.trimmed
            if row.isEmpty || row.hasPrefix("#") { continue }
            let fields = row.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
            if times.isEmpty, let first = fields.first, Double(first) == nil {
                guard fields == ["t", "w", "x", "y", "z"] else { throw .badHeader(String(row.prefix(60))) }
                continue
            }
            guard fields.count == 5 else { throw .wrongFieldCount(line: line, found: fields.count) }
            var numbers: [Double] = []
            for field in fields {
                guard let number = Double(field) else { throw .notANumber(line: line, field: String(field.prefix(40))) }
                guard number.isFinite else { throw .notFinite(line: line) }
                numbers.append(number)
            }
            guard abs(numbers[0]) <= MotionRanges.greatestTime else { throw .noTime(line: line, time: numbers[0]) }
            let q = Quaternion(w: numbers[1], x: numbers[2], y: numbers[3], z: numbers[4])
            guard let rotation = Rotation<From, To>(measured: q) else {
                throw .notUnit(line: line, length: q.squaredNorm.squareRoot())
            }
            if let previous = times.last, numbers[0] <= previous {
                throw .timesOutOfOrder(line: line, time: numbers[0], previous: previous)
            }
            times.append(numbers[0])
            poses.append(rotation)
        }
        guard !times.isEmpty else { throw .noRows }
        try self.init(times: times, poses: poses)
    }

    /// CSV text with its header. Each number has the shortest form that reads back exactly.
    package var csv: String {
        var text = "t,w,x,y,z\n"
        for (time, pose) in zip(times, poses) {
            let q = pose.quaternion
            text += "\(time),\(q.w),\(q.x),\(q.y),\(q.z)\n"
        }
        return text
    }
}

extension Rotation {
    /// Creates a rotation from a measured or typed quaternion; `nil` unless its length is within 0.9…1.1. This
    /// tolerance allows for rounding and short decimals.
    package init?(measured q: Quaternion) {
        let squared = q.squaredNorm
        guard squared >= 0.9 * 0.9, squared <= 1.1 * 1.1 else { return nil }
        self.init(q)
    }
}

extension StringProtocol {
    /// The text without white space at its two ends.
    fileprivate var trimmed: SubSequence {
        guard let first = firstIndex(where: { !$0.isWhitespace }),
            let last = lastIndex(where: { !$0.isWhitespace })
        else { return self[endIndex...] }
        return self[first...last]
    }
}

extension Data {
    /// Greatest size of a recording, bytes. A day of a tracker at 100 Hz is a gigabyte of text.
    private static var longestRecording: Int { 1 << 30 }

    /// Reads all bytes of a recording. The error contains the path and the reason in plain words.
    package init(recordingAt path: String) throws(TrackerError) {
        do throws(BoundedFile.Refusal) {
            self.init(try BoundedFile.bytes(of: path, most: Self.longestRecording))
        } catch {
            throw .unreadable(
                path: path, reason: error == .system(code: ENOENT) ? "there is no such file" : error.description)
        }
    }
}
