import AudioMix
import Foundation
import Geometry
import IMU

extension CameraPath {
    /// Reads the direction of a camera over time from a file. The text consists of rows of `seconds,degrees` or
    /// `seconds,degrees,field`, with or without that header. It may also be the orientation file of a recording by
    /// `capture`, `t,w,x,y,z`. The first direction in such a file is the front. Empty lines and lines that begin with
    /// `#` are skipped.
    ///
    /// - Throws: an error, with the number of the line if a line is faulty.
    package init(contentsOf path: String) throws(MotionLogError) {
        let bytes: Data
        do throws(TrackerError) { bytes = try Data(recordingAt: path) } catch { throw .unreadable(error) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .camera("\(path) is no text; a camera's path is lines of seconds,degrees or t,w,x,y,z")
        }
        try self.init(text, source: path)
    }

    /// Reads rows as in `init(contentsOf:)` from a text. `source`: name of the text in errors.
    package init(_ text: String, source: String) throws(MotionLogError) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let first = lines.first { !$0.isEmpty && !$0.hasPrefix("#") } ?? ""
        let keys =
            first.filter { $0 == "," }.count == 4
            ? try Self.turns(text, source) : try Self.rows(lines, source)
        guard let path = CameraPath(keys) else {
            throw .camera("\(source) has no rows; a camera's path is lines of seconds,degrees[,field]")
        }
        self = path
    }

    /// Reads rows of `seconds,degrees[,field]`.
    private static func rows(_ lines: [String], _ source: String) throws(MotionLogError) -> [Key] {
        var keys: [Key] = [], width: Int?, isFirst = true
        for (place, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
            func fault(_ words: String) -> MotionLogError {
                .camera("\(source): line \(place + 1): \(words)")
            }
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            defer { isFirst = false }
            if isFirst, Double(fields[0]) == nil {
                guard fields == ["seconds", "degrees"] || fields == ["seconds", "degrees", "field"] else {
                    throw fault("'\(line.prefix(60))' is no header; it says seconds,degrees[,field] or t,w,x,y,z")
                }
                continue
            }
            guard fields.count == width ?? fields.count, (2...3).contains(fields.count) else {
                throw fault("\(fields.count) fields; each line has seconds,degrees or each seconds,degrees,field")
            }
            width = fields.count
            var numbers: [Double] = []
            for field in fields {
                guard let number = Double(field), number.isFinite else {
                    throw fault("'\(field.prefix(40))' is not a number")
                }
                numbers.append(number)
            }
            if let last = keys.last, numbers[0] <= last.seconds {
                throw fault("the time \(numbers[0]) does not come after \(last.seconds); sort the lines by time")
            }
            if numbers.count == 3, !(0...360).contains(numbers[2]) {
                throw fault("the field is 0 to 360 degrees, not \(fields[2])")
            }
            let k = Double.pi / 180
            keys.append(
                Key(seconds: numbers[0], heading: numbers[1] * k, field: numbers.count == 3 ? numbers[2] * k : nil))
        }
        return keys
    }

    /// Returns the direction of the camera's front over time, relative to the first direction, from rows of
    /// `t,w,x,y,z`.
    private static func turns(_ text: String, _ source: String) throws(MotionLogError) -> [Key] {
        // A last line without a line end is incomplete, as after an interrupted recording, and is dropped.
        let whole =
            text.last?.isNewline == false ? text[..<(text.lastIndex(where: \.isNewline) ?? text.endIndex)] : text[...]
        let log: OrientationLog<Stage, Stage>
        do throws(OrientationLogError) { log = try OrientationLog(csv: Array(whole.utf8)) } catch {
            throw .camera("\(source): \(error)")
        }
        let first = log.poses[0].quaternion.yaw
        return zip(log.times, log.poses).map { Key(seconds: $0, heading: $1.quaternion.yaw - first) }
    }
}
