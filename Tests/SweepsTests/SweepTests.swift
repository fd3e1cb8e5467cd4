import Glibc
import HRTF
import SeededRandom
import Signal
import Testing

@testable import Sweeps

@Suite("Sweeps")
struct SweepTests {
    @Test("a sweep passes each frequency at its time, and ends where the band does")
    func frequencies() throws {
        let sweep = try ExponentialSweep(low: 20, high: 20_000, seconds: 4, sampleRate: .studio)
        #expect(abs(sweep.seconds - 4) < 0.18)
        // Zero crossings per second around the time at which 1 kHz is due.
        let time = sweep.timeConstant * log(1000.0 / 20)
        let range = Int((time - 0.01) * 48_000)..<Int((time + 0.01) * 48_000)
        let crossings = range.count { sweep.samples[$0] * sweep.samples[$0 + 1] < 0 }
        #expect(abs(Double(crossings) / 0.02 / 2 - 1000) < 30)
        #expect(sweep.samples.first == 0 && sweep.samples.last == 0)
    }

    @Test(
        "octaves that reach above half the sample rate have no level",
        arguments: [(8000.0, 2000.0), (16_000, 4000), (22_050, 4000)])
    func octaves(rate: Double, last: Double) {
        let impulse = [1] + [Double](repeating: 0, count: 4095)
        let silence = [Float](repeating: 0, count: 4096)
        let levels = OctaveLevel.levels(
            responses: [impulse, impulse], silence: [silence, silence], amplitude: 1, sampleRate: rate)
        #expect(levels.last?.hertz == last)
        #expect(levels.allSatisfy { abs($0.sweep - 10 * log10(0.5)) < 1e-6 && $0.noise < -199 })
    }

    @Test("impossible sweeps are refused")
    func impossible() {
        for (low, high, seconds) in [(20.0, 25_000.0, 2.0), (20, 60, 2), (0.5, 20_000, 2), (20, 20_000, 0.01)] {
            #expect(throws: SweepError.self) {
                try ExponentialSweep(low: low, high: high, seconds: seconds, sampleRate: .studio)
            }
        }
    }

    @Test("a sweep of another program is recognised with its time constant and band")
    func recognised() throws {
        let made = try ExponentialSweep(low: 12, high: 20_000, seconds: 5, sampleRate: .cd, amplitude: 0.3)
        let found = try ExponentialSweep(samples: made.samples, sampleRate: .cd, name: "sweep.wav")
        #expect(abs(found.timeConstant / made.timeConstant - 1) < 0.002)
        #expect(found.band.lowerBound < 25 && found.band.lowerBound > 10)
        #expect(found.band.upperBound > 17_000 && found.band.upperBound < 22_050)
    }

    @Test("noise, a tone and a linear sweep are refused")
    func refused() {
        var random = SplitMix(state: 5)
        let noise = (0..<96_000).map { _ in Float(0.1 * random.normal()) }
        let tone = (0..<96_000).map { Float(sin(2 * .pi * 440 * Double($0) / 48_000)) }
        let linear = (0..<96_000).map { Float(sin(2 * .pi * (20 + 5000 * Double($0) / 48_000) * Double($0) / 48_000)) }
        for samples in [noise, tone, linear, [], [Float](repeating: 0, count: 96_000)] {
            #expect(throws: SweepError.self) {
                try ExponentialSweep(samples: samples, sampleRate: .studio, name: "other.wav")
            }
        }
    }

    @Test("overlapped sweeps keep each response free of the others and of their harmonics")
    func spacing() throws {
        let sweep = try ExponentialSweep(seconds: 3, sampleRate: .studio)
        for response in [0.1, 0.3, 0.5, 1.0] {
            let spacing = SweepSpacing.least(sweep, response: response, harmonic: 0.2, count: 12)
            #expect(spacing >= response && spacing <= sweep.seconds + response)
            for apart in 1..<12 {
                for order in 2...SweepSpacing.highestHarmonic {
                    let start = Double(apart) * spacing - sweep.advance(ofHarmonic: order)
                    #expect(start >= response - 1e-9 || start + 0.2 <= 1e-9)
                }
            }
        }
        // Twelve sweeps in less than half of the time that they take one after the other.
        let spacing = SweepSpacing.least(sweep, response: 0.5, harmonic: 0.2, count: 12)
        #expect(11 * spacing + sweep.seconds < 6 * (sweep.seconds + 0.5))
    }
}

@Suite("End of a decay")
struct DecayWindowTests {
    /// Returns a decay of noise over a noise floor, dB below the first sample.
    private func decay(time: Double, floor: Double, seconds: Double, seed: UInt64) -> [Double] {
        var random = SplitMix(state: seed)
        return (0..<Int(seconds * 48_000)).map { i in
            let level = pow(10, -3 * Double(i) / 48_000 / time)
            return level * random.normal() + pow(10, floor / 20) * random.normal()
        }
    }

    @Test("decay time and crossing of a decay of known length", arguments: [0.2, 0.4, 0.8], [-40.0, -50, -60])
    func known(time: Double, floor: Double) throws {
        let row = decay(time: time, floor: floor, seconds: 2, seed: 7)
        let found = try #require(DecayWindow(row, sampleRate: 48_000))
        #expect(abs(found.decayTime / time - 1) < 0.1, "\(found.decayTime)")
        let crossing = -floor / 60 * time
        #expect(abs(Double(found.crossing) / 48_000 - crossing) < 0.06 * time + 0.01, "\(found.crossing)")
    }

    @Test("noise alone has no decay")
    func noise() {
        var random = SplitMix(state: 8)
        #expect(DecayWindow((0..<48_000).map { _ in random.normal() }, sampleRate: 48_000) == nil)
    }

    @Test("a level that is constant until it breaks off has no decay")
    func constant() {
        let row = (0..<48_000).map { $0 >= 9600 ? 0 : $0 % 2 == 0 ? 0.1 : -0.1 }
        #expect(DecayWindow(row, sampleRate: 48_000) == nil)
    }
}

@Suite("Calibration of microphones")
struct MicrophoneCalibrationTests {
    @Test(
        "texts as makers write them are read",
        arguments: [
            "* 1000Hz -37.6\n20\t-1.5\n1000\t0.0\n20000\t3\n",
            "\"Sens Factor =-.8643dB\"\n20 -1.5 0\n1000 0 0\n20000 3 0",
            "20,-1.5\r\n1000,0\r\n20000,3\r\n", "Freq;dB\n20,0;-1,5\n1000,0;0\n20000,0;3,0\n",
        ])
    func texts(_ text: String) throws {
        let found = try MicrophoneCalibration(text: text, name: "mic.txt")
        #expect(found.points.map(\.hertz) == [20, 1000, 20_000])
        #expect(found.level(at: 5) == -1.5 && found.level(at: 1000) == 0 && found.level(at: 30_000) == 3)
        #expect(abs(found.level(at: 141.42) + 0.75) < 0.01)
    }

    @Test(
        "other texts are refused, with the line",
        arguments: [
            ("", "holds no calibration"), ("a\nb\n", "holds no calibration"), ("100 0\n50 1\n", "line 2"),
            ("100 0\n200 x\n", "line 2"), ("100 0\n200 90\n", "line 2"), ("100 0\nnan 1\n", "line 2"),
            ("100 0\n200 inf\n", "line 2"),
        ])
    func refused(_ text: String, _ word: String) {
        let error = #expect(throws: SweepError.self) { try MicrophoneCalibration(text: text, name: "mic.txt") }
        #expect(error?.description.contains(word) == true, "\(String(describing: error))")
    }
}
