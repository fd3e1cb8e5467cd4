import Foundation
import Headphones
import Metering
import SeamMeasures
import Signal
import Testing

@testable import Rendering

/// The headphone equaliser in the output stage.
@Suite struct HeadphoneStageTests {
    /// An output stage with an equaliser, and the equaliser's controls.
    private struct Rig: ~Copyable {
        let headphones: HeadphoneRenderer
        var output: OutputStage

        init(_ filter: HeadphoneFilter?, slice: Int = 64) {
            var configuration = StageConfiguration(sampleRate: .studio, slice: slice, sources: [])
            configuration.headphones = filter
            headphones = HeadphoneRenderer(configuration)
            output = OutputStage(kind: .off, trim: Decibels(0), sampleRate: 48_000, headphones: headphones)
        }

        /// Renders in calls of the given lengths; `at` gets the frame before each call.
        mutating func render(
            _ left: [Float], _ right: [Float], calls: [Int] = [64], at: (Int, HeadphoneRenderer) -> Void = { _, _ in }
        ) -> Ears {
            var (l, r) = (left, right)
            var (done, call) = (0, 0)
            while done < l.count {
                let count = min(calls[call % calls.count], l.count - done)
                at(done, headphones)
                _ = output.beginSlice()
                l.withUnsafeMutableBufferPointer { l in
                    r.withUnsafeMutableBufferPointer { r in
                        output.process(l.baseAddress! + done, r.baseAddress! + done, count: count)
                    }
                }
                done += count
                call += 1
            }
            return Ears(left: l, right: r)
        }
    }

    private static func filter(_ text: String) throws -> HeadphoneFilter {
        let equaliser = try HeadphoneEqualiser(try EqualiserText(text, name: ""), name: "") {
            response throws(HeadphonesError) in throw .unreadable(response.path, "")
        }
        return HeadphoneFilter(equaliser, sampleRate: .studio)
    }

    private static let parametric = """
        Preamp: -6.1 dB
        Filter 1: ON LSC Fc 105 Hz Gain 5.5 dB Q 0.70
        Filter 2: ON PK Fc 2066 Hz Gain -3.9 dB Q 1.71
        Filter 3: ON HSC Fc 10000 Hz Gain -2.1 dB Q 0.70
        Channel: R
        Filter 4: ON PK Fc 5000 Hz Gain 4 dB Q 3
        """
    private static let graphic = "GraphicEQ: 20 -8; 100 -2; 400 -5; 2000 -1; 3000 -9; 6000 -4; 12000 -7; 20000 -3"

    /// Returns the level of a response at a frequency, dB.
    private func level(_ response: [Float], _ hertz: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for (i, sample) in response.enumerated() {
            let angle = 2 * Double.pi * hertz * Double(i) / 48_000
            real += Double(sample) * cos(angle)
            imaginary += Double(sample) * sin(angle)
        }
        return 10 * log10(real * real + imaginary * imaginary)
    }

    @Test(arguments: [parametric, graphic, parametric + "\nChannel: L\n" + graphic])
    func `What is heard has the filter's response within 0.05 dB, without latency`(_ text: String) throws {
        let filter = try Self.filter(text)
        var rig = Rig(filter)
        var impulse = [Float](repeating: 0, count: 48_000)
        impulse[0] = 1
        let heard = rig.render(impulse, impulse)
        #expect(abs(heard.left[0]) > 0.1 && abs(heard.right[0]) > 0.1)
        var worst = 0.0
        for step in 0...120 {
            let hertz = 20 * pow(1000, Double(step) / 120)
            worst = max(
                worst, abs(level(heard.left, hertz) - filter.decibels(ear: 0, at: hertz)),
                abs(level(heard.right, hertz) - filter.decibels(ear: 1, at: hertz)))
        }
        print("rendered against the filter's response: \(worst) dB")
        #expect(worst < 0.05)
    }

    @Test(arguments: [64, 128, 256])
    func `Where a stream is cut makes no difference`(_ slice: Int) throws {
        let filter = try Self.filter(Self.parametric + "\nChannel: all\n" + Self.graphic)
        let (l, r) = (noise(20_000), noise(20_000, seed: 2))
        var whole = Rig(filter, slice: slice)
        var cut = Rig(filter, slice: slice)
        let reference = whole.render(l, r, calls: [slice])
        let pieces = cut.render(l, r, calls: [1, slice - 1, 7, 100, 1000, 33])
        #expect(pieces.error(against: reference) < -120)
        var longer = Rig(filter, slice: slice)
        let long = longer.render(l, r, calls: [4 * slice])
        #expect(long.isIdentical(to: reference))
    }

    @Test func `Without an equalisation no bit is changed, and once it has gone none again`() throws {
        let (l, r) = (noise(48_000), noise(48_000, seed: 2))
        var rig = Rig(nil)
        let filter = try Self.filter(Self.parametric)
        let heard = rig.render(l, r) { frame, headphones in
            if frame == 9600 { headphones.publish(filter) }
            if frame == 24_000 { headphones.publish(nil) }
        }
        #expect(heard.left[..<9600].elementsEqual(l[..<9600]) && heard.right[..<9600].elementsEqual(r[..<9600]))
        // Without a filter no history has to fill; the fade lasts 20 ms.
        #expect(heard.left[25_000...].elementsEqual(l[25_000...]))
        #expect(heard.error(against: Ears(left: l, right: r), in: 15_000..<24_000) > -20)
        #expect(rig.headphones.count == 1)
    }

    @Test(arguments: [parametric, graphic])
    func `Switched off it is as loud as on, within 0.1 LU`(_ text: String) throws {
        let filter = try Self.filter(text)
        let pink = pinkNoise(480_000)
        func loudness(on: Bool) -> Double {
            var rig = Rig(filter)
            rig.headphones.set(on: on)
            let heard = rig.render(pink, pink)
            let block = PlanarBlock(channels: 2, frames: pink.count)
            for i in pink.indices { (block[0][i], block[1][i]) = (heard.left[i], heard.right[i]) }
            var sum = 0.0
            for ear in 0..<2 {
                let weighting = KWeighting(sampleRate: 48_000)
                var x = (0..<pink.count).map { Double(block[ear][$0]) }
                for section in [weighting.shelf, weighting.highPass] {
                    var (z1, z2) = (0.0, 0.0)
                    for i in x.indices {
                        let y = section.b0 * x[i] + z1
                        z1 = section.b1 * x[i] - section.a1 * y + z2
                        z2 = section.b2 * x[i] - section.a2 * y
                        x[i] = y
                    }
                }
                sum += x[4800...].reduce(0) { $0 + $1 * $1 }
            }
            return 10 * log10(sum)
        }
        let (on, off) = (loudness(on: true), loudness(on: false))
        print("on against off: \(on - off) LU")
        #expect(abs(on - off) < 0.1)
    }

    @Test func `Another filter fades in as both alone would, on the documented course`() throws {
        let (first, second) = (try Self.filter(Self.parametric), try Self.filter(Self.graphic))
        let tone = sine(1000, 96_000)
        var a = Rig(first)
        var b = Rig(second)
        var both = Rig(first)
        let (old, new) = (a.render(tone, tone), b.render(tone, tone))
        let heard = both.render(tone, tone) { frame, headphones in if frame == 48_000 { headphones.publish(second) } }
        // The fade of 20 ms begins at the first slice after the new filter's history is full.
        let warm = (second.ringing + 63) / 64 * 64
        var wanted = old
        for i in 48_000..<96_000 {
            let share = SmoothStep.value(Float(i - 48_000 - warm) / 960)
            wanted.left[i] += (new.left[i] - old.left[i]) * share
            wanted.right[i] += (new.right[i] - old.right[i]) * share
        }
        let error = heard.error(against: wanted)
        print("swap under a tone against both alone: \(error) dB")
        #expect(error < -80)
        #expect(both.headphones.count == 1)
    }

    @Test(arguments: [100.0, 440, 1000])
    func `Nothing clicks where it is switched and exchanged under a tone`(_ hertz: Double) throws {
        let filters = [try Self.filter(Self.parametric), try Self.filter(Self.graphic)]
        var rig = Rig(filters[0])
        let tone = sine(hertz, 192_000)
        let heard = rig.render(tone, tone) { frame, headphones in
            if frame % 19_200 == 9600 { headphones.publish(filters[frame / 19_200 % 2]) }
            if frame % 19_200 == 0 { headphones.set(on: frame / 19_200 % 2 == 0) }
        }
        let high = HighPass.over(4000, HighPass.over(4000, heard.left, 48_000).map { Float($0) }, 48_000)
        let energy = high[4800...].reduce(0.0) { $0 + $1 * $1 }
        let level = 10 * log10(energy / heard.left[4800...].reduce(0.0) { $0 + Double($1) * Double($1) })
        print("energy above 4 kHz round switchings at \(hertz) Hz: \(level) dB")
        #expect(level < -74)
    }

    @Test func `A stream that begins anew has what was asked for from its first frame`() throws {
        let (first, second) = (try Self.filter(Self.parametric), try Self.filter(Self.graphic))
        let sound = noise(9600)
        var rig = Rig(first)
        var fresh = Rig(second)
        let reference = fresh.render(sound, sound)
        _ = rig.render(sound, sound)
        rig.headphones.publish(second)
        rig.output.restart()
        let heard = rig.render(sound, sound)
        // The sound before the restart fades within 64 frames.
        #expect(heard.error(against: reference, in: 64..<9600) == -.infinity)
        #expect(rig.headphones.count == 1)
    }

    @Test func `Samples that are no numbers are forgotten`() throws {
        var rig = Rig(try Self.filter(Self.parametric + "\nChannel: all\n" + Self.graphic))
        var sound = noise(48_000)
        sound[4800] = .nan
        let heard = rig.render(sound, sound)
        #expect(heard.left[24_000...].allSatisfy { $0.isFinite })
    }
}
