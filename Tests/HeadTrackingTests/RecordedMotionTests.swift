import Foundation
import Geometry
import HeadTracking
import IMU
import Testing

/// One recording of an IMU with its optical truth: `t, gyroscope ×3, accelerometer ×3, magnetometer ×3, w, x, y, z, moving`.
private struct Recording {
    var rows: [(time: Double, rate: SIMD3<Double>, force: SIMD3<Double>, truth: Quaternion?, moves: Bool)] = []

    /// `nil`, with a message, where the data is not there.
    static func load(_ name: String) -> Recording? {
        guard let root = ProcessInfo.processInfo.environment["PROSCENIUM_DATA"] else {
            print("skipped: PROSCENIUM_DATA is not set, \(name) is not there")
            return nil
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", "\(root)/imu/\(name).csv.gz"]
        let pipe = Pipe()
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return nil }
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        var result = Recording()
        for line in text.split(separator: "\n").dropFirst() {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count >= 15 else { continue }
            let v = fields.map { Double($0) ?? .nan }
            let q = Quaternion(w: v[10], x: v[11], y: v[12], z: v[13])
            let isThere = q.squaredNorm.isFinite && q.squaredNorm > 0.25
            result.rows.append(
                (v[0], SIMD3(v[1], v[2], v[3]), SIMD3(v[4], v[5], v[6]), isThere ? q.normalized : nil, v[14] > 0.5))
        }
        return result.rows.isEmpty ? nil : result
    }
}

@Suite struct RecordedMotionTests {
    /// Optical orientations with the real gyroscope, every third row (95 Hz); the truth a while later is what is forecast.
    @Test(arguments: [(0.02, 0.5), (0.05, 1.9)]) func aTurningHandIsForecast(ahead: Double, allowed: Double) {
        guard let recording = Recording.load("broad_01_undisturbed_slow_rotation_A") else { return }
        var tracker = HeadTracker()
        let rows = recording.rows
        let step = rows[1].time - rows[0].time
        let later = Int((ahead / step).rounded())
        var (sum, count) = (0.0, 0)
        for index in stride(from: 0, to: rows.count - later, by: 3) {
            let row = rows[index]
            guard let truth = row.truth else { continue }
            tracker.head(
                TrackerSample(time: row.time, .orientation(Rotation(truth), rate: row.rate), arrival: row.time))
            guard row.moves, let goal = rows[index + later].truth else { continue }
            var forecast = tracker.forecast(at: row.time)
            // The blending of samples is for the ear; here it is the forecast that is judged.
            forecast.correctionDuration = 0
            let error = forecast.headToStage(at: row.time + Double(later) * step).angle(to: goal) / degree
            sum += error * error
            count += 1
        }
        let rms = (sum / Double(max(1, count))).squareRoot()
        print("trial 01, forecast \(ahead * 1000) ms ahead: \(rounded(rms))° RMS")
        #expect(count > 1000)
        #expect(rms <= allowed)
    }

    /// Two recordings carried on one bus: its turn and its acceleration are added to both. It costs nothing but the scale
    /// of the gyroscopes, which cannot be learnt from gravity while riding: hands that turn wildly (trial 01) are as far
    /// off on the bus as they are parked without that.
    @Test(arguments: [
        ("broad_11_undisturbed_slow_translation_B", "broad_26_disturbed_phone_vibration_A"),
        ("broad_01_undisturbed_slow_rotation_A", "broad_11_undisturbed_slow_translation_B"),
        ("broad_26_disturbed_phone_vibration_A", "broad_01_undisturbed_slow_rotation_A"),
    ])
    func theBusCostsNothing(headName: String, deviceName: String) {
        guard let head = Recording.load(headName), let device = Recording.load(deviceName) else { return }
        let parked = relativeError(head, device, bus: nil)
        let plain = relativeError(head, device, bus: nil, learnsScale: false)
        let riding = relativeError(head, device, bus: VirtualBus())
        print(
            "\(headName) against \(deviceName): on the bus \(rounded(riding))°, parked \(rounded(parked))°, "
                + "parked without learning scale \(rounded(plain))°")
        #expect(riding <= max(parked, plain) + 0.3)
    }

    /// RMS of the angle between the tracked and the true relative orientation, without the yaw between both at first.
    private func relativeError(
        _ head: Recording, _ device: Recording, bus: VirtualBus?, learnsScale: Bool = true
    ) -> Double {
        var options = HeadTrackerOptions()
        options.yawPull = 0
        options.fusion.learnsScale = learnsScale
        var tracker = HeadTracker(options: options)
        var (first, sum, count): (Quaternion?, Double, Int) = (nil, 0, 0)
        for index in 0..<min(head.rows.count, device.rows.count) {
            let (a, b) = (head.rows[index], device.rows[index])
            tracker.device(TrackerSample(time: a.time, .inertial(carried(b, bus, a.time))))
            tracker.head(TrackerSample(time: a.time, .inertial(carried(a, bus, a.time))))
            guard a.moves || b.moves, let q = a.truth, let p = b.truth, a.time > 5 else { continue }
            let truth = p.conjugate * q
            let pose = tracker.forecast(at: a.time).headToStage(at: a.time)
            // Neither heading nor the truth's north is shared: the yaw at the start is taken out, once.
            let start = first ?? (pose * truth.conjugate).twist
            first = start
            let error = pose.angle(to: start * truth) / degree
            sum += error * error
            count += 1
        }
        return (sum / Double(max(1, count))).squareRoot()
    }

    private func carried(
        _ row: (time: Double, rate: SIMD3<Double>, force: SIMD3<Double>, truth: Quaternion?, moves: Bool),
        _ bus: VirtualBus?, _ time: Double
    ) -> InertialSample {
        guard let bus, let truth = row.truth else { return InertialSample(rate: row.rate, force: row.force) }
        // The recording's world is the bus: what the bus adds is turned into the body.
        let toBody = truth.conjugate
        return InertialSample(
            rate: row.rate + toBody.rotate(SIMD3(0, 0, bus.rate(time))),
            force: row.force + toBody.rotate(bus.acceleration(time)))
    }
}
