import Foundation

/// Discrete Fourier transform in place, radix 2, double precision; `re.count` is a power of two.
func transform(_ re: inout [Double], _ im: inout [Double]) {
    let n = re.count
    var j = 0
    for i in 1..<n {
        var bit = n >> 1
        while j & bit != 0 {
            j ^= bit
            bit >>= 1
        }
        j ^= bit
        if i < j {
            re.swapAt(i, j)
            im.swapAt(i, j)
        }
    }
    var length = 2
    while length <= n {
        let half = length / 2
        let turns = (0..<half).map {
            (cos(-2 * .pi * Double($0) / Double(length)), sin(-2 * .pi * Double($0) / Double(length)))
        }
        for start in stride(from: 0, to: n, by: length) {
            for k in 0..<half {
                let (c, s) = turns[k]
                let (a, b) = (start + k, start + k + half)
                let (xr, xi) = (re[b] * c - im[b] * s, re[b] * s + im[b] * c)
                (re[b], im[b]) = (re[a] - xr, im[a] - xi)
                (re[a], im[a]) = (re[a] + xr, im[a] + xi)
            }
        }
        length *= 2
    }
}

/// Returns the power farther than `band` Hz from `tone` Hz over the total, dB: four-term Blackman-Harris window over
/// the frames that remain after `dropped` at both ends.
func artefactLevel(_ x: [Float], tone: Double, band: Double, rate: Double, dropped: Int) -> Double {
    let count = x.count - 2 * dropped
    var size = 1
    while size < count { size *= 2 }
    var re = [Double](repeating: 0, count: size)
    var im = re
    for i in 0..<count {
        let u = 2 * .pi * Double(i) / Double(count)
        let window = 0.35875 - 0.48829 * cos(u) + 0.14128 * cos(2 * u) - 0.01168 * cos(3 * u)
        re[i] = window * Double(x[dropped + i])
    }
    transform(&re, &im)
    var (outside, total) = (0.0, 0.0)
    for k in 0...size / 2 {
        let power = re[k] * re[k] + im[k] * im[k]
        total += power
        if abs(Double(k) * rate / Double(size) - tone) > band { outside += power }
    }
    return 10 * log10(outside / total)
}

/// Returns a sine of amplitude 0.5.
func sine(_ hertz: Double, _ count: Int, rate: Double = 48_000) -> [Float] {
    (0..<count).map { Float(0.5 * sin(2 * .pi * hertz * Double($0) / rate)) }
}

/// Returns noise whose power falls by 3 dB per octave (Kellet's filter on seeded white noise).
func pinkNoise(_ count: Int, seed: UInt64 = 5) -> [Float] {
    var (b0, b1, b2) = (0.0, 0.0, 0.0)
    return noise(count, seed: seed).map { white in
        b0 = 0.99765 * b0 + Double(white) * 0.0990460
        b1 = 0.96300 * b1 + Double(white) * 0.2965164
        b2 = 0.57000 * b2 + Double(white) * 1.0526913
        return Float(0.1 * (b0 + b1 + b2 + Double(white) * 0.1848))
    }
}

/// Returns plucked chords over a beat: decaying harmonic tones and short noise bursts, with the crest of music.
func musicLike(_ count: Int, rate: Double = 48_000) -> [Float] {
    let hiss = noise(count, seed: 77)
    let roots = [110.0, 146.8, 98.0, 130.8]
    return (0..<count).map { i in
        let t = Double(i) / rate
        let beat = t * 4
        let since = (beat - beat.rounded(.down)) / 4
        let root = roots[Int(beat) % 4]
        var sum = 0.0
        for harmonic in 1...12 {
            for interval in [1, 1.26, 1.5] {
                let hertz = root * interval * Double(harmonic)
                sum += sin(2 * .pi * hertz * t) * exp(-since * 3 * Double(harmonic)) / Double(harmonic)
            }
        }
        return Float(0.12 * sum + 0.2 * Double(hiss[i]) * exp(-since * 60))
    }
}
