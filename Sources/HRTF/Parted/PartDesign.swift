import CKernels
import Glibc
import Signal

/// Divides responses into a short part with all frequencies and a longer part with only low frequencies.
///
/// After its first two milliseconds a response is audible only below about 4 kHz. At higher frequencies critical bands
/// are wider than the detail that the short part resolves, so only their level matters (`BandRestoration`). The longer
/// part has only the lowest bins of a spectrum, and is cheap to play (`Convolution.FilterForm`).
///
/// The division is linear, with one matrix for all directions. It minimises the squared difference, weighted by
/// frequency so that each critical band has the same weight. Frequencies of the low part above `limit` have 10⁵ times
/// the weight. A response that is already the sum of two such parts changes by at most −40 dB, near `limit`. O(n³) for
/// n samples of both parts together, once.
struct PartDesign: Sendable {
    /// Highest frequency of the low part, hertz. The low part's content above this frequency is 100 dB below the
    /// response.
    static let limit = 4800.0
    /// Start and end of the low part, seconds from the first sample.
    static let lowRange = (from: 30 / 44_100.0, to: 288 / 44_100.0)

    /// Number of samples of the first part.
    let wideTaps: Int
    /// Range of the samples of the low part, as positions in the response.
    let low: Range<Int>
    /// Number of samples of the responses that are divided.
    let taps: Int
    /// Matrix of the division: `[sample of a response][sample of the first part, then of the low part]`.
    private let matrix: [Float]

    /// Mean power of the responses, and their rate, from which the weights are computed.
    private let power: [Double]
    private let sampleRate: Double

    /// Returns the same division for longer responses of `taps` samples, at most half the transform of `power`. The low
    /// part becomes longer by the number of samples beyond `reducedTaps`.
    func extended(to taps: Int) -> PartDesign {
        PartDesign(
            wideTaps: wideTaps, taps: taps, ringing: max(0, taps - reducedTaps), power: power, sampleRate: sampleRate)
    }

    /// Computes the division of responses of `taps` samples.
    ///
    /// - Parameters:
    ///   - power: mean power of the responses, bins 0…n/2 of a transform of n ≥ 2·taps points.
    ///   - ringing: number of samples by which the low part is longer than `lowRange`.
    init(wideTaps: Int, taps: Int, ringing: Int = 0, power: [Double], sampleRate: Double) {
        self.wideTaps = wideTaps
        self.taps = taps
        (self.power, self.sampleRate) = (power, sampleRate)
        let end = max(wideTaps, Int(PartDesign.lowRange.to * sampleRate) + ringing)
        let low = Int(PartDesign.lowRange.from * sampleRate)..<end
        self.low = low
        let (whole, high) = PartDesign.weights(power, sampleRate: sampleRate)
        let count = wideTaps + low.count
        func weight(_ row: Int, _ column: Int) -> Double {
            let (a, b) = (row < wideTaps ? row : row - wideTaps + low.lowerBound, column)
            return whole[abs(a - b)]
        }
        var square = [Double](repeating: 0, count: count * count)
        for row in 0..<count {
            for column in 0...row {
                let at = column < wideTaps ? column : column - wideTaps + low.lowerBound
                square[row * count + column] = weight(row, at) + (column < wideTaps ? 0 : high[row - column])
            }
            square[row * count + row] += PartDesign.ridge * whole[0]
        }
        let factor = CholeskyFactor(lower: square, count: count)
        var matrix = [Float](repeating: 0, count: taps * count)
        matrix.withUnsafeMutableBufferPointer { matrix in
            let matrix = matrix
            inParallel(taps, chunk: max(1, taps / 8)) { columns in
                var values = [Double](repeating: 0, count: count)
                for column in columns {
                    for row in 0..<count { values[row] = weight(row, column) }
                    factor.solve(&values)
                    for row in 0..<count { matrix[column * count + row] = Float(values[row]) }
                }
            }
        }
        self.matrix = matrix
    }

    /// Returns the two parts of rows `[row][taps]`: `[row][wideTaps]` and `[row][low.count]`. Runs in parallel.
    func divide(_ rows: [Float]) -> (wide: [Float], low: [Float]) {
        let (count, size) = (rows.count / taps, wideTaps + low.count)
        var wide = [Float](repeating: 0, count: count * wideTaps)
        var late = [Float](repeating: 0, count: count * low.count)
        wide.withUnsafeMutableBufferPointer { wide in
            late.withUnsafeMutableBufferPointer { late in
                let (wide, late) = (wide, late)
                inParallel(count, chunk: max(1, count / 64)) { range in
                    var both = [Float](repeating: 0, count: size)
                    for row in range {
                        apply(rows, row * taps, &both)
                        for i in 0..<wideTaps { wide[row * wideTaps + i] = both[i] }
                        for i in 0..<low.count { late[row * low.count + i] = both[wideTaps + i] }
                    }
                }
            }
        }
        return (wide, late)
    }

    /// Replaces the first `taps` samples of a response by the sum of its parts. The samples after both parts are set to
    /// 0.
    func reduce(_ response: inout [Double]) {
        var both = [Float](repeating: 0, count: wideTaps + low.count)
        apply((0..<taps).map { Float(response[$0]) }, 0, &both)
        for i in response.indices {
            let wide = i < wideTaps ? Double(both[i]) : 0
            let late = low.contains(i) ? Double(both[wideTaps + i - low.lowerBound]) : 0
            response[i] = wide + late
        }
    }

    /// Length of a response that is the sum of its parts, samples.
    var reducedTaps: Int { max(wideTaps, low.upperBound) }

    private func apply(_ rows: [Float], _ start: Int, _ both: inout [Float]) {
        let size = both.count
        rows.withUnsafeBufferPointer { rows in
            matrix.withUnsafeBufferPointer { matrix in
                guard let base = matrix.baseAddress, let samples = rows.baseAddress else { return }
                let columns: [UnsafePointer<Float>?] = (0..<taps).map { base + $0 * size }
                prk_blend(size, taps, columns, samples + start, &both)
            }
        }
    }

    // MARK: The system of equations

    /// Diagonal load, relative to the whole weight. It keeps both parts small at samples that either part could
    /// contain.
    private static let ridge = 1e-9
    /// Factor on the weight of the low part's frequencies above the limit.
    private static let severity = 1e5

    /// Returns the weights of all frequencies, and those of the high frequencies of the low part, as autocorrelations
    /// at lags 0…n/2.
    private static func weights(_ power: [Double], sampleRate: Double) -> (whole: [Double], high: [Double]) {
        let bins = power.count
        let count = 2 * (bins - 1)
        let most = power.max() ?? 1
        let binHz = sampleRate / Double(count)
        let transform = FourierTransform(minimumCount: count)
        var whole = [Double](repeating: 0, count: count)
        var high = whole
        for bin in 0..<bins {
            let hertz = Double(bin) * binHz
            // Equivalent rectangular bandwidth: Glasberg & Moore, Hearing Research 47 (1990).
            let width = 24.7 * (4.37 * hertz / 1000 + 1)
            // The end of the highest octave is hardly audible. At the Nyquist frequency the low part must be 0.
            let isHighest = hertz > 0.442 * sampleRate && hertz < 0.468 * sampleRate
            let share = hertz < 30 ? 0.3 : isHighest ? 0.05 : 1
            let weight = share / ((power[bin] + 1e-4 * most) * width) * most
            let excess = max(0, min(1, (hertz / limit - 0.75) / 0.25))
            for place in bin == 0 || bin == bins - 1 ? [bin] : [bin, count - bin] {
                whole[place] = weight
                high[place] = weight * (excess * excess * severity + 1e-4)
            }
        }
        // `whole` and `high` are even, so that one transform of whole + i·high gives the (real) spectra of both.
        transform.forward(&whole, &high)
        return (Array(whole[..<bins]), Array(high[..<bins]))
    }
}
