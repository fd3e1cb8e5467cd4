import Glibc

/// Resamples impulse responses, or delays them by a fraction of a sample, by windowed sinc in double precision.
///
/// The window is a Kaiser window of 110 dB (Oppenheim & Schafer, Discrete-Time Signal Processing, §7.5.3). In a
/// conversion between rates the passband ends at 0.45 of the lower rate, and the stopband begins at 0.5 or 0.55 of it
/// (`Transition`). For fractional delays at one rate the passband ends at 0.4 of the rate.
struct ResponseConversion: Sendable {
    /// Attenuation and ripple of the window, dB.
    static let attenuation = 110.0

    /// Start of the stopband in a conversion between rates.
    enum Transition: Sendable {
        /// At half of the lower rate: no images remain.
        case full
        /// As far above half of the lower rate as the passband ends below it, which halves the cost. A response is a
        /// filter, not a signal: its images in this range only filter sound that is present there, and add none.
        case shared

        /// Width of the transition, relative to the lower rate.
        var width: Double { self == .full ? 0.05 : 0.1 }
    }

    /// New rate divided by the old rate.
    let ratio: Double
    /// Length of the kernel on either side, samples at the old rate.
    let reach: Int

    /// Cutoff, cycles per sample of the old rate.
    private let cutoff: Double
    /// The kernel at `steps` points per sample, from 0 to `reach`.
    let table: [Double]
    static let steps = 4096

    /// Prepares a conversion from one rate in hertz to another.
    init(from old: Double, to new: Double, transition: Transition = .full) {
        ratio = new / old
        let lower = min(1, ratio)
        reach = ResponseConversion.reach(from: old, to: new, transition: transition)
        cutoff = (ratio == 1 ? 0.5 : 0.45 + transition.width / 2) * lower
        let beta = 0.1102 * (ResponseConversion.attenuation - 8.7)
        let (half, scale) = (Double(reach), DelayKernel.bessel0(beta))
        let (cutoff, steps) = (cutoff, ResponseConversion.steps)
        table = (0...(reach * steps)).map { step in
            let t = Double(step) / Double(steps)
            let edge = max(0, 1 - (t / half) * (t / half)).squareRoot()
            let angle = 2 * .pi * cutoff * t
            let sinc = t == 0 ? 2 * cutoff : sin(angle) / (.pi * t)
            return sinc * DelayKernel.bessel0(beta * edge) / scale
        }
    }

    /// Returns the length of the kernel on either side, samples at the old rate: half of (A − 8)/(2.285·Δω) taps (A:
    /// `attenuation`). The transition band Δω/2π, cycles per sample, is that of `transition`; at equal rates it is 0.2.
    static func reach(from old: Double, to new: Double, transition: Transition = .full) -> Int {
        let width = old == new ? 0.2 : transition.width * min(1, new / old)
        return Int(((attenuation - 8) / (2.285 * 2 * .pi * width) / 2).rounded(.up))
    }

    /// Returns the value of a response (`count` samples of `rows` from `start` on) at a time in samples of the old
    /// rate. O(2·reach).
    func value(_ rows: UnsafeBufferPointer<Float>, start: Int, count: Int, at time: Double) -> Double {
        let first = max(0, Int((time - Double(reach)).rounded(.up)))
        let last = min(count - 1, Int((time + Double(reach)).rounded(.down)))
        guard first <= last else { return 0 }
        var sum = 0.0
        table.withUnsafeBufferPointer { table in
            for i in first...last {
                let place = abs(time - Double(i)) * Double(ResponseConversion.steps)
                let lower = min(table.count - 2, Int(place))
                let t = place - Double(lower)
                sum += Double(rows[start + i]) * (table[lower] + t * (table[lower + 1] - table[lower]))
            }
        }
        return sum
    }

    /// Converts rows of `taps` samples, `[row][sample]`, to the new rate. Each result has `length` samples, the first
    /// of them `lead(row)` new samples before the old sample 0. Amplitudes are divided by `ratio`, which keeps the gain
    /// of a convolution. O(rows · length · reach), in parallel.
    func convert(_ rows: [Float], taps: Int, lead: (Int) -> Double, length: Int) -> [Float] {
        let count = rows.count / max(1, taps)
        var result = [Float](repeating: 0, count: count * length)
        let leads = (0..<count).map(lead)
        result.withUnsafeMutableBufferPointer { result in
            rows.withUnsafeBufferPointer { rows in
                let (result, rows) = (result, rows)
                inParallel(count, chunk: max(1, count / 32)) { range in
                    for row in range {
                        for i in 0..<length {
                            let time = (Double(i) - leads[row]) / ratio
                            result[row * length + i] = Float(
                                value(rows, start: row * taps, count: taps, at: time) / ratio)
                        }
                    }
                }
            }
        }
        return result
    }

    /// Returns the numbers of samples to remove at the start and at the end of all rows (`[row][taps]`), each at most
    /// half of `taps`. The mean energy lost at each end is at most `cost`, dB relative to each row's energy.
    static func ends(_ rows: [Float], taps: Int, costing cost: Double) -> (start: Int, end: Int) {
        let count = rows.count / max(1, taps)
        var shares = [Double](repeating: 0, count: taps)
        for row in 0..<count {
            let energies = rows[(row * taps)..<((row + 1) * taps)].map { Double($0) * Double($0) }
            let energy = energies.reduce(0, +)
            guard energy > 0 else { continue }
            for i in 0..<taps { shares[i] += energies[i] / energy / Double(count) }
        }
        let most = pow(10, cost / 10)
        func affordable(_ places: some Sequence<Int>) -> Int {
            var (sum, number) = (0.0, 0)
            for place in places {
                sum += shares[place]
                guard sum <= most, number < taps / 2 else { break }
                number += 1
            }
            return number
        }
        return (affordable(0..<taps), affordable((0..<taps).reversed()))
    }

    /// Returns how many samples at either end of all rows (`[row][taps]`) are at most −`silence` dB relative to each
    /// row's peak; 0 and 0 if no sample would remain.
    static func silentEnds(_ rows: [Float], taps: Int, silence: Double) -> (start: Int, end: Int) {
        let ratio = Float(pow(10, -silence / 20))
        var (start, end) = (taps, taps)
        for row in 0..<(rows.count / max(1, taps)) {
            let samples = rows[(row * taps)..<((row + 1) * taps)]
            let floor = ratio * (samples.map { abs($0) }.max() ?? 0)
            guard let first = samples.firstIndex(where: { abs($0) > floor }),
                let last = samples.lastIndex(where: { abs($0) > floor })
            else { continue }
            start = min(start, first - row * taps)
            end = min(end, (row + 1) * taps - 1 - last)
        }
        return start + end >= taps ? (0, 0) : (start, end)
    }
}
