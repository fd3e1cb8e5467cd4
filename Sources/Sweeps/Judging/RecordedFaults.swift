import Glibc

/// Faults that the samples of a recording show by themselves, before deconvolution.
enum RecordedFaults {
    /// Returns the number of clipped samples of one ear's recording. Returns 0 if the largest samples may be peaks of
    /// the sound itself, or if the peak is at most 0.01.
    ///
    /// Samples are counted in two ranges of magnitude, relative to the recording's peak: down to 10⁻⁴ below it, and
    /// from there down to 10⁻³ below it. The peaks of an unclipped sound are smooth and have different heights. The
    /// second range is nine times as wide, so it then contains more samples. A recording counts as clipped if the first
    /// range contains at least four samples, and more than twice as many as the second.
    static func clippedSamples(_ row: [Float]) -> Int {
        let peak = row.reduce(0) { max($0, abs($1)) }
        guard peak > 0.01 else { return 0 }
        var (highest, below) = (0, 0)
        for sample in row {
            if abs(sample) >= peak * (1 - 1e-4) { highest += 1 } else if abs(sample) >= peak * (1 - 1e-3) { below += 1 }
        }
        return highest >= 4 && highest > 2 * below ? highest : 0
    }

    /// Returns the time, seconds, of the first stretch of 16 samples or more that are exactly 0 at both ears, with
    /// sound of more than 1 % of the peak within 1 ms before and after it. Returns nil if there is none.
    static func silence(_ left: [Float], _ right: [Float], sampleRate: Double) -> Double? {
        let peak = max(left.reduce(0) { max($0, abs($1)) }, right.reduce(0) { max($0, abs($1)) })
        let near = max(4, Int(0.001 * sampleRate))
        func sounds(_ range: Range<Int>) -> Bool {
            range.clamped(to: left.indices).contains { max(abs(left[$0]), abs(right[$0])) > 0.01 * peak }
        }
        var i = 0
        while i < left.count {
            guard left[i] == 0, right[i] == 0 else {
                i += 1
                continue
            }
            var end = i
            while end < left.count, left[end] == 0, right[end] == 0 { end += 1 }
            if end - i >= 16, sounds((i - near)..<i), sounds(end..<(end + near)) { return Double(i) / sampleRate }
            i = end
        }
        return nil
    }
}
