import Geometry
import Glibc
import HRTF
import Signal
import Testing

@testable import Rooms

/// Acoustic measures of every generated room, over all its loudspeakers and both ears.
@Suite("The sound field of generated rooms")
struct RoomFieldTests {
    private static let rate = 48_000.0
    /// Samples before the direct sound.
    private static let onset = Int(Fixture.field.onsetFrames)

    /// All octaves of all responses, the head to the front: `[octave][source][ear][sample]`.
    private static let octaves = Dictionary(
        uniqueKeysWithValues: Shoebox.presets.map { box in
            let room = Fixture.room(box)
            return (
                box.name,
                OctaveBands.centres.indices.map { band in
                    (0..<room.sourceCount).map { source in
                        (0..<2).map { ear in
                            RoomMeasures.octave(
                                band, of: room.response(source: source, yaw: 0, ear: ear), sampleRate: rate)
                        }
                    }
                }
            )
        })

    private func octave(_ band: Int, _ box: Shoebox) -> [[[Double]]] { Self.octaves[box.name]![band] }

    @Test(
        "echoes grow as dense as in real rooms: half a mixed field at 40 ms, three quarters at 60, mixed at 80",
        .enabled(if: Fixture.kemar != nil, Fixture.absence), arguments: Shoebox.presets)
    func echoes(_ box: Shoebox) throws {
        // An arrival adds density over the length of the head's response: the bounds hold for KEMAR's, which does not
        // change.
        let kemar = try #require(Fixture.kemar)
        let (room, _) = try RoomResponses.generate(box, for: Fixture.loudspeakers, heardThrough: kemar)
        let onset = kemar.onsetFrames.rounded(.down)
        let densities = [0.02, 0.04, 0.06, 0.08].map { time in
            var sum = 0.0
            for source in 0..<room.sourceCount {
                for yaw in [0, 45, 90, 135] {
                    for ear in 0..<2 {
                        sum += RoomMeasures.echoDensity(
                            room.response(source: source, yaw: yaw, ear: ear),
                            at: time + onset / Self.rate, sampleRate: Self.rate)
                    }
                }
            }
            return sum / Double(8 * room.sourceCount)
        }
        let least = box.name == "hall" ? [0.4, 0.5, 0.7, 0.95] : [0.6, 0.75, 0.85, 0.95]
        for (density, bound) in zip(densities, least) { #expect(density > bound, "\(densities)") }
        #expect(densities[3] < 1.05)
    }

    @Test("the measure of echo density: 1 for noise, next to nothing for two echoes, 0 for silence")
    func measure() {
        var random = SeededNoise(seed: 3)
        let noise = (0..<4800).map { _ in Float(random.pair().0) }
        #expect(abs(RoomMeasures.echoDensity(noise, at: 0.05, sampleRate: 48_000) - 1) < 0.05)
        var echoes = [Float](repeating: 0, count: 4800)
        (echoes[2300], echoes[2500]) = (1, -0.5)
        #expect(RoomMeasures.echoDensity(echoes, at: 0.05, sampleRate: 48_000) < 0.02)
        #expect(RoomMeasures.echoDensity([Float](repeating: 0, count: 100), at: 0.05, sampleRate: 48_000) == 0)
    }

    @Test(
        "images give way to the tail without a step: 40 ms before and after the joint agree within 1 dB from 250 Hz",
        arguments: Shoebox.presets)
    func joint(_ box: Shoebox) {
        for band in OctaveBands.centres.indices {
            let fall = 6 * log(10) / box.reverberationTimes[band] / Self.rate
            func energy(_ seconds: Range<Double>) -> Double {
                let first = Self.onset + Int(seconds.lowerBound * Self.rate)
                let last = Self.onset + Int(seconds.upperBound * Self.rate)
                var sum = 0.0
                for row in octave(band, box).flatMap({ $0 }) {
                    for i in first..<last { sum += row[i] * row[i] * exp(fall * Double(i)) }
                }
                return sum
            }
            let step = 10 * log10(energy(0.04..<0.08) / energy(0.08..<0.12))
            #expect(abs(step) < (band == 0 ? 1.5 : 1), "\(OctaveBands.centres[band]) Hz: \(step) dB")
        }
    }

    @Test(
        "ears are as coherent after 80 ms as in a diffuse field at this head, within 0.05 below 1 kHz",
        arguments: Shoebox.presets)
    func coherence(_ box: Shoebox) {
        let head = HeadDiffuseField(Fixture.field)
        for band in 0..<4 {
            let expected = diffuse(head, band)
            let values = octave(band, box).map { ears in
                RoomMeasures.interauralCoherence(
                    left: Array(ears[0][(Self.onset + 3840)...]), right: Array(ears[1][(Self.onset + 3840)...]),
                    sampleRate: Self.rate)
            }
            let mean = values.reduce(0, +) / Double(values.count)
            // At 1 kHz a short tail has a few dozen independent values, and the coherence is the largest of 97 lags.
            #expect(abs(mean - expected) < (band < 3 ? 0.06 : 0.1), "band \(band): \(values), expected \(expected)")
        }
    }

    /// Returns the largest correlation within ±1 ms of a diffuse field at a head, in one octave.
    private func diffuse(_ head: HeadDiffuseField, _ band: Int) -> Double {
        var (powers, sums) = (SIMD2<Double>.zero, [Double](repeating: 0, count: 97))
        for frequency in stride(from: 20.0, to: 20_000, by: 5) {
            let weight = OctaveBands.octaveWeight(band, at: frequency)
            guard weight > 0 else { continue }
            let field = head.at(frequency)
            powers += SIMD2(field.left * field.left, field.right * field.right) * weight * weight
            for lag in -48...48 {
                sums[lag + 48] +=
                    weight * weight * field.coherence * field.left * field.right
                    * cos(2 * .pi * frequency * Double(lag) / Self.rate)
            }
        }
        return (sums.map(abs).max() ?? 0) / (powers.x * powers.y).squareRoot()
    }

    @Test("energy after 80 ms decays as the stated times say, down to −35 dB", arguments: Shoebox.presets)
    func decay(_ box: Shoebox) {
        for band in OctaveBands.centres.indices {
            let rows = octave(band, box).flatMap { $0 }.map { Array($0[(Self.onset + 3840)...]) }
            let all = rows[0].indices.map { i in rows.reduce(0) { $0 + $1[i] * $1[i] }.squareRoot() }
            func stray(_ row: [Double]) -> Double {
                let curve = RoomMeasures.energyDecay(row)
                return curve.indices.reduce(0) { worst, i in
                    let line = -60 * Double(i) / Self.rate / box.reverberationTimes[band]
                    return line < -35 ? worst : max(worst, abs(curve[i] - line))
                }
            }
            // All loudspeakers and ears together; an octave at 125 Hz decays by about a tenth within one period.
            let strays = rows.map(stray)
            let mean = strays.reduce(0, +) / Double(strays.count)
            #expect(stray(all) < (band < 2 ? 1.5 : 1.1), "\(OctaveBands.centres[band]) Hz: \(stray(all)) dB")
            // Each loudspeaker and ear alone: the low octaves of a short tail have too few independent values for less.
            let bound = box.name == "hall" ? [1.5, 1, 1, 1, 1, 1, 1.1] : [3.5, 2.5, 2, 1.5, 1, 1, 1]
            #expect(mean < bound[band], "\(OctaveBands.centres[band]) Hz, one by one: \(mean) dB")
        }
    }
}
