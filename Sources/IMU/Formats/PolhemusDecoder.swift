import Geometry

/// Polhemus Fastrak and Patriot, text output: a station number, then x, y, z, azimuth, elevation and roll in columns
/// without gaps, each seven (or nine) characters wide. Axes: x front, y right, z down. Azimuth is positive to the
/// right, elevation upwards, roll to the right, in degrees.
struct PolhemusDecoder: TrackerDecoder {
    private var lines = LineSearch(greatestLength: 128)

    /// Requests continuous output.
    let opening: [[UInt8]] = [Array("C\r".utf8)]

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        for byte in bytes {
            guard let line = lines.take(byte, &output.faults) else { continue }
            guard let layout = Self.layouts[line.count], let n = Self.columns(line[...], layout) else {
                output.faults.append(.malformed)
                continue
            }
            output.orientation(angles: SIMD3(n[3], n[4], n[5]) * SIMD3(-1, 1, 1) * (.pi / 180))
        }
    }

    /// Start of the first column and width of each column, by the length of a line.
    private static let layouts = [45: (start: 3, width: 7), 58: (start: 4, width: 9)]

    private static func columns(_ line: ArraySlice<UInt8>, _ layout: (start: Int, width: Int)) -> [Double]? {
        var numbers: [Double] = []
        for index in 0..<6 {
            let field = line.dropFirst(layout.start + index * layout.width).prefix(layout.width)
            guard let number = TextFields.number(TextFields.trimmed(field)) else { return nil }
            numbers.append(number)
        }
        return numbers
    }
}
