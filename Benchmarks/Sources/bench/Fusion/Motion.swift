import Geometry
import Glibc
import IMU

/// IMU samples of a turning head, with the sensor's noise, and the true orientation.
struct Motion {
    /// Interval between samples, seconds.
    let step: Double
    private(set) var samples: [InertialSample] = []
    /// Gyroscope, accelerometer, magnetometer: three values each per sample.
    private(set) var flat: [Double] = []

    /// Creates a motion whose end joins its beginning, `rate` samples per second.
    init(rate: Double, seconds: Double = 60) {
        step = 1 / rate
        var noise = Noise(seed: 1)
        func random(_ size: Double) -> SIMD3<Double> {
            SIMD3(Double(noise.next()), Double(noise.next()), Double(noise.next())) * (size / 2)
        }
        func pose(_ t: Double) -> Quaternion {
            let t = t * 2 * .pi / seconds
            return Quaternion(yaw: 1.2 * sin(9 * t), pitch: 0.35 * sin(16 * t + 1), roll: 0.2 * sin(22 * t))
        }
        for index in 0..<Int(seconds * rate) {
            let t = Double(index) * step
            let q = pose(t)
            let rate = (pose(t - step).conjugate * q).rotationVector / step + SIMD3(0.005, -0.004, 0.006)
            let sample = InertialSample(
                rate: rate + random(0.007), force: q.conjugate.rotate(SIMD3(0, 0, 9.81)) + random(0.1),
                field: q.conjugate.rotate(SIMD3(0, 19.5, -43.9)) + random(1))
            samples.append(sample)
            for v in [sample.rate, sample.force, sample.field ?? .zero] { flat += [v.x, v.y, v.z] }
        }
    }
}
