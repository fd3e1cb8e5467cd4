import Capture
import Foundation
import Geometry
import HRTF
import SeededRandom
import Signal

/// A simulated microphone array as manufactured: every capsule has its own level, phase and axis. It simulates plane
/// waves and diffuse fields, and shares no code with the module under test.
struct ArraySimulator {
    let capsules: [Capsule]
    /// Linear gains, and phases in radians, `[capsule]`.
    var gains: [Double]
    var phases: [Double]
    var axes: [SIMD3<Double>]
    static let rate = 48_000.0
    static let speed = 343.2

    /// Creates an array without errors.
    init(_ array: MicrophoneArray) {
        capsules = array.capsules
        gains = [Double](repeating: 1, count: capsules.count)
        phases = [Double](repeating: 0, count: capsules.count)
        axes = capsules.map(\.axis.unit)
    }

    /// Creates an array with errors evenly distributed up to the given dB in level, and degrees in phase and axis.
    init(_ array: MicrophoneArray, decibels: Double, degrees: Double, seed: UInt64) {
        self.init(array)
        var chance = SplitMix(state: seed)
        for capsule in capsules.indices {
            gains[capsule] = pow(10, decibels * (2 * chance.unit() - 1) / 20)
            phases[capsule] = degrees * (2 * chance.unit() - 1) * .pi / 180
            let axis = axes[capsule]
            var side = SIMD3(2 * chance.unit() - 1, 2 * chance.unit() - 1, 2 * chance.unit() - 1)
            side -= (side * axis).sum() * axis
            side /= (side * side).sum().squareRoot()
            let angle = degrees * chance.unit() * .pi / 180
            axes[capsule] = cos(angle) * axis + sin(angle) * side
        }
    }

    /// Returns the response of a capsule to a plane wave, at a frequency in Hz.
    func response(_ capsule: Int, _ u: SIMD3<Double>, _ hertz: Double) -> SIMD2<Double> {
        let one = capsules[capsule]
        let gain = gains[capsule] * (one.pressure + (1 - one.pressure) * (axes[capsule] * u).sum())
        let phase = phases[capsule] + 2 * .pi * hertz / Self.speed * (one.position * u).sum()
        return SIMD2(gain * cos(phase), gain * sin(phase))
    }

    /// Adds a periodic plane wave to signals `[capsule][frame]`, whose length must be a power of two. `spectrum` has
    /// the wave's bins, of which bin 0 is ignored.
    func add(_ u: SIMD3<Double>, spectrum: [SIMD2<Double>], to signals: inout [[Double]]) {
        let n = signals[0].count
        let transform = FourierTransform(minimumCount: n)
        for capsule in capsules.indices {
            var (real, imaginary) = ([Double](repeating: 0, count: n), [Double](repeating: 0, count: n))
            for (place, bin) in spectrum.enumerated() where place > 0 && place < n / 2 {
                let h = response(capsule, u, Double(place) * Self.rate / Double(n))
                let value = SIMD2(bin.x * h.x - bin.y * h.y, bin.x * h.y + bin.y * h.x)
                (real[place], imaginary[place]) = (value.x, value.y)
                (real[n - place], imaginary[n - place]) = (value.x, -value.y)
            }
            transform.inverse(&real, &imaginary)
            for i in 0..<n { signals[capsule][i] += real[i] }
        }
    }

    /// Returns one period of a plane wave, `[capsule][frame]`.
    func wave(_ u: SIMD3<Double>, spectrum: [SIMD2<Double>], frames: Int) -> [[Double]] {
        var signals = [[Double]](repeating: [Double](repeating: 0, count: frames), count: capsules.count)
        add(u, spectrum: spectrum, to: &signals)
        return signals
    }

    /// Returns a calibration of this array with a loudspeaker at `distance` metres and noise at `noise` dB re its
    /// level.
    func calibration(
        _ directions: [Direction<Device>], noise: Double = -40, distance: Double = 1, seed: UInt64 = 9
    ) -> Calibration {
        var chance = SplitMix(state: seed)
        let n = 1024
        return Calibration(
            measurements: directions.map { direction in
                let lag = 2 * Double.pi * distance / Self.speed * Self.rate / Double(n)
                let spectrum = (0..<(n / 2)).map { SIMD2(0.3 * cos(lag * Double($0)), -0.3 * sin(lag * Double($0))) }
                var signals = wave(direction.unit, spectrum: spectrum, frames: n)
                let level = 0.3 / Double(n).squareRoot() * pow(10, noise / 20)
                for capsule in signals.indices {
                    for i in 0..<n { signals[capsule][i] += level * 3.0.squareRoot() * (2 * chance.unit() - 1) }
                }
                return Calibration.Measurement(direction: direction, responses: signals)
            }, sampleRate: .studio)
    }
}

/// Returns a random-phase spectrum between two frequencies in Hz, white or pink.
func noiseSpectrum(frames: Int, from low: Double, to high: Double, pink: Bool = false, seed: UInt64) -> [SIMD2<Double>]
{
    var chance = SplitMix(state: seed)
    return (0..<(frames / 2)).map { bin in
        let hertz = Double(bin) * ArraySimulator.rate / Double(frames)
        let angle = 2 * Double.pi * chance.unit()
        guard hertz >= low, hertz <= high else { return SIMD2() }
        let level = Double(frames).squareRoot() * (pink ? (1000 / hertz).squareRoot() : 1) * 0.1
        return SIMD2(level * cos(angle), level * sin(angle))
    }
}

/// Runs filters over periodic signals until the output is steady, and returns the last period of the outputs.
func filtered(_ filters: ArrayFilters, _ signals: [[Double]]) -> [[Float]] {
    let n = signals[0].count
    var convolver = ArrayConvolver(filters, mostFrames: n)
    let input = PlanarBlock(channels: signals.count, frames: n)
    let output = PlanarBlock(channels: filters.outputCount, frames: n)
    for channel in signals.indices {
        for i in 0..<n { input[channel][i] = Float(signals[channel][i]) }
    }
    for _ in 0..<2 { convolver.process(input, to: output, frames: n) }
    return (0..<filters.outputCount).map { channel in (0..<n).map { output[channel][$0] } }
}

/// Direction of the intensity of a sound field W Y Z X, and the energies of its pressure and velocity.
struct FieldMeasure {
    let direction: SIMD3<Double>
    let pressure: Double
    let velocity: Double

    init(_ field: [[Float]]) {
        func product(_ a: Int, _ b: Int) -> Double {
            zip(field[a], field[b]).reduce(0) { $0 + Double($1.0) * Double($1.1) }
        }
        let intensity = SIMD3(product(0, 3), product(0, 1), product(0, 2))
        direction = intensity / max(1e-30, (intensity * intensity).sum().squareRoot())
        pressure = product(0, 0)
        velocity = product(1, 1) + product(2, 2) + product(3, 3)
    }

    func degrees(from u: SIMD3<Double>) -> Double { acos(max(-1, min(1, (direction * u).sum()))) * 180 / .pi }
}
