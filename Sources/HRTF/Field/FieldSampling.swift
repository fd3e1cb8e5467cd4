import Foundation
import Gate
import Geometry
import Signal

/// Directions for sampling a field, from a table with the header `index,az_deg,el_deg,r_m`.
package struct DirectionTable: Sendable {
    /// Directions in the order of the table.
    package var directions: [Direction<Head>]

    /// Reads a comma-separated table. Angles are in degrees, azimuth counter-clockwise. The distance in metres must be
    /// ≥ 0; it has no effect. Throws at the first fault.
    package init(contentsOf path: String) throws(HRTFError) {
        let bytes: [UInt8]
        // 128 bytes per line, for `MeasuredSet.mostDirections` lines.
        do throws(BoundedFile.Refusal) { bytes = try BoundedFile.bytes(of: path, most: 1 << 23) } catch {
            throw .directions(path: path, line: 0, reason: "the table cannot be read: \(error)")
        }
        try self.init(text: String(decoding: bytes, as: UTF8.self), path: path)
    }

    /// Parses the table's text; errors contain `path`.
    package init(text: String, path: String) throws(HRTFError) {
        directions = []
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        let header = lines.first.map { $0.filter { !$0.isWhitespace && $0 != "\u{feff}" } } ?? ""
        guard header == "index,az_deg,el_deg,r_m" else {
            throw .directions(path: path, line: 1, reason: "the header is \"\(header.prefix(60))\"")
        }
        for (number, line) in lines.enumerated().dropFirst() where !line.allSatisfy(\.isWhitespace) {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false).map {
                Double($0.trimmingCharacters(in: .whitespaces))
            }
            guard fields.count == 4, let azimuth = fields[1], let elevation = fields[2], let radius = fields[3] else {
                throw .directions(path: path, line: number + 1, reason: "not four numbers: \"\(line.prefix(60))\"")
            }
            guard azimuth.isFinite, abs(azimuth) <= 3600, abs(elevation) <= 90.001, radius.isFinite, radius >= 0 else {
                throw .directions(path: path, line: number + 1, reason: "out of range: \"\(line.prefix(60))\"")
            }
            directions.append(Direction(azimuthDegrees: azimuth, elevationDegrees: elevation))
        }
        guard !directions.isEmpty else {
            throw .directions(path: path, line: 1, reason: "the table has no directions")
        }
    }
}

extension FilterField {
    /// Returns the played responses, `[direction][ear][tap]`, as little-endian 32-bit floats.
    package func sampled(_ directions: [Direction<Head>]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(directions.count * 2 * tapCount * 4)
        for direction in directions {
            let (left, right) = responses(direction)
            for value in left + right {
                withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
            }
        }
        return bytes
    }
}
