import Foundation
import Headphones
import Signal
import Testing

@Suite("Inverses of measured headphones")
struct HeadphoneInverseTests {
    /// Synthetic refits: headphones with a bass roll-off, a resonance, an ear canal's peak and a presence dip, each
    /// refit with different leaks, a notch that moves, and noise.
    static func refits(_ count: Int, notch: ClosedRange<Double> = 10_000...13_000, rate: Double = 44_100) -> [[[Float]]]
    {
        var state: UInt64 = 7
        func random() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / Double(1 << 53)
        }
        return (0..<count).map { _ in
            (0..<2).map { ear in
                let filters = [
                    EqualiserFilter(.lowShelf, hertz: 90, gain: -4 + 1.5 * random(), width: .quality(0.7)),
                    EqualiserFilter(.peak, hertz: 250, gain: 2, width: .quality(1)),
                    EqualiserFilter(.peak, hertz: 2800 + Double(ear) * 150, gain: 9 + random(), width: .quality(1.6)),
                    EqualiserFilter(.peak, hertz: 5200 + 200 * random(), gain: -7, width: .quality(2.5)),
                    EqualiserFilter(
                        .peak, hertz: notch.lowerBound + (notch.upperBound - notch.lowerBound) * random(), gain: -18,
                        width: .quality(5)),
                ]
                var row = [Double](repeating: 0, count: 4096)
                row[20] = 0.3
                for filter in filters {
                    let section = SecondOrderSection(filter, sampleRate: rate)
                    var (z1, z2) = (0.0, 0.0)
                    for i in row.indices {
                        let y = section.b0 * row[i] + z1
                        z1 = section.b1 * row[i] - section.a1 * y + z2
                        z2 = section.b2 * row[i] - section.a2 * y
                        row[i] = y
                    }
                }
                return row.map { Float($0 + 1e-5 * (random() - 0.5)) }
            }
        }
    }

    /// Returns the largest deviation from its mean, dB, of the mean power of refits through a filter, in sixths of an
    /// octave from 100 Hz to 8 kHz.
    static func deviation(_ refits: [[[Float]]], through filter: HeadphoneFilter, ear: Int) -> Double {
        let rate = filter.sampleRate.hertz
        let levels = (0...150).map { step -> Double in
            let centre = 100 * pow(80, Double(step) / 150)
            var sum = 0.0
            for part in -4...4 {
                let hertz = centre * pow(2, Double(part) / 48)
                for refit in refits {
                    let (c, s) = (cos(2 * .pi * hertz / rate), -sin(2 * .pi * hertz / rate))
                    var (real, imaginary) = (0.0, 0.0)
                    for sample in refit[ear].reversed() {
                        (real, imaginary) = (real * c - imaginary * s + Double(sample), real * s + imaginary * c)
                    }
                    sum += (real * real + imaginary * imaginary) * pow(10, filter.decibels(ear: ear, at: hertz) / 10)
                }
            }
            return 10 * log10(sum)
        }
        let mean = levels.reduce(0, +) / Double(levels.count)
        return levels.map { abs($0 - mean) }.max() ?? 0
    }

    @Test("Made from half the refits it flattens the other half within 1.5 dB from 100 Hz to 8 kHz")
    func otherHalf() throws {
        let all = Self.refits(6)
        let equaliser = try HeadphoneInverse.equaliser(
            HeadphoneInverse.Measurement(Array(all[..<3]), sampleRate: 44_100), name: "hp.sofa")
        let filter = HeadphoneFilter(equaliser, sampleRate: .cd)
        for ear in 0..<2 {
            let deviation = Self.deviation(Array(all[3...]), through: filter, ear: ear)
            print("inverse on the other half of the refits, ear \(ear): \(deviation) dB")
            #expect(deviation < 1.5)
        }
        #expect(equaliser.curves.joined().allSatisfy { $0.decibels.allSatisfy { $0 <= 10 } })
        #expect(filter.boost.decibels < 0.1)
    }

    @Test("Nothing is done below 30 Hz and above 18 kHz, and dips are not filled where they move")
    func bounds() throws {
        let equaliser = try HeadphoneInverse.equaliser(
            HeadphoneInverse.Measurement(Self.refits(4), sampleRate: 44_100), name: "")
        let curve = equaliser.curves[0][0]
        #expect(curve.value(at: 25) == 0 && curve.value(at: 19_000) == 0)
        // The notch of a single refit is 18 dB deep.
        let single = try HeadphoneInverse.equaliser(
            HeadphoneInverse.Measurement(Self.refits(1, notch: 13_000...13_000), sampleRate: 44_100), name: "")
        #expect((120...140).map { single.curves[0][0].value(at: Double($0) * 100) }.max() ?? 0 < 8)
        #expect(single.remarks.contains { $0.contains("one fit") })
    }

    @Test("A level that differs between ears is evened out and told")
    func balance() throws {
        let quiet = Self.refits(2).map { [$0[0], $0[1].map { $0 * 0.5 }] }
        let equaliser = try HeadphoneInverse.equaliser(
            HeadphoneInverse.Measurement(quiet, sampleRate: 44_100), name: "")
        #expect(equaliser.remarks.contains { $0.contains("the ears differ by") })
        let filter = HeadphoneFilter(equaliser, sampleRate: .cd)
        #expect(abs(filter.decibels(ear: 1, at: 700) - filter.decibels(ear: 0, at: 700) - 6) < 0.5)
    }

    @Test("Responses that are silent, no numbers or of unequal lengths are refused")
    func refusals() {
        func reason(_ responses: [[[Float]]]) -> String {
            do throws(HeadphonesError) {
                _ = try HeadphoneInverse.equaliser(
                    HeadphoneInverse.Measurement(responses, sampleRate: 48_000), name: "hp")
                return ""
            } catch { return error.description }
        }
        #expect(reason([]).contains("expected responses of two ears"))
        #expect(reason([[[1, 0], [1]]]).contains("expected responses of two ears"))
        #expect(reason([[[1, 0], [0, 0]]]).contains("refit 1 is silent at ear 2"))
        #expect(reason([[[1, 0], [.infinity, 0]]]).contains("no finite numbers"))
    }
}
