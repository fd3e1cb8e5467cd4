import Geometry
import Glibc
import HRTF
import Rooms
import SeededRandom
import Signal
import Synchronization

@testable import Sweeps

/// A person with microphones in the ears, in a room that the program generates: the responses are known.
struct SimulatedPerson: Sendable {
    /// Loudspeakers by name, and their azimuths in degrees.
    static let loudspeakers: [(name: String, azimuth: Double)] = [
        ("FL", 30), ("FR", -30), ("FC", 0), ("SL", 100), ("SR", -100),
    ]
    static let rate = SampleRate.studio
    static let studio = SimulatedPerson(.studio)

    private let field: FilterField
    private let room: RoomResponses

    /// Puts the person into a room.
    init(_ box: Shoebox) {
        field = try! FilterField.prepare(GeneratedHead().set(), sampleRate: Self.rate).0
        let directions = Self.loudspeakers.map {
            Direction<Stage>?(Direction(azimuthDegrees: $0.azimuth, elevationDegrees: 0))
        }
        room = try! RoomResponses.generate(box, for: directions, heardThrough: field).0
    }

    static func direction(_ name: String) -> Direction<Head> {
        Direction(azimuthDegrees: loudspeakers.first { $0.name == name }?.azimuth ?? 0, elevationDegrees: 0)
    }

    /// Returns the true responses `[ear][sample]` to a loudspeaker, with the head turned by a multiple of 2°.
    func responses(_ name: String, yawDegrees: Int = 0) -> [[Double]] {
        let source = Self.loudspeakers.firstIndex { $0.name == name } ?? 0
        let yaw = (yawDegrees / 2 + room.yawCount) % room.yawCount
        let seen = Direction<Head>(
            azimuthDegrees: Self.loudspeakers[source].azimuth - Double(yawDegrees), elevationDegrees: 0)
        let (left, right) = field.responses(seen)
        return [left, right].enumerated().map { ear, direct in
            var row = room.response(source: source, yaw: yaw, ear: ear).map(Double.init)
            for (i, sample) in direct.enumerated() { row[i] += Double(room.directGain * sample) }
            return row
        }
    }
}

/// Disturbances of a simulated take.
struct SimulatedTake {
    /// Level of the noise below the mean power of the sweep's sound at the louder ear, dB; nil: without noise.
    var noise: Double?
    /// Frequency of the recording clock, less one, millionths.
    var drift = 0.0
    /// Amplitudes of the second and the third harmonic of a full-scale sine.
    var harmonics = (second: 0.0, third: 0.0)
    /// Level of each capsule in dB at 1 kHz and at 10 kHz; a shelf of the first order lies between.
    var capsules = [(low: 0.0, high: 0.0), (low: 0.0, high: 0.0)]
    /// Gain of the recording.
    var gain = 1.0
    /// Delay of the devices, frames.
    var latency = 0
    /// Angle by which the head turns in the middle of the take, degrees, a multiple of 2.
    var turn = 0
    var seed: UInt64 = 1

    /// The faults of the specification at once: 60 dB of SNR, 50 ppm, 1 % of distortion, unlike capsules.
    static func all(seed: UInt64) -> SimulatedTake {
        SimulatedTake(
            noise: 60, drift: 50, harmonics: (0.008, 0.006), capsules: [(0.5, 2), (-0.7, -1.5)], latency: 1234,
            seed: seed)
    }

    /// Frequency at which the shelf of a capsule is half way, hertz.
    private static let shelf = 3000.0

    /// Returns a capsule's calibration as a text.
    func calibration(_ ear: Int) -> MicrophoneCalibration {
        let lines = (0...240).map { step -> String in
            let hertz = 20 * pow(1000, Double(step) / 240)
            return "\(hertz)\t\(level(ear, at: hertz))"
        }
        return try! MicrophoneCalibration(text: lines.joined(separator: "\n"), name: "capsule")
    }

    private func level(_ ear: Int, at hertz: Double) -> Double {
        let (a, b) = shelfRatio(ear)
        // The bilinear transform bends the axis of frequency.
        let half = Double.pi / SimulatedPerson.rate.hertz
        let x = tan(half * hertz) / tan(half * Self.shelf)
        return capsules[ear].low + 10 * log10((1 + x * x * b * b) / (1 + x * x * a * a))
    }

    /// Time constants of a shelf's pole and zero, relative to its middle.
    private func shelfRatio(_ ear: Int) -> (pole: Double, zero: Double) {
        let ratio = pow(10, (capsules[ear].high - capsules[ear].low) / 40)
        return (1 / ratio, ratio)
    }

    /// Returns the recording of both ears. `speakers`: which loudspeaker of the person plays each part.
    func recorded(
        _ plan: TakePlan, _ person: SimulatedPerson, playing speakers: [String]? = nil
    ) -> (left: [Float], right: [Float]) {
        let names = speakers ?? plan.parts.map(\.loudspeaker)
        var random = SplitMix(state: seed)
        let clean = Self.made.withLock { made in
            let key = "\(names) \(plan.frames) \(drift) \(harmonics) \(capsules) \(latency) \(turn)"
            if let rows = made[key] { return rows }
            let rows = sounded(plan, person, names)
            made[key] = rows
            return rows
        }
        var size = 0.0
        if let noise {
            let range = plan.parts[0].start..<(plan.parts[0].start + plan.sweep.samples.count)
            var power = 0.0
            for row in clean {
                var sum = 0.0
                for i in range { sum += row[i] * row[i] }
                power = max(power, sum / Double(range.count))
            }
            size = power.squareRoot() * pow(10, -noise / 20)
        }
        let ears = clean.map { row in
            row.map { sample -> Float in Float(gain * sample + (size > 0 ? size * random.normal() : 0.0)) }
        }
        return (ears[0], ears[1])
    }

    /// Recordings without noise, of which each test needs some.
    private static let made = Mutex<[String: [[Double]]]>([:])

    /// Returns the sound at the microphones, `[ear][frame]`, on the recording clock.
    private func sounded(_ plan: TakePlan, _ person: SimulatedPerson, _ names: [String]) -> [[Double]] {
        let signals = plan.signals().map { row in row.map { distorted(Double($0)) } }
        var ears = [[Double]](repeating: [Double](repeating: 0, count: plan.frames), count: 2)
        for yaw in turn == 0 ? [0] : [0, turn] {
            for (signal, name) in zip(signals, names) {
                let responses = person.responses(name, yawDegrees: yaw)
                for ear in 0..<2 {
                    let heard = Convolved.rows(signal, capsule(responses[ear], ear))
                    // The head turns within 50 ms in the middle.
                    for i in ears[ear].indices where i >= latency {
                        let steps = 0.05 * SimulatedPerson.rate.hertz
                        let along: Double = RaisedCosine.value(Double(i - plan.frames / 2) / steps)
                        var share = 1.0
                        if turn != 0 { share = yaw == 0 ? 1 - along : along }
                        ears[ear][i] += share * heard[i - latency]
                    }
                }
            }
        }
        return drift == 0 ? ears : ears.map { Drifting.row($0, partsPerMillion: drift) }
    }

    /// Returns a loudspeaker's output: x² and x³ give the second and the third harmonic.
    private func distorted(_ x: Double) -> Double {
        x + 2 * harmonics.second * x * x + 4 * harmonics.third * x * x * x
    }

    /// Returns a response through a capsule: the bilinear transform of (1 + s·b/ω)/(1 + s·a/ω).
    private func capsule(_ row: [Double], _ ear: Int) -> [Double] {
        guard capsules[ear].low != 0 || capsules[ear].high != 0 else { return row }
        let (a, b) = shelfRatio(ear)
        let k = 1 / tan(.pi * Self.shelf / SimulatedPerson.rate.hertz)
        let gain = pow(10, capsules[ear].low / 20)
        let (b0, b1, a0, a1) = (1 + b * k, 1 - b * k, 1 + a * k, 1 - a * k)
        var (x1, y1) = (0.0, 0.0)
        return row.map { x in
            let y = (b0 * x + b1 * x1 - a1 * y1) / a0
            (x1, y1) = (x, y)
            return gain * y
        }
    }
}

extension SplitMix {
    /// Returns a normally distributed number (Box and Muller).
    mutating func normal() -> Double {
        (-2 * log(max(1e-300, unit()))).squareRoot() * cos(2 * .pi * unit())
    }
}

/// Fast convolution of two signals.
enum Convolved {
    static func rows(_ a: [Double], _ b: [Double]) -> [Double] {
        let transform = FourierTransform(minimumCount: a.count + b.count)
        let n = transform.count
        var real = a + [Double](repeating: 0, count: n - a.count)
        var imaginary = b + [Double](repeating: 0, count: n - b.count)
        transform.forward(&real, &imaginary)
        let (x, y) = (real, imaginary)
        for k in 0..<n {
            let m = (n - k) % n
            let p: SIMD2<Double> = SIMD2(x[k] + x[m], y[k] - y[m]) / 2
            let q: SIMD2<Double> = SIMD2(y[k] + y[m], x[m] - x[k]) / 2
            (real[k], imaginary[k]) = (p.x * q.x - p.y * q.y, p.x * q.y + p.y * q.x)
        }
        transform.inverse(&real, &imaginary)
        return Array(real[..<a.count])
    }
}

/// A signal on a clock that runs faster by some millionths: interpolated by a windowed sinc of 64 samples.
enum Drifting {
    private static let phases = 512
    private static let table = (0...phases).map {
        KaiserInterpolator.taps(64, at: Double($0) / Double(phases), shape: 10)
    }

    static func row(_ row: [Double], partsPerMillion: Double) -> [Double] {
        row.indices.map { i in
            let place = Double(i) / (1 + partsPerMillion * 1e-6)
            let whole = Int(place)
            let phase = (place - Double(whole)) * Double(phases)
            let low = min(phases - 1, Int(phase))
            let share = phase - Double(low)
            var sum = 0.0
            for tap in 0..<64 {
                let source = whole + 32 - tap
                guard source >= 0, source < row.count else { continue }
                sum += row[source] * ((1 - share) * table[low][tap] + share * table[low + 1][tap])
            }
            return sum
        }
    }
}
