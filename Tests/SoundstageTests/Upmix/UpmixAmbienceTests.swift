import Glibc
import Signal
import Soundstage
import Testing

/// Surrounds of an upmix: what they contain, and how alike they are.
@Suite struct UpmixAmbienceTests {
    /// Hits hard left and hard right in turn at uneven intervals, over noise 40 dB below them. The surrounds get the
    /// noise alone. Before onsets in a roll were held, `player` gave them −20 dB at eight hits a second.
    @Test(arguments: UpmixLatency.allCases, [2, 4, 8])
    func hitsAtUnevenIntervalsOverAFaintBedStayOutOfTheSurrounds(_ latency: UpmixLatency, _ perSecond: Int) throws {
        let frames = 144_000
        var scene = UpmixScene(left: [Float](repeating: 0, count: frames), right: [Float](repeating: 0, count: frames))
        let (noise, offsets) = (UpmixScene.noise(2_400, seed: 33), UpmixScene.noise(64, seed: 34))
        for hit in 1..<(3 * perSecond - 1) {
            // Up to a fifth of the interval early or late.
            let start = Int((Float(hit) + 1.15 * offsets[hit]) * 48_000 / Float(perSecond))
            for i in 0..<2_400 {
                let sample = noise[i] * exp(-Float(i) / 300)
                if hit % 2 == 0 { scene.left[start + i] += sample } else { scene.right[start + i] += sample }
            }
        }
        let hits = UpmixScene.powers([scene.left, scene.right], from: 0).reduce(0, +)
        let bed = (UpmixScene.noise(frames, seed: 35), UpmixScene.noise(frames, seed: 36))
        let gain = Float((1e-4 * hits / UpmixScene.powers([bed.0, bed.1], from: 0).reduce(0, +)).squareRoot())
        for i in 0..<frames {
            scene.left[i] += gain * bed.0[i]
            scene.right[i] += gain * bed.1[i]
        }
        let powers = UpmixScene.powers(try UpmixScene.play(scene, latency: latency, decorrelates: false), from: 0)
        #expect(UpmixScene.decibels((powers[4] + powers[5]) / powers.reduce(0, +)) < -40)
    }

    /// Three clicks over noise without a direction. The third begins while the ambience is muted for the second.
    @Test func ambienceThatIsMutedForAnOnsetStaysMutedUntilTheNext() throws {
        var scene = UpmixScene(left: UpmixScene.noise(20_000, seed: 37), right: UpmixScene.noise(20_000, seed: 38))
        for place in [10_000, 15_000, 16_100] {
            scene.left[place] += 4
            scene.right[place] += 4
        }
        let channels = try UpmixScene.play(scene, decorrelates: false)
        func peak(_ frames: Range<Int>) -> Float {
            frames.reduce(Float(0)) { max($0, abs(channels[4][$1]), abs(channels[5][$1])) }
        }
        #expect(peak(8000..<9000) > 0.01)
        #expect(peak(15_100..<15_800) < 1e-4)
        // The block of the third onset begins at 15 872. Its step is the 48 samples before 16 096.
        let found = peak(15_800..<16_040)
        #expect(found < 1e-4, "\(found)")
    }

    /// A chromatic scale without a direction, its notes in quadrature left and right: in each third of an octave from
    /// 200 Hz the surrounds are uncorrelated, though either one alone is the scale. Before phases were dispersed, the
    /// coherence was 0.76 to 0.96.
    @Test(arguments: UpmixLatency.allCases)
    func aScaleFrom200HzIsUncorrelatedInTheSurrounds(_ latency: UpmixLatency) throws {
        let note = 24_000
        let pitches = (0..<12).map { 206 * pow(2, Double($0) / 12) }
        func scale(_ phase: Double) -> [Float] {
            pitches.flatMap { hertz in
                (0..<note).map { i in
                    let fade = min(1, Double(min(i, note - i)) / 2400)
                    return Float(0.2 * fade * sin(2 * .pi * hertz * Double(i) / 48_000 + phase))
                }
            }
        }
        let channels = try UpmixScene.play(UpmixScene(left: scale(0), right: scale(.pi / 2)), latency: latency)
        for third in 0..<3 {
            var (cross, powers) = ((re: 0.0, im: 0.0), (0.0, 0.0))
            for (index, hertz) in pitches.enumerated() where index / 4 == third {
                // Complex amplitude of the note in both surrounds, past its onset.
                let (a, b) = (
                    Self.amplitude(channels[4], hertz, from: index * note + 9600, count: 12_000),
                    Self.amplitude(channels[5], hertz, from: index * note + 9600, count: 12_000)
                )
                cross.re += a.re * b.re + a.im * b.im
                cross.im += a.im * b.re - a.re * b.im
                powers.0 += a.re * a.re + a.im * a.im
                powers.1 += b.re * b.re + b.im * b.im
            }
            let coherence = ((cross.re * cross.re + cross.im * cross.im) / (powers.0 * powers.1)).squareRoot()
            #expect(coherence < 0.6, "third \(third + 1) of the octave: \(coherence)")
        }
    }

    /// Returns the complex amplitude of a frequency in `count` frames.
    private static func amplitude(_ row: [Float], _ hertz: Double, from start: Int, count: Int) -> (
        re: Double, im: Double
    ) {
        (start..<start + count).reduce((re: 0.0, im: 0.0)) { sum, i in
            let phase = 2 * .pi * hertz * Double(i) / 48_000
            return (sum.re + Double(row[i]) * cos(phase), sum.im - Double(row[i]) * sin(phase))
        }
    }
}
