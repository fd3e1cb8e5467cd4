import Glibc
import HRTF

/// Frequency response of a microphone, from the text that its maker supplies: a frequency in hertz and a level in
/// decibels in each line, then perhaps a phase, which is not used.
///
/// Lines before the first number are headings. Fields are separated by spaces, tabs or semicolons, or else by commas.
/// Outside the given frequencies, the level at the nearest one applies.
package struct MicrophoneCalibration: Sendable {
    /// Frequencies, hertz, ascending, and levels, dB.
    package let points: [(hertz: Double, decibels: Double)]

    /// Largest number of lines in a file, and largest magnitude of a level, dB.
    static let mostLines = 100_000, mostLevel = 60.0

    /// Reads a text; `name` is that of its file, for messages.
    ///
    /// - Throws: `line` for a line after the first numbers that has no pair of numbers and is not marked as a comment,
    ///   for a frequency that does not rise, and for a level beyond ±60 dB. `calibration` for fewer than two lines of
    ///   numbers, or a file of more than 100 000 lines.
    package init(text: String, name: String) throws(SweepError) {
        var points: [(hertz: Double, decibels: Double)] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
        guard lines.count <= MicrophoneCalibration.mostLines else {
            throw .calibration(
                name, "holds more than \(MicrophoneCalibration.mostLines) lines; name a calibration file")
        }
        for (index, line) in lines.enumerated() {
            let fields = MicrophoneCalibration.fields(line)
            guard let first = fields.first else { continue }
            let numbers = fields.prefix(2).map { Double($0) }
            guard numbers.count == 2, let hertz = numbers[0], let level = numbers[1] else {
                // Lines before the first numbers are headings. A later line without numbers must be marked as a
                // comment.
                if points.isEmpty || "*#;\"/".contains(first.first ?? " ") { continue }
                throw .line(index + 1, of: name, "expected a frequency in hertz and a level in dB, as in 1000 -0.5")
            }
            guard hertz.isFinite, hertz > 0, hertz > points.last?.hertz ?? 0 else {
                throw .line(index + 1, of: name, "the frequency \(hertz) Hz is not above that of the line before")
            }
            guard level.isFinite, abs(level) <= MicrophoneCalibration.mostLevel else {
                throw .line(index + 1, of: name, "a level of \(level) dB is no microphone's: the greatest is 60 dB")
            }
            points.append((hertz, level))
        }
        guard points.count >= 2 else {
            throw .calibration(
                name, "holds no calibration: lines with a frequency in hertz and a level in dB are expected")
        }
        self.points = points
    }

    /// Returns the fields of a line. A comma is the decimal sign if the line has other separators; else it is the
    /// separator.
    private static func fields(_ line: Substring) -> [String] {
        let blanks: Set<Character> = [" ", "\t", ";", "\u{A0}", "\u{FEFF}"]
        var fields = line.split { blanks.contains($0) }.map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
        if fields.count == 1 { fields = fields[0].split(separator: ",").map(String.init) }
        return fields.map { $0.replacing(",", with: ".") }
    }

    /// Returns the level at a frequency in hertz, dB: linear over the logarithm of the frequency.
    package func level(at hertz: Double) -> Double {
        guard let next = points.firstIndex(where: { $0.hertz >= hertz }) else {
            return points[points.count - 1].decibels
        }
        guard next > 0 else { return points[0].decibels }
        let (a, b) = (points[next - 1], points[next])
        let along = log(hertz / a.hertz) / log(b.hertz / a.hertz)
        return a.decibels + along * (b.decibels - a.decibels)
    }

    /// Removes the microphone's response from a measured one: the spectrum is divided by the microphone's level and by
    /// the minimum phase that belongs to this level. A capsule and its housing are of minimum phase in the audible
    /// range.
    func removed(from row: [Double], sampleRate: Double) -> [Double] {
        let transform = FourierTransform(minimumCount: row.count + Int(0.1 * sampleRate))
        let n = transform.count
        // The filter's spectrum is smooth, so the phase is computed at fewer frequencies.
        let coarse = 8192
        let step = sampleRate / Double(2 * coarse)
        let spectrum = MinimumPhase.spectrum(decibels: (0...coarse).map { -level(at: max(1, Double($0) * step)) })
        var (taps, other) = ([Double](repeating: 0, count: 2 * coarse), [Double](repeating: 0, count: 2 * coarse))
        for bin in 0...coarse {
            (taps[bin], other[bin]) = spectrum[bin]
            if bin > 0 && bin < coarse { (taps[2 * coarse - bin], other[2 * coarse - bin]) = (taps[bin], -other[bin]) }
        }
        FourierTransform(minimumCount: 2 * coarse).inverse(&taps, &other)
        let length = min(coarse, n - row.count)
        var real = row + [Double](repeating: 0, count: n - row.count)
        var imaginary = Array(taps[..<length]) + [Double](repeating: 0, count: n - length)
        transform.forward(&real, &imaginary)
        let (a, b) = (real, imaginary)
        for k in 0..<n {
            let m = (n - k) % n
            let p: SIMD2<Double> = SIMD2(a[k] + a[m], b[k] - b[m]) / 2
            let q: SIMD2<Double> = SIMD2(b[k] + b[m], a[m] - a[k]) / 2
            (real[k], imaginary[k]) = (p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x)
        }
        transform.inverse(&real, &imaginary)
        return Array(real[..<row.count])
    }
}
