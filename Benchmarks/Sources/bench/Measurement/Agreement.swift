import Foundation

/// Compares contenders with the reference: all restart, do the same steps, and the last steps are compared.
struct Agreement {
    /// Number of steps before the comparison; they exceed the length of the filters.
    let warming: Int
    /// Number of steps compared.
    let compared: Int
    /// Greatest permitted error, dB; a larger one voids the cell.
    static let limitDecibels = -100.0

    /// Returns 20·log10(rms(difference) / rms(truth)) of the worst row. A row of zeros agrees only with zeros.
    /// `output` then holds the last step's result.
    func error(of contender: any Contender, with truth: any Truth, output: Output) -> Double {
        let (rows, frames) = (output.rowCount, output.frames)
        var difference = [Double](repeating: 0, count: rows)
        var power = difference
        for index in 0..<(warming + compared) {
            contender.step(index, into: output)
            guard index >= warming else { continue }
            contender.present(in: output)
            var exact = [[Double]](repeating: [Double](repeating: 0, count: frames), count: rows)
            truth.result(ofStep: index, rows: &exact)
            for row in 0..<rows {
                for frame in 0..<frames {
                    let (x, y) = (exact[row][frame], Double(output[row][frame]))
                    difference[row] += (x - y) * (x - y)
                    power[row] += x * x
                }
            }
        }
        let worst = (0..<rows).map { row -> Double in
            guard difference[row].isFinite else { return .infinity }
            return difference[row] == 0 ? 0 : difference[row] / max(power[row], 1e-300)
        }
        return 10 * log10(max(worst.max() ?? 0, 1e-30))
    }
}
