import Gate
import Geometry
import IMU

/// Converts lines of raw samples to lines of orientations. The bytes may be split anywhere.
package struct InertialTable {
    /// Number of lines fused so far.
    package private(set) var rowCount = 0
    /// Faults of the samples that are compensated, such as rates at the end of the gyroscope's range; one line each.
    package var remarks: [String] {
        let clipped = rows.range.name.map {
            "the gyroscope stood at the end of its range, \($0), for \(rows.range.count) samples: faster turns are estimated"
        }
        let milliseconds = (clock.scatter * 10_000).rounded() / 10
        let scattered =
            clock.replaced > 0
            ? "the times scatter by \(milliseconds) ms about a regular rate, which was used for \(clock.replaced) samples"
            : nil
        return [clipped, scattered].compactMap(\.self)
    }
    private var clock = RecordedClock()
    private var fusion: any InertialFusion
    private var rows: InertialRows
    private let tellsUncertainty: Bool

    /// Creates a converter to orientations relative to the earth. `tellsUncertainty`: whether every line ends with the
    /// heading's standard deviation, degrees.
    package init(options: InertialOptions, tellsUncertainty: Bool = false) {
        fusion = InertialFilter(options: options)
        rows = InertialRows(usesField: options.usesField)
        self.tellsUncertainty = tellsUncertainty
    }

    /// Creates a converter to the head's orientation relative to a device. `device`: the device's samples in order of
    /// time.
    package init(device: [InertialRows.Row], options: InertialOptions, tellsUncertainty: Bool = false) {
        var clock = RecordedClock()
        let evened = device.map { row in
            var row = row
            row.time = clock.time(of: row.time)
            return row
        }
        fusion = InertialPair(device: evened, options: options)
        rows = InertialRows(usesField: options.usesField)
        self.tellsUncertainty = tellsUncertainty
    }

    /// Converts the next bytes and appends a line to `output` for each complete input line. O(bytes).
    package mutating func take(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8]) throws(InertialTableError) {
        // The rows are copied to a local variable, so that the closure may change `self`.
        var rows = self.rows
        defer { self.rows = rows }
        try rows.take(bytes) { fuse($0, into: &output) }
    }

    /// Converts a last line that has no line end.
    package mutating func end(into output: inout [UInt8]) throws(InertialTableError) {
        var rows = self.rows
        defer { self.rows = rows }
        try rows.end { fuse($0, into: &output) }
    }

    private mutating func fuse(_ row: InertialRows.Row, into output: inout [UInt8]) {
        var row = row
        row.time = clock.time(of: row.time)
        let (pose, deviation) = fusion.take(row)
        rowCount += 1
        output += row.timeText
        for part in [pose.w, pose.x, pose.y, pose.z] { Self.append(part, to: &output) }
        if tellsUncertainty { Self.append(min(deviation * 180 / .pi, 1e6), to: &output) }
        output.append(UInt8(ascii: "\n"))
    }

    /// Appends a comma and a number with nine decimals.
    private static func append(_ value: Double, to output: inout [UInt8]) {
        var scaled = Int(clamping: abs(value) * 1e9, to: 0...Int.max)
        output.append(UInt8(ascii: ","))
        if value < 0, scaled > 0 { output.append(UInt8(ascii: "-")) }
        output += String(scaled / 1_000_000_000).utf8
        output.append(UInt8(ascii: "."))
        scaled %= 1_000_000_000
        var unit = 100_000_000
        while unit > 0 {
            output.append(UInt8(ascii: "0") + UInt8(scaled / unit))
            scaled %= unit
            unit /= 10
        }
    }
}
