import Foundation
import Geometry

extension OrientationTrack {
    /// Bytes that such a text may have: a day at 100 Hz.
    private static let mostBytes = 1 << 30

    /// Reads a text `t,w,x,y,z` with that header: seconds of sound, and the quaternion from the field to the world. A last
    /// line that lacks its end, as of a take that was cut off, is left out.
    ///
    /// - Throws: `unreadable`; `invalid` with the line at fault.
    package init(csvAt path: String) throws(CaptureError) {
        let bytes: Data
        do { bytes = try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        guard bytes.count <= Self.mostBytes else { throw .unreadable(path: path, reason: "too long") }
        try self.init(csv: String(decoding: bytes, as: UTF8.self), source: path)
    }

    /// Reads the text itself; `source` is what errors call it.
    package init(csv text: String, source: String = "CSV") throws(CaptureError) {
        self.init()
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        // What is behind the last line's end.
        lines.removeLast()
        guard lines.first.map({ $0 + "\n" == CaptureNames.orientationHeader }) ?? false else {
            throw .invalid(source: source, key: "line 1", reason: "must be t,w,x,y,z")
        }
        for (place, line) in lines.enumerated().dropFirst() where !line.isEmpty {
            let numbers = line.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
            guard numbers.count == 5, let t = numbers[0], let w = numbers[1], let x = numbers[2], let y = numbers[3],
                let z = numbers[4]
            else { throw .invalid(source: source, key: "line \(place + 1)", reason: "must be five numbers") }
            guard append(Sample(time: t, fieldToWorld: Quaternion(w: w, x: x, y: y, z: z))) else {
                throw .invalid(
                    source: source, key: "line \(place + 1)",
                    reason: "is not later than the line before, or no rotation")
            }
        }
    }
}
