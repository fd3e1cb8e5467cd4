import Glibc
import IMU

/// Fault of a line of raw samples.
package enum InertialTableError: Error, Equatable {
    case fieldCount(line: Int, found: Int, magnetometer: Bool)
    case notANumber(line: Int, field: String)
    case notFinite(line: Int, column: String)
    case implausible(line: Int, column: String, value: Double, most: Double)
    case timeNotRising(line: Int, time: String, previous: String)
    case lineTooLong(line: Int)
}

extension InertialTableError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .fieldCount(let line, let found, let magnetometer):
            "line \(line) has \(found) \(found == 1 ? "field" : "fields"); "
                + (magnetometer
                    ? "--magnetometer needs the ten t,gx,gy,gz,ax,ay,az,mx,my,mz"
                    : "give the seven t,gx,gy,gz,ax,ay,az, or ten with mx,my,mz")
        case .notANumber(1, let field):
            "line 1: '\(field)' is not a number; leave a header out (tail -n +2)"
        case .notANumber(let line, let field): "line \(line): '\(field)' is not a number"
        case .notFinite(let line, let column): "line \(line): \(column) is not finite; leave such lines out"
        case .implausible(let line, let column, let value, let most):
            "line \(line): \(column) is \(value); no sensor measures more than \(most) in this column; are the units "
                + "s, rad/s and m/s²?"
        case .timeNotRising(let line, let time, let previous):
            "line \(line): time \(time) does not come after \(previous); sort the lines by time and leave doubles out"
        case .lineTooLong(let line): "line \(line) is longer than 4096 characters; is this CSV?"
        }
    }
}

/// Parses lines of raw samples. The bytes may be split anywhere.
package struct InertialRows {
    /// One line of raw samples.
    package struct Row {
        /// Time in seconds, rising from row to row, and its text in the line.
        var time: Double
        let timeText: ArraySlice<UInt8>
        let sample: InertialSample
    }

    /// Range of the gyroscope, if rates have reached the end of the range.
    package private(set) var range = GyroscopeRange()
    private let usesField: Bool
    private var line = 0
    private var partial: [UInt8] = []
    private var previousTime = -Double.infinity
    private var previousText: [UInt8] = []

    private static let columns = ["t", "gx", "gy", "gz", "ax", "ay", "az", "mx", "my", "mz"]
    /// Greatest magnitude in each column. The field may have any unit; its limit is for nanotesla.
    private static let greatest =
        [MotionRanges.greatestTime] + [Double](repeating: MotionRanges.greatestRate, count: 3)
        + [Double](repeating: MotionRanges.greatestForce, count: 3)
        + [Double](repeating: MotionRanges.greatestField * 1000, count: 3)

    /// `usesField`: whether every line must have a magnetic field; if false, the field is ignored.
    package init(usesField: Bool) { self.usesField = usesField }

    /// Parses the next bytes and calls `body` for each complete line, including those before a faulty line. Throws at
    /// the first faulty line. O(bytes).
    package mutating func take(_ bytes: ArraySlice<UInt8>, _ body: (Row) -> Void) throws(InertialTableError) {
        var start = bytes.startIndex
        while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if partial.isEmpty {
                body(try row(bytes[start..<end]))
            } else {
                partial += bytes[start..<end]
                let whole = partial
                partial.removeAll(keepingCapacity: true)
                body(try row(whole[...]))
            }
            start = end + 1
        }
        partial += bytes[start...]
        if partial.count > 4096 { throw .lineTooLong(line: line + 1) }
    }

    /// Parses a last line that has no line end.
    package mutating func end(_ body: (Row) -> Void) throws(InertialTableError) {
        if !partial.isEmpty { body(try row(partial[...])) }
        partial = []
    }

    private mutating func row(_ raw: ArraySlice<UInt8>) throws(InertialTableError) -> Row {
        line += 1
        var row = raw
        if row.last == UInt8(ascii: "\r") { row = row.dropLast() }
        if row.count > 4096 { throw .lineTooLong(line: line) }
        var numbers: (SIMD16<Double>) = .zero
        var count = 0
        var fieldStart = row.startIndex
        var timeText = row[row.startIndex..<row.startIndex]
        let needed = usesField ? 10 : 7
        let commas = row.reduce(0) { $0 + ($1 == UInt8(ascii: ",") ? 1 : 0) }
        guard commas == 9 || commas == 6 && !usesField else {
            // The first field distinguishes a header or other text from samples.
            let first = row.prefix { $0 != UInt8(ascii: ",") }
            if !first.isEmpty, Self.number(first) == nil { throw .notANumber(line: line, field: Self.shown(first)) }
            throw .fieldCount(line: line, found: row.isEmpty ? 0 : commas + 1, magnetometer: usesField)
        }
        while count < needed {
            let end = row[fieldStart...].firstIndex(of: UInt8(ascii: ",")) ?? row.endIndex
            let field = row[fieldStart..<end]
            guard let number = Self.number(field) else { throw .notANumber(line: line, field: Self.shown(field)) }
            guard number.isFinite else { throw .notFinite(line: line, column: Self.columns[count]) }
            guard abs(number) <= Self.greatest[count] else {
                throw .implausible(
                    line: line, column: Self.columns[count], value: number, most: Self.greatest[count])
            }
            if count == 0 { timeText = field }
            numbers[count] = number
            count += 1
            fieldStart = min(end + 1, row.endIndex)
        }
        guard numbers[0] > previousTime else {
            throw .timeNotRising(line: line, time: Self.shown(timeText), previous: Self.shown(previousText[...]))
        }
        previousTime = numbers[0]
        previousText.removeAll(keepingCapacity: true)
        previousText += timeText
        let rate = SIMD3(numbers[1], numbers[2], numbers[3])
        let sample = InertialSample(
            rate: rate, force: SIMD3(numbers[4], numbers[5], numbers[6]),
            field: usesField ? SIMD3(numbers[7], numbers[8], numbers[9]) : nil,
            clipping: range.take(rate, at: numbers[0]))
        return Row(time: numbers[0], timeText: timeText, sample: sample)
    }

    /// Returns the number in a field, which may have spaces around it; `nil` if it is not a number or is longer than 63
    /// characters.
    private static func number(_ field: ArraySlice<UInt8>) -> Double? {
        guard !field.isEmpty, field.count < 64 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            // In bounds: at most 63 characters and the closing 0 are written and read.
            for (index, byte) in field.enumerated() { text[index] = CChar(bitPattern: byte) }
            text[field.count] = 0
            var end: UnsafeMutablePointer<CChar>?
            let value = strtod(text.baseAddress!, &end)
            guard var rest = end, rest > text.baseAddress! else { return nil }
            while rest.pointee == 32 || rest.pointee == 9 { rest += 1 }
            return rest == text.baseAddress! + field.count ? value : nil
        }
    }

    private static func shown(_ field: ArraySlice<UInt8>) -> String {
        String(decoding: field.prefix(40), as: UTF8.self)
    }
}
