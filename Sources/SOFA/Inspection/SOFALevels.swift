import Glibc

/// Levels of a file's responses, for each ear.
package struct SOFALevels: Hashable, Sendable {
    /// Largest magnitude of any sample, `[ear]`.
    package var peaks: [Double]
    /// Energy (sum of squared samples) of a response, mean over measurements and emitters, `[ear]`.
    package var energies: [Double]
    /// Range of energies, from the quietest to the loudest measurement at either ear.
    package var range: ClosedRange<Double>

    /// Returns an energy as a level, dB.
    package static func decibels(_ energy: Double) -> Double { 10 * log10(max(energy, 1e-30)) }

    /// Reads all responses once. Only responses that must be converted first are in memory together.
    ///
    /// - Throws: `value` if the responses are silent or contain values that are not numbers; `cancelled` if the watch
    ///   ends the reading; other errors if the file is faulty.
    init(_ properties: SOFAProperties, _ watch: ReadingWatch) throws(SOFAError) {
        let header = properties.header
        var sums = Sums()
        if header.dataType == .fir || header.dataType == .firE {
            let shape = try properties.shape()
            guard shape[1] == 2 else {
                throw .shape(
                    path: header.path, variable: "Data.IR", found: shape, expected: "2 receivers in the middle")
            }
            let row = shape.dropFirst().reduce(1, *)
            guard row <= HDF5File.largestCount else {
                throw .shape(
                    path: header.path, variable: "Data.IR", found: shape,
                    expected: "\(HDF5File.largestCount) samples of one measurement at most")
            }
            let data = try DataBlocks("Data.IR", of: properties.file, most: HDF5File.largestSlicedCount)
            let emitters = shape.count == 4 ? Double(row) / Double(2 * (header.samples(shape))) : 1
            try data.forEachMeasurement(watch: watch) { measurement, values, _ throws(SOFAError) in
                guard sums.add(values, emitters: emitters) else {
                    throw .value(
                        path: header.path, variable: "Data.IR",
                        problem:
                            "holds NaN, an infinity or a fill value in measurement \(measurement); use another file")
                }
            }
        } else {
            try header.require(.head)
            var reader = HeadReader(properties.file, header, watch)
            let set = try reader.read().set
            let row = 2 * set.sampleCount
            for start in stride(from: 0, to: set.responses.count, by: row) {
                _ = sums.add(set.responses[start..<(start + row)], emitters: 1)
            }
        }
        guard sums.peaks.contains(where: { $0 > 0 }), sums.count > 0 else {
            throw .value(
                path: header.path, variable: header.dataType.variable,
                problem: "is silent: all samples are 0; use another file")
        }
        peaks = sums.peaks
        energies = sums.energies.map { $0 / Double(sums.count) }
        range = sums.least...max(sums.least, sums.most)
    }

    private struct Sums {
        var (peaks, energies) = ([0.0, 0.0], [0.0, 0.0])
        var (least, most) = (Double.infinity, 0.0)
        var count = 0

        /// Adds one measurement, `[ear][…]`; returns false if a value is not a number.
        mutating func add(_ values: ArraySlice<Float>, emitters: Double) -> Bool {
            let half = values.count / 2
            count += 1
            for ear in 0..<2 {
                let start = values.startIndex + ear * half
                var (peak, energy): (Float, Double) = (0, 0)
                for value in values[start..<(start + half)] {
                    guard abs(value) < 1e30 else { return false }
                    peak = max(peak, abs(value))
                    energy += Double(value) * Double(value)
                }
                energy /= emitters
                peaks[ear] = max(peaks[ear], Double(peak))
                energies[ear] += energy
                (least, most) = (min(least, energy), max(most, energy))
            }
            return true
        }
    }
}

extension SOFAHeader {
    /// Returns the number of samples of a response in data of four axes: the third axis, or by AES69-2015 the last.
    fileprivate func samples(_ shape: [Int]) -> Int {
        let isOld = attributes["DataType"]?.uppercased() == "FIRE" || convention.name == "MultiSpeakerBRIR"
        return isOld ? shape[3] : shape[2]
    }
}
