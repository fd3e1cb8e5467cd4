import Foundation
import Geometry
import IMU
import Testing

extension StampedMotion {
    /// Takes a recording of BROAD at a third of its rate, 95 Hz (means of three samples), over a network path.
    init(recording path: String, seed: UInt64, way: Way) throws {
        let rows = try recordedRows(path)
        func mean(_ first: Int, _ column: Int) -> SIMD3<Double> {
            (0..<3).reduce(SIMD3(0, 0, 0)) { sum, row in
                let row = rows[first + row]
                return sum + SIMD3(row[column], row[column + 1], row[column + 2])
            } / 3
        }
        let firsts = Array(stride(from: 0, to: rows.count - 2, by: 3))
        // Times of the sensor's clock, without the rounding in the file.
        let (start, end) = (rows[0][0], rows[rows.count - 1][0])
        let times = firsts.map { start + Double($0 + 2) * (end - start) / Double(rows.count - 1) }
        let arrivals = way.arrivals(of: times, seed: seed)
        samples = firsts.indices.map { index in
            let q = rows[firsts[index] + 2]
            let truth = Quaternion(w: q[10], x: q[11], y: q[12], z: q[13])
            return Sample(
                time: times[index],
                measured: InertialSample(rate: mean(firsts[index], 1), force: mean(firsts[index], 4)),
                truth: truth.squaredNorm > 0.25 ? truth.normalized : nil, arrival: arrivals[index])
        }
    }
}
