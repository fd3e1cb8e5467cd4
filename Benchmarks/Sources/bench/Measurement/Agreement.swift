import Foundation

/// Holds contenders to the truth: all start anew, do the same steps, and the last ones are compared.
struct Agreement {
    /// Steps before the comparison: more than the filters are long.
    let warming: Int
    /// Steps compared.
    let compared: Int
    /// Worse than this voids a cell.
    static let limitDecibels = -100.0

    /// 20·log10(rms(difference) / rms(truth)) of the worst row. A row of zeros agrees only with zeros. `output` holds the
    /// last step's result afterwards.
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
