/// Pairs of responses in the order of reading. Each pair is checked, and kept unless an ear is silent.
///
/// Only kept pairs take memory, whatever size the file states.
struct ResponseStore {
    /// Number of samples in each response.
    let sampleCount: Int
    /// Kept responses, `[kept measurement][receiver][sample]`.
    private(set) var responses: [Float] = []
    /// Indices of the kept measurements, in the file's order.
    private(set) var kept: [Int] = []

    private let path: String
    private let variable: String
    private var seen = 0
    private var heard = (left: false, right: false)

    /// Reserves address space for at most `measurements` pairs; memory is used when pairs are appended. Errors name
    /// `variable`.
    init(path: String, variable: String, sampleCount: Int, measurements: Int) {
        (self.path, self.variable, self.sampleCount) = (path, variable, sampleCount)
        responses.reserveCapacity(2 * sampleCount * measurements)
    }

    /// Appends the next measurement, both ears, `[receiver][sample]`. O(samples).
    ///
    /// - Throws: `value` if the pair contains NaN, an infinity or netCDF's fill value.
    mutating func append(_ pair: ArraySlice<Float>) throws(SOFAError) {
        precondition(pair.count == 2 * sampleCount)
        let index = seen
        seen += 1
        var peaks: (Float, Float) = (0, 0)
        for receiver in 0..<2 {
            let start = pair.startIndex + receiver * sampleCount
            var peak: Float = 0
            for value in pair[start..<(start + sampleCount)] {
                // One comparison catches NaN, infinities and netCDF's fill value 9.97e36.
                guard abs(value) < 1e30 else { throw notANumber(value, index, receiver) }
                peak = max(peak, abs(value))
            }
            if receiver == 0 { peaks.0 = peak } else { peaks.1 = peak }
        }
        heard.left = heard.left || peaks.0 > 0
        heard.right = heard.right || peaks.1 > 0
        guard peaks.0 > 0, peaks.1 > 0 else { return }
        kept.append(index)
        responses.append(contentsOf: pair)
    }

    /// Rotates every response circularly: sample `start` becomes the first.
    mutating func rotate(from start: Int) {
        for row in 0..<(2 * kept.count) {
            let range = (row * sampleCount)..<((row + 1) * sampleCount)
            let turned = responses[range].dropFirst(start) + responses[range].prefix(start)
            responses.replaceSubrange(range, with: turned)
        }
    }

    /// Reverses time in every response, circularly: sample n is exchanged with sample −n.
    mutating func reverse() {
        for row in 0..<(2 * kept.count) {
            let first = row * sampleCount + 1
            responses[first..<(first + sampleCount - 1)].reverse()
        }
    }

    /// Returns whether time runs backwards, judged by the two ears. Only pairs with a level difference of more than 3
    /// dB and a delay of more than 0.1 ms are counted. Time runs backwards if the louder ear is the later one in more
    /// than four fifths of them, and in at least two. Delays are circular, as in a discrete transform. O(samples).
    func runsBackwards(sampleRate: Double) -> Bool {
        var (forwards, backwards) = (0, 0)
        for pair in kept.indices {
            var peaks = [0, 0]
            var energies = [0.0, 0.0]
            for ear in 0..<2 {
                let row = responses[((2 * pair + ear) * sampleCount)..<((2 * pair + ear + 1) * sampleCount)]
                var largest: Float = 0
                for (n, value) in row.enumerated() {
                    energies[ear] += Double(value) * Double(value)
                    if abs(value) > largest { (largest, peaks[ear]) = (abs(value), n) }
                }
            }
            // Delay of the second ear relative to the first, at most half the circle.
            var lag = (peaks[1] - peaks[0] + sampleCount) % sampleCount
            if 2 * lag > sampleCount { lag -= sampleCount }
            let ratio = energies[0] / max(energies[1], 1e-30)
            guard abs(Double(lag)) > 1e-4 * sampleRate, ratio > 2 || ratio < 0.5 else { continue }
            if (lag > 0) == (ratio > 1) { forwards += 1 } else { backwards += 1 }
        }
        return backwards >= 2 && backwards > 4 * forwards
    }

    /// Completes the reading. Throws unless both ears have sound in at least one measurement. Adds a remark on omitted
    /// measurements, which the remark calls `what`.
    func finish(_ remarks: inout [String], what: String = "measurements") throws(SOFAError) {
        guard heard.left || heard.right else {
            throw .value(path: path, variable: variable, problem: "is silent: all samples are 0; use another file")
        }
        guard heard.left && heard.right else {
            throw .value(
                path: path, variable: variable,
                problem: "is silent in receiver \(heard.left ? 1 : 0) (the \(heard.left ? "right" : "left") ear)")
        }
        guard !kept.isEmpty else {
            throw .value(
                path: path, variable: variable, problem: "has no measurement with sound at both ears")
        }
        if kept.count < seen {
            remarks.append("\(seen - kept.count) of \(seen) \(what) are silent in an ear and were left out")
        }
    }

    private func notANumber(_ value: Float, _ measurement: Int, _ receiver: Int) -> SOFAError {
        let what =
            value.isNaN ? "NaN" : value.isInfinite ? "an infinity" : "a fill value (never written: \(value))"
        return .value(
            path: path, variable: variable,
            problem: "holds \(what) in measurement \(measurement), receiver \(receiver); use another file")
    }
}
