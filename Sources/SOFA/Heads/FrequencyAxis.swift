import Gate
import Glibc

/// Frequencies of transfer functions (the variable N in AES69, hertz), and the rate and length of their responses.
///
/// Equally spaced frequencies are bins of a discrete Fourier transform. The rate follows from the highest bin, whether
/// or not there are bins at 0 Hz and at half the rate. Other frequencies are interpolated to an equal spacing by
/// `SpectrumFilling`.
struct FrequencyAxis {
    /// Frequencies, rising, hertz.
    let frequencies: [Double]
    /// Index of each frequency in the file.
    let places: [Int]
    /// Sample rate of the responses, hertz.
    let sampleRate: Double
    /// Number of samples of the responses, which need bins 0…sampleCount/2.
    let sampleCount: Int
    /// Number of the bin at the file's lowest frequency if the frequencies are equally spaced; nil if bins must be
    /// interpolated.
    let firstBin: Int?

    /// Common sample rates of measurements.
    private static let usualRates: [Double] = [
        32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000, 384_000,
    ]
    /// Least number of frequencies.
    private static let fewest = 8
    /// Upper limit of the lowest frequency, and lower limit of the highest, hertz.
    private static let (highestStart, lowestEnd) = (1000.0, 4000.0)
    /// If the highest frequency, hertz, is below this limit, a remark states that the set sounds dull.
    private static let audibleEnd = 15_000.0
    /// Spacing of interpolated bins, hertz, for responses of 10.7 ms.
    private static let spacing = 48_000.0 / 512

    /// Reads N for data of `count` frequencies.
    ///
    /// - Throws: `incomplete` if N is missing; `shape` if it has another number of frequencies; `value` if they are too
    ///   few, repeated, negative, above 1 MHz, not in hertz or not numbers, or if their range is too small.
    init(_ file: HDF5File, count: Int, _ remarks: inout [String]) throws(SOFAError) {
        let path = file.path
        guard try file.has("N") else {
            throw .incomplete(path: path, missing: "variable N (the frequencies of its transfer functions)")
        }
        let (values, shape) = try file.doubles("N", most: count)
        guard values.count == count else {
            throw .shape(path: path, variable: "N", found: shape, expected: "\(count) frequencies")
        }
        func refusal(_ problem: String) -> SOFAError { .value(path: path, variable: "N", problem: problem) }
        guard count >= FrequencyAxis.fewest else {
            throw refusal("has only \(count) frequencies, too few for a response (\(FrequencyAxis.fewest) at least)")
        }
        if let units = try file.text("Units", of: "N"), !units.lowercased().hasPrefix("h") {
            throw refusal("is in \"\(units)\"; AES69 asks for hertz")
        }
        guard values.allSatisfy({ $0.isFinite && $0 >= 0 && $0 < 1e6 }) else {
            throw refusal("holds frequencies that are negative, not numbers, or above 1 MHz")
        }
        places = values.indices.sorted { values[$0] < values[$1] }
        let rising = places.map { values[$0] }
        frequencies = rising
        let (low, high) = (rising[0], rising[count - 1])
        guard zip(rising, rising.dropFirst()).allSatisfy({ $1 - $0 > 1e-6 * high }) else {
            throw refusal(
                high == 0
                    ? "is all zeros: the frequencies were never written" : "holds a frequency more than once")
        }
        guard low <= FrequencyAxis.highestStart else {
            throw refusal("begins at \(low) Hz; the transfer functions below cannot be estimated")
        }
        guard high >= FrequencyAxis.lowestEnd else {
            throw refusal("ends at \(high) Hz, too low to be played")
        }
        if places != Array(values.indices) { remarks.append("frequencies were out of order and have been sorted") }

        // Equally spaced within single precision, with a start at a multiple of the spacing.
        let step = (high - low) / Double(count - 1)
        let start = (low / step).rounded()
        let isEqual =
            rising.indices.allSatisfy { abs(rising[$0] - low - Double($0) * step) < 1e-3 * step }
            && abs(low - start * step) < 1e-2 * step
        if isEqual, let first = Int(start, within: 0...1 << 30) {
            firstBin = first
            let bins = first + count - 1
            let candidates = [(2 * bins, 2 * high), (2 * bins + 2, 2 * (high + step)), (2 * bins + 1, 2 * high + step)]
            let usual = candidates.first { FrequencyAxis.usualRate($0.1) != nil }
            sampleCount = (usual ?? candidates[0]).0
            sampleRate = usual.flatMap { FrequencyAxis.usualRate($0.1) } ?? candidates[0].1
            if start > 0 { remarks.append("transfer functions begin at \(FrequencyAxis.text(low)); extrapolated to 0") }
        } else {
            firstBin = nil
            let rate =
                high < FrequencyAxis.audibleEnd
                ? 2 * high : FrequencyAxis.usualRates.first { $0 >= 2 * high * (1 - 1e-6) && $0 > 40_000 } ?? 2 * high
            sampleRate = rate
            sampleCount = 2 * Int(clamping: rate / 2 / FrequencyAxis.spacing, to: FrequencyAxis.fewest...1 << 24)
            remarks.append(
                "transfer functions are not equally spaced; interpolated in magnitude and phase to every "
                    + FrequencyAxis.text(sampleRate / Double(sampleCount)))
        }
        if high < FrequencyAxis.audibleEnd {
            remarks.append("transfer functions end at \(FrequencyAxis.text(high)): the set sounds dull")
        }
        remarks.append(
            "transfer functions were converted to responses of \(sampleCount) samples at \(FrequencyAxis.text(sampleRate))"
        )
    }

    private static func usualRate(_ rate: Double) -> Double? { usualRates.first { abs($0 - rate) < 1e-5 * rate } }

    private static func text(_ hertz: Double) -> String {
        let rounded = (hertz * 100).rounded() / 100
        return Int(exactly: rounded).map { "\($0) Hz" } ?? "\(rounded) Hz"
    }
}
