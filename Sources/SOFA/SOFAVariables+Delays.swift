extension SOFAVariables {
    /// Returns Data.Delay in samples, `[measurement][receiver][emitter]`; 0 if the file has none.
    ///
    /// AES69 stores it as I×R or M×R; with an axis of emitters as I×R×I, M×R×I, I×R×E or M×R×E (I is 1; M measurements,
    /// R receivers, E emitters). Trailing dimensions of 1 may be missing or superfluous. A single number for each
    /// measurement, or for all, applies to both ears, and causes a remark unless it is 0.
    ///
    /// - Throws: `shape` for any other shape; `value` if a delay is not a number or exceeds one second.
    func delays(
        sampleRate: Double, emitters: Int = 1, _ remarks: inout [String]
    ) throws(SOFAError) -> [Double] {
        let name = "Data.Delay"
        let total = measurements * 2 * emitters
        guard try file.has(name) else {
            remarks.append("no Data.Delay; taken as 0")
            return [Double](repeating: 0, count: total)
        }
        let (values, shape) = try file.doubles(name, most: total)
        let (rows, ears, places) = try delayAxes(shape, emitters: emitters)
        for (index, value) in values.enumerated() where !(abs(value) <= sampleRate) {
            let spot = rows == 1 ? "" : " in measurement \(index / (ears * places))"
            throw .value(
                path: file.path, variable: name,
                problem: "is \(value) samples\(spot); expected at most one second")
        }
        let largest = values.map { abs($0) }.max() ?? 0
        if largest > 0, largest <= 0.01 {
            remarks.append("Data.Delay is at most \(largest): perhaps in seconds, read as samples as AES69 has it")
        }
        if values.contains(where: { $0 < 0 }) { remarks.append("Data.Delay is negative in places") }
        if ears == 1, largest > 0 { remarks.append("Data.Delay has one number for both ears") }
        return (0..<total).map { index in
            let (row, ear, place) = (index / (2 * emitters), index / emitters % 2, index % emitters)
            return values[
                (rows == 1 ? 0 : row) * ears * places + (ears == 1 ? 0 : ear) * places + (places == 1 ? 0 : place)]
        }
    }

    /// Returns the numbers of rows, ears and emitters of a shape; each is 1 or the full number.
    private func delayAxes(
        _ shape: [Int], emitters: Int
    ) throws(SOFAError) -> (rows: Int, ears: Int, emitters: Int) {
        // A list is one row for both ears, or one number for each measurement.
        var axes = shape.count == 1 && shape[0] != 1 ? (shape[0] == 2 ? [1, 2] : [shape[0], 1]) : shape
        while axes.count < 3 { axes.append(1) }
        while axes.count > 3, axes.last == 1 { axes.removeLast() }
        guard axes.count == 3, axes[0] == 1 || axes[0] == measurements, axes[1] == 1 || axes[1] == 2,
            axes[2] == 1 || axes[2] == emitters
        else {
            var expected = "1×2 or \(measurements)×2"
            if emitters > 1 { expected += " (measurements × ears), or those ×\(emitters) (emitters)" }
            if shape == [2, measurements] { expected += "; its axes are exchanged: transpose it" }
            throw .shape(path: file.path, variable: "Data.Delay", found: shape, expected: expected)
        }
        return (axes[0], axes[1], axes[2])
    }
}
