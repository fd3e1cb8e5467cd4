import Foundation
import Geometry
import IMU
import Testing

/// Real recordings with an optical reference (BROAD, Laidig et al. 2021), where `PROSCENIUM_DATA` names their folder.
@Suite struct RecordingTests {
    static let folder = ProcessInfo.processInfo.environment["PROSCENIUM_DATA"].map { $0 + "/imu" }

    private struct Row {
        let time: Double
        let sample: InertialSample
        let truth: Quaternion?
        let moves: Bool
    }

    private func rows(_ path: String) throws -> [Row] {
        try recordedRows(path).map { n in
            let q = Quaternion(w: n[10], x: n[11], y: n[12], z: n[13])
            return Row(
                time: n[0],
                sample: InertialSample(
                    rate: SIMD3(n[1], n[2], n[3]), force: SIMD3(n[4], n[5], n[6]), field: SIMD3(n[7], n[8], n[9])),
                truth: q.squaredNorm > 0.25 ? q.normalized : nil, moves: n[14] > 0.5)
        }
    }

    /// Returns the RMS errors of inclination and heading while moving, degrees. The heading is relative to its mean
    /// over the first second, or absolute if `nine` is true.
    private func score(_ rows: [Row], nine: Bool) -> (inclination: Double, heading: Double) {
        var options = InertialOptions()
        options.usesField = nine
        var filter = InertialFilter(options: options)
        var zero = SIMD2<Double>(0, 0)
        var (known, count, inclination) = (0, 0, 0.0)
        var headings: [Double] = []
        for row in rows {
            filter.take(row.sample, at: row.time)
            guard let truth = row.truth else { continue }
            let heading = headingError(filter.bodyToWorld, truth) * degree
            if known < 286 { zero += SIMD2(cos(heading), sin(heading)) }
            known += 1
            guard row.moves else { continue }
            let tilt = inclinationError(filter.bodyToWorld, truth)
            inclination += tilt * tilt
            headings.append(heading)
            count += 1
        }
        let offset = nine ? 0 : atan2(zero.y, zero.x)
        let sum = headings.reduce(0) { sum, heading in
            let off = remainder(heading - offset, 2 * .pi) / degree
            return sum + off * off
        }
        return ((inclination / Double(count)).squareRoot(), (sum / Double(count)).squareRoot())
    }

    @Test(.enabled(if: folder != nil, "PROSCENIUM_DATA is not set: the recordings are not here"))
    func recordingsOfHandsAreFollowed() throws {
        let folder = try #require(Self.folder)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".csv.gz") }
            .sorted()
        try #require(names.count == 6)
        var (six, nine): ([(Double, Double)], [(Double, Double)]) = ([], [])
        for name in names {
            let rows = try rows(folder + "/" + name)
            six.append(score(rows, nine: false))
            nine.append(score(rows, nine: true))
        }
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
        // VQF 2.1.2 in the same trials: 0.89° and 5.39°, worst inclination 1.72°; total with the magnetometer 2.55°.
        #expect(mean(six.map(\.0)) < 0.75)
        #expect(six.allSatisfy { $0.0 < 1.3 })
        #expect(mean(six.map(\.1)) < 2.5)
        #expect(mean(nine.map { ($0.0 * $0.0 + $0.1 * $0.1).squareRoot() }) < 2.5)
    }
}
