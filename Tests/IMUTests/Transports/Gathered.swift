import Foundation
import Geometry
import Synchronization

@testable import IMU

/// Samples that an inlet delivered.
final class Gathered: Sendable {
    private let samples = Mutex<[TrackerSample]>([])
    func add(_ sample: TrackerSample) { samples.withLock { $0.append(sample) } }
    var all: [TrackerSample] { samples.withLock { $0 } }

    // Vectors stay out of the frames of asynchronous functions, which do not keep their alignment (Swift 6.3).

    /// Yaw, pitch, roll in degrees of the newest sample, where that is an orientation.
    func lastIsNear(_ angles: (Double, Double, Double), within tolerance: Double = 1e-3) -> Bool {
        guard case .orientation(let rotation, _) = all.last?.motion else { return false }
        return near(degrees(rotation), SIMD3(angles.0, angles.1, angles.2), within: tolerance)
    }

    /// Whether the newest sample's rate is this, rad/s.
    func lastRateIsNear(_ rate: (Double, Double, Double)) -> Bool {
        guard case .orientation(_, let found) = all.last?.motion else { return false }
        return near(found, SIMD3(rate.0, rate.1, rate.2), within: 0.001)
    }

    /// Whether the newest sample's force is this, m/s².
    func lastForceIsNear(_ force: (Double, Double, Double)) -> Bool {
        guard case .inertial(let sample) = all.last?.motion else { return false }
        return near(sample.force, SIMD3(force.0, force.1, force.2), within: 1e-9)
    }
}

/// The host's monotonic clock, seconds.
func monotonicSeconds() -> Double { Double(DispatchTime.now().uptimeNanoseconds) * 1e-9 }

/// Waits until `holds` returns true, 300 s at most, and calls `action` before each look.
func eventually(_ action: () -> Void = {}, _ holds: () -> Bool) async throws -> Bool {
    for _ in 0..<30_000 {
        action()
        if holds() { return true }
        try await Task.sleep(for: .milliseconds(10))
    }
    return holds()
}

/// A folder that is removed at the end.
final class TemporaryFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("transports-\(UUID().uuidString)").path
    init() { try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
    func callAsFunction(_ name: String) -> String { path + "/" + name }
}

/// Which trackers an inlet recognised.
final class Recognitions: Sendable {
    private let list = Mutex<[TrackerInlet.Recognition]>([])
    func add(_ recognition: TrackerInlet.Recognition) { list.withLock { $0.append(recognition) } }
    var all: [TrackerInlet.Recognition] { list.withLock { $0 } }
}
