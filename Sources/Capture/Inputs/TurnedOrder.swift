import Geometry
import Signal

/// Test of the order of capsules by rotations of the device. With the right order the field stays fixed in the world;
/// with any other order it moves.
///
/// Diffuse fields and single sources do not reveal the order of capsules on a tetrahedron, because each order yields a
/// rotated or mirrored field, which is as plausible. An orientation tracker resolves this. Every quarter of a second
/// the products of the capsules give the intensity for each of the 24 orders. The gains from the capsules to the field
/// are derived from the patterns alone, from 300 Hz to 1.5 kHz, where a small array is nearly coincident. The
/// directions of the intensity are rotated into world axes and averaged. The right order has the longest average
/// vector. Orders that a rotation about a single axis leaves equal are not separated.
package struct TurnedOrder: Sendable {
    /// Least rotation of the device about one axis, and about another axis perpendicular to it, radians.
    private static let enough = 0.5
    /// Least difference between the length of the longest average vector and the length for the array's order. A
    /// constant direction has the length 1.
    private static let lead = 0.1
    /// Duration of one analysis, seconds.
    private static let look = 0.25

    private let names: [String]
    private let orders: [[Int]]
    /// Gains to W Y Z X, `[output][capsule]`.
    private let gains: [[Double]]
    private let sampleRate: Double
    private var sections: [[SecondOrderFilter]]
    /// Sums of products in the present analysis, `[a][b]`, b ≤ a.
    private var products: [[Double]]
    private var frames = 0
    /// Sums of directions in the world, `[order]`, and number of analyses.
    private var sums: [SIMD3<Double>]
    private var looks = 0
    private var first: Quaternion?
    /// Greatest rotation relative to the first orientation, as axis times angle, radians.
    private var farthest = SIMD3<Double>()
    /// Greatest component of any rotation perpendicular to that axis, radians.
    private var across = 0.0

    /// Creates a test of four capsules that resolve all of W Y Z X; nil for any other array.
    package init?(_ array: MicrophoneArray, sampleRate: SampleRate) {
        let capsules = array.capsules
        guard capsules.count == 4 else { return nil }
        // Gains, from the patterns alone, to 1, y, z and x.
        var normal = [Double](repeating: 0, count: 16)
        let rows = capsules.map { capsule -> [Double] in
            let axis = (1 - capsule.pressure) * capsule.axis.unit
            return [capsule.pressure, axis.y, axis.z, axis.x]
        }
        for i in 0..<4 {
            for j in 0..<4 { normal[4 * i + j] = rows.reduce(0) { $0 + $1[i] * $1[j] } }
        }
        for i in 0..<4 where normal[5 * i] < 0.02 { return nil }
        let system = CholeskyFactor(lower: normal, count: 4)
        let columns = rows.map(system.solution)
        gains = (0..<4).map { output in columns.map { $0[output] } }
        guard gains.joined().allSatisfy({ abs($0) < 20 }) else { return nil }
        names = capsules.map(\.name)
        orders = CapsuleOrder.permutations([0, 1, 2, 3])
        self.sampleRate = sampleRate.hertz
        let band = SecondOrderFilter.band(from: 300, to: 1500, sampleRate: sampleRate)
        sections = [[SecondOrderFilter]](repeating: band, count: 4)
        products = [[Double]](repeating: [0, 0, 0, 0], count: 4)
        sums = [SIMD3<Double>](repeating: SIMD3(), count: orders.count)
    }

    /// Analyses `count` frames of each capsule. `turn`: orientation of the device in the world.
    package mutating func process(_ block: borrowing PlanarBlock, frames count: Int, deviceToWorld turn: Quaternion) {
        for i in 0..<count {
            var values = SIMD4<Double>()
            for channel in 0..<4 {
                var value = Double(block[channel][i])
                for section in 0..<2 { value = sections[channel][section](value) }
                values[channel] = value
            }
            for a in 0..<4 { for b in 0...a { products[a][b] += values[a] * values[b] } }
        }
        frames += count
        guard Double(frames) >= Self.look * sampleRate else { return }
        note(turn)
        frames = 0
        for a in 0..<4 { for b in 0..<4 { products[a][b] = 0 } }
    }

    private mutating func note(_ turn: Quaternion) {
        let from = first ?? turn
        first = from
        let moved = (from.conjugate * turn).rotationVector
        let length = (moved * moved).sum().squareRoot()
        let far = (farthest * farthest).sum().squareRoot()
        if length > far { farthest = moved }
        if far > 1e-6 {
            let axis = farthest / far
            let side = moved - (moved * axis).sum() * axis
            across = max(across, (side * side).sum().squareRoot())
        }
        looks += 1
        for (place, order) in orders.enumerated() {
            // In this order, capsule order[i] is connected to input i.
            var intensity = SIMD3<Double>()
            for i in 0..<4 {
                for j in 0..<4 {
                    let product = products[max(i, j)][min(i, j)] * gains[0][order[i]]
                    intensity += product * SIMD3(gains[3][order[j]], gains[1][order[j]], gains[2][order[j]])
                }
            }
            let size = (intensity * intensity).sum().squareRoot()
            if size > 1e-20 { sums[place] += turn.rotate(intensity / size) }
        }
    }

    /// Whether the device has rotated far enough about two axes for a result.
    package var isTelling: Bool { (farthest * farthest).sum().squareRoot() >= Self.enough && across >= Self.enough }

    /// Order of the capsules at the inputs. Nil if it is the array's order, if the result is not clear, and until five
    /// seconds have been analysed and the device has rotated enough.
    package var fault: InputFault? {
        guard isTelling, looks >= 20 else { return nil }
        let lengths = sums.map { ($0 * $0).sum().squareRoot() / Double(looks) }
        // The first order is the array's.
        guard let best = lengths.indices.max(by: { lengths[$0] < lengths[$1] }), best != 0,
            lengths[best] - lengths[0] > Self.lead
        else { return nil }
        return .swapped(orders[best].map { names[$0] })
    }
}
