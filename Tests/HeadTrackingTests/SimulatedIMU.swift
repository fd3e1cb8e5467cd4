import Geometry
import Glibc
import IMU
import SeededRandom

/// A raw IMU with known errors: white noise of its data sheet's density, output steps, bias, scale.
struct SimulatedIMU: Sendable {
    /// Noise densities, °/s/√Hz and m/s²/√Hz; the noise of a sample is the density times √(rate/2).
    var rateNoise = 0.005
    var forceNoise = 0.004
    /// Output steps, °/s and m/s² per count.
    var rateStep = 0.061
    var forceStep = 0.0048
    /// Sample rate, samples per second.
    var rate = 100.0
    /// Returns the gyroscope's bias at a time, °/s, body axes.
    var bias: @Sendable (Double) -> SIMD3<Double> = { _ in SIMD3(0, 0, 0) }
    /// Ratio of the gyroscope's output to the true rate.
    var scale = 1.0

    /// TDK MPU-6050 (PS-MPU-6000A-00 §6.1, §6.2): 0.005 °/s/√Hz, 400 µg/√Hz; ±2000°/s and ±4 g: 16.4 and 8192 counts.
    static let mpu6050 = SimulatedIMU(
        rateNoise: 0.005, forceNoise: 400e-6 * 9.81, rateStep: 1 / 16.4, forceStep: 9.81 / 8192)
    /// CEVA BNO08x (BNO080/085 data sheet §6.7; its sensors are Bosch's BMI055 family): 0.014 °/s/√Hz, 150 µg/√Hz; raw
    /// reports in steps of 1/16.4 °/s and 1/1024 g.
    static let bno08x = SimulatedIMU(
        rateNoise: 0.014, forceNoise: 150e-6 * 9.81, rateStep: 1 / 16.4, forceStep: 9.81 / 1024)
    /// An IMU without errors.
    static let perfect = SimulatedIMU(rateNoise: 0, forceNoise: 0, rateStep: 0, forceStep: 0)

    /// Returns the measurement at a time. `bodyToWorld` is the true orientation; `acceleration` is the body's, world
    /// axes, m/s².
    func sample(
        at time: Double, _ random: inout SplitMix, acceleration: SIMD3<Double> = SIMD3(0, 0, 0),
        bodyToWorld: (Double) -> Quaternion
    ) -> InertialSample {
        let h = 0.0005
        let turn = (bodyToWorld(time - h).conjugate * bodyToWorld(time + h)).rotationVector / (2 * h)
        let noise = (rate / 2).squareRoot()
        let shown = turn * scale + (bias(time) + random.gaussians() * (rateNoise * noise)) * degree
        let force = bodyToWorld(time).conjugate.rotate(acceleration + SIMD3(0, 0, 9.81))
        return InertialSample(
            rate: Self.counted(shown, rateStep * degree),
            force: Self.counted(force + random.gaussians() * (forceNoise * noise), forceStep))
    }

    private static func counted(_ value: SIMD3<Double>, _ step: Double) -> SIMD3<Double> {
        step > 0 ? (value / step).rounded(.toNearestOrEven) * step : value
    }
}

/// A listener's head for half an hour: turns to ±70° and back, sway in between, and rare rests.
struct RestlessHead {
    private var starts: [Double] = []
    private var turns: [(from: Double, to: Double, duration: Double)] = []
    private let rests: Double
    /// Start of the first rest, seconds.
    private static var firstRest: Double { 5 }

    /// Creates turns for `duration` seconds, with a rest of three seconds every `rests` seconds.
    init(duration: Double, rests: Double, seed: UInt64) {
        self.rests = rests
        var random = SplitMix(state: seed)
        var (time, at) = (2.0, 0.0)
        while time < duration {
            let isBack = at == 0
            let to = isBack ? Double.random(in: 20...70, using: &random) * (Bool.random(using: &random) ? 1 : -1) : 0
            let seconds = 0.5 + abs(to - at) / 80
            // No turn begins in a rest, or extends into one.
            let phase = (time + rests - Self.firstRest).truncatingRemainder(dividingBy: rests)
            if phase < 3.8 { time += 3.8 - phase } else if phase + seconds + 0.2 > rests { time += rests + 4 - phase }
            starts.append(time)
            turns.append((at, to, seconds))
            at = to
            time += seconds + Double.random(in: isBack ? 1...5 : 3...12, using: &random)
        }
    }

    /// Returns the yaw in degrees at a time in seconds.
    func yaw(_ time: Double) -> Double {
        // The last turn that has begun.
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= time { low = middle + 1 } else { high = middle }
        }
        var angle = 0.0
        if low > 0 {
            let last = turns[low - 1]
            angle = last.from + (last.to - last.from) * turn(time, from: starts[low - 1], over: last.duration)
        }
        let sway = 2.5 * sine(0.35 * time) + 0.8 * sine(0.9 * time + 0.3)
        return angle + activity(time) * sway + 0.1 * sine(0.2317 * time) + 0.05 * sine(0.4511 * time)
    }

    /// Returns 1 while the head moves and 0 while it rests.
    private func activity(_ time: Double) -> Double {
        let phase = (time + rests - Self.firstRest).truncatingRemainder(dividingBy: rests)
        return 1 - turn(phase, from: 0, over: 0.4) + turn(phase, from: 3.4, over: 0.4)
    }

    func pose(_ time: Double) -> Quaternion {
        let active = activity(time)
        return Quaternion(
            yaw: yaw(time) * degree, pitch: (3 + active * 2 * sine(0.5 * time)) * degree,
            roll: (1 + active * 1.5 * sine(0.27 * time + 0.5)) * degree)
    }

    private func sine(_ cycles: Double) -> Double { sin(2 * .pi * cycles) }
}
