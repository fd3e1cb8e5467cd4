import Gate
import Glibc
import Signal

/// Converts cascades of second-order sections (Data.SOS of AES69: measurements × receivers × 6 coefficients per
/// section, in the order b0 b1 b2 a0 a1 a2) to responses.
struct SectionCascade {
    /// Number of sections of each cascade.
    let sectionCount: Int
    /// Number of samples until all cascades have decayed, estimated from the poles: 16 to `longest`.
    private(set) var sampleCount = 16

    /// Level to which a response must have decayed at its end: −100 dB.
    private static let silence = 1e-5
    /// Largest number of coefficients of all cascades; 2000 directions of 32 sections are 768 000.
    static let mostCoefficients = 1 << 22

    private let path: String
    private let longest: Int
    /// Largest radius of a pole.
    private var largestPole = 0.0

    /// Creates the conversion. `coefficients`: number of coefficients in each cascade. `longest`: greatest length of a
    /// response, samples.
    init(coefficients: Int, longest: Int, path: String, shape: [Int]) throws(SOFAError) {
        guard coefficients > 0, coefficients % 6 == 0 else {
            throw .shape(
                path: path, variable: "Data.SOS", found: shape,
                expected: "measurements × 2 ears × coefficients, six for each section (b0 b1 b2 a0 a1 a2)")
        }
        sectionCount = coefficients / 6
        self.path = path
        self.longest = longest
    }

    /// Checks both cascades of a measurement, `[receiver][coefficient]`, and increases `sampleCount` if their responses
    /// are longer.
    ///
    /// - Throws: `value` if a coefficient is not a number, an a0 is 0, or a cascade is unstable.
    mutating func measure(_ pair: ArraySlice<Float>, measurement: Int) throws(SOFAError) {
        for (place, numbers) in SectionCascade.numbers(pair).enumerated() {
            let spot =
                "in measurement \(measurement), receiver \(place / sectionCount), section \(place % sectionCount)"
            guard numbers.allSatisfy({ abs($0) < 1e30 }) else {
                throw .value(
                    path: path, variable: "Data.SOS", problem: "holds NaN, an infinity or a fill value \(spot)")
            }
            guard numbers[3] != 0 else {
                throw .value(path: path, variable: "Data.SOS", problem: "has a0 = 0 \(spot): no filter")
            }
            let section = SectionCascade.section(numbers)
            guard section.isStable else {
                throw .value(
                    path: path, variable: "Data.SOS",
                    problem:
                        "is unstable \(spot) (a1 = \(section.a1), a2 = \(section.a2)): its response grows without end")
            }
            largestPole = max(largestPole, section.poleRadius)
        }
        // Several sections with close poles decay more slowly than one section, hence the factor 1.5.
        let decay = largestPole < 1e-6 ? 0 : log(SectionCascade.silence) / log(largestPole)
        sampleCount = max(
            sampleCount,
            min(longest, Int(clamping: 1.5 * decay, .towardZero, to: 0...1_000_000_000) + 2 * sectionCount + 2))
    }

    /// Whether the responses are truncated at `longest` samples.
    var isCut: Bool { sampleCount == longest }

    /// Returns the response of one cascade, `sampleCount` samples. O(samples · sections).
    func response(_ coefficients: ArraySlice<Float>) -> [Float] {
        var signal = [Double](repeating: 0, count: sampleCount)
        signal[0] = 1
        for numbers in SectionCascade.numbers(coefficients) {
            var filter = SecondOrderFilter(SectionCascade.section(numbers))
            for n in signal.indices { signal[n] = filter(signal[n]) }
        }
        return signal.map { Float(abs($0) < 1e-30 ? 0 : $0) }
    }

    /// Returns the section of six numbers in the file's order; a0 must not be 0.
    private static func section(_ s: [Double]) -> SecondOrderSection {
        SecondOrderSection(numerator: (s[0], s[1], s[2]), denominator: (s[3], s[4], s[5]))
    }

    /// Returns the six numbers of each section.
    private static func numbers(_ coefficients: ArraySlice<Float>) -> [[Double]] {
        stride(from: coefficients.startIndex, to: coefficients.endIndex, by: 6).map { start in
            coefficients[start..<(start + 6)].map(Double.init)
        }
    }
}
