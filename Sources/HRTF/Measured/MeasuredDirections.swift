import CRealtime
import Geometry
import Signal

/// The stored responses of a measured set, played exactly at their own directions when processing is off.
///
/// Within 0.01° of a measured direction the stored response plays. From there to the outer limit the played response
/// changes smoothly to the interpolated one, so that a moving source causes no step. The outer limit is 0.25°, or half
/// the smallest angle between any two measured directions if that is less, but at least 0.015°.
package struct MeasuredDirections: BitwiseCopyable, Sendable {
    /// Number of directions; 0 without measured directions.
    package let count: Int
    /// Unit vectors sorted by z.
    private let units: ConstantMemory<SIMD3<Double>>?
    /// Responses `[direction][ear][tap]` in the order of `units`.
    private let responses: ConstantMemory<Float>?
    /// Chords (2·sin(angle/2)). Within `inner` the response is exact; from `outer` on the interpolated one plays.
    private let inner: Double
    private let outer: Double

    /// No measured directions.
    static let none = MeasuredDirections()

    private init() {
        count = 0
        units = nil
        responses = nil
        inner = 0
        outer = 0
    }

    /// Copies `responses` (`[direction][ear][tap]`, `taps` each) for these directions. The owner must call
    /// `deallocate()`.
    init(directions: [Direction<Head>], responses source: [Float], taps: Int, nearestSpacing: Double) {
        let order = directions.indices.sorted { directions[$0].unit.z < directions[$1].unit.z }
        count = order.count
        let units = UnsafeMutablePointer<SIMD3<Double>>.allocate(capacity: max(1, count))
        let responses = AlignedMemory.allocate(Float.self, count: count * 2 * taps)
        for (place, index) in order.enumerated() {
            (units + place).initialize(to: directions[index].unit)
            for i in 0..<(2 * taps) {
                (responses + place * 2 * taps + i).initialize(to: source[index * 2 * taps + i])
            }
        }
        self.units = ConstantMemory(units)
        self.responses = ConstantMemory(responses)
        // Slightly more than 0.01°, for directions rounded to single precision or to six decimals of a degree.
        inner = 0.0102 * .pi / 180
        outer = max(inner * 1.5, min(0.25 * .pi / 180, nearestSpacing / 2))
    }

    func deallocate() {
        units?.deallocate()
        responses?.deallocate()
    }

    /// Returns the response of one ear, `taps` samples as passed to `init`, for an index in the order of `units`.
    func response(_ index: Int, ear: Int, taps: Int) -> UnsafePointer<Float> {
        guard let responses else { preconditionFailure("no measured directions") }
        return responses.base + (2 * index + ear) * taps
    }

    /// Returns the measured direction nearest to (x, y, z) and the share of its response, which is 1 within `inner`.
    /// Nil if no measured direction is within `outer`. Safe on the audio thread. Cost: a binary search, and a scan of
    /// the directions of about equal height.
    @_noLocks
    func nearest(x: Double, y: Double, z: Double) -> (index: Int, share: Float)? {
        guard let units = units?.base else { return nil }
        var (x, y, z) = (x, y, z)
        let squared = x * x + y * y + z * z
        if !(squared > 1e-20 && squared < 1e20) { (x, y, z) = (1, 0, 0) }
        let scale = 1 / prc_sqrt(x * x + y * y + z * z)
        (x, y, z) = (x * scale, y * scale, z * scale)
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if units[middle].z < z - outer { low = middle + 1 } else { high = middle }
        }
        var nearest = -1
        var best = outer * outer
        while low < count && units[low].z <= z + outer {
            let (dx, dy, dz) = (units[low].x - x, units[low].y - y, units[low].z - z)
            let chord = dx * dx + dy * dy + dz * dz
            if chord < best {
                best = chord
                nearest = low
            }
            low += 1
        }
        guard nearest >= 0 else { return nil }
        let u = (prc_sqrt(best) - inner) / (outer - inner)
        return (nearest, u <= 0 ? 1 : Float(1 - u * u * (3 - 2 * u)))
    }

    /// Overwrites both ears' `taps` samples, or blends into them, if (x, y, z) is near a measured direction.
    @_noLocks
    func replace(
        x: Double, y: Double, z: Double, taps: Int, left: UnsafeMutablePointer<Float>,
        right: UnsafeMutablePointer<Float>
    ) {
        guard let responses = responses?.base, let (nearest, share) = nearest(x: x, y: y, z: z) else { return }
        let source = responses + nearest * 2 * taps
        for i in 0..<taps { left[i] = share == 1 ? source[i] : left[i] + share * (source[i] - left[i]) }
        for i in 0..<taps {
            right[i] = share == 1 ? source[taps + i] : right[i] + share * (source[taps + i] - right[i])
        }
    }
}
