import Glibc

/// Faults that the samples of a recording show by themselves, before deconvolution.
enum RecordedFaults {
    /// Returns the number of samples at the end of an ear's range; 0 where they are not more than a sound's own peaks.
    ///
    /// Samples within 10⁻⁴ of the recording's peak are counted, and those from there to 10⁻³ below it. A sound's peaks
    /// are rounded and differ: the second range is nine times as wide, and holds more. At the end of a range the first
    /// holds more.
    static func clippedSamples(_ row: [Float]) -> Int {
        let peak = row.reduce(0) { max($0, abs($1)) }
        guard peak > 0.01 else { return 0 }
        var (highest, below) = (0, 0)
        for sample in row {
            if abs(sample) >= peak * (1 - 1e-4) { highest += 1 } else if abs(sample) >= peak * (1 - 1e-3) { below += 1 }
        }
        return highest >= 4 && highest > 2 * below ? highest : 0
    }

    /// Returns the time in seconds of a stretch of 16 samples or more that are exactly 0 at both ears, with sound of
    /// 1 % of the peak within 1 ms on both sides; nil without.
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
