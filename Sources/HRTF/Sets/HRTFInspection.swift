import Geometry
import Glibc
import SOFA

/// What can be said of a set without preparing it for playing.
package enum HRTFInspection {
    /// Conversions and oddities of the file and of its sound: distances, repeated directions, ears in the wrong order,
    /// and directions that are few or leave half of the sphere to guesswork.
    /// Throws where it could not be played. O(directions · n log n).
    package static func remarks(on file: FreeFieldHRIR) throws(HRTFError) -> [String] {
        var set = try MeasuredSet(file)
        if let lead = Alignment(set).lateralLead(set), lead < exchangedLead { set = set.exchangingEars() }
        return set.remarks + [coverage(set.directions)].compactMap { $0 }
    }

    /// Whether sounds from the left reach receiver 1 first, as when the ears are stored in the wrong order.
    /// Throws where the set could not be played. O(directions · n log n).
    package static func hasEarsExchanged(_ file: FreeFieldHRIR) throws(HRTFError) -> Bool {
        let set = try MeasuredSet(file)
        return (Alignment(set).lateralLead(set) ?? 0) < exchangedLead
    }

    /// The mean lead of the nearer ear, seconds, below which the ears are taken for exchanged.
    private static let exchangedLead = -50e-6
    /// Fewer directions than this are worth a remark.
    private static let fewDirections = 50
    /// A gap is a place farther than this from any direction, radians: below −40°, where most sets end, there are 50°.
    private static let gap = 60 * Double.pi / 180

    /// What the directions leave out; nil where they surround the head. O(directions · 300).
    private static func coverage(_ directions: [Direction<Head>]) -> String? {
        let count = directions.count
        guard count > 1 else { return "a single direction: all others must be guessed" }
        let heights = directions.map(\.unit.z)
        let (low, high) = (heights.min() ?? 0, heights.max() ?? 0)
        // 10° of elevation.
        if high - low < 0.174 { return "\(count) directions on one ring: height is guessed" }
        var (farthest, place): (Double, Direction<Head>?) = (0, nil)
        for probe in RingGrid(stepDegrees: 12).directions(in: Head.self) {
            let nearest = directions.lazy.map { ($0.unit * probe.unit).sum() }.max() ?? -1
            let angle = acos(max(-1, min(1, nearest)))
            if angle > farthest { (farthest, place) = (angle, probe) }
        }
        if farthest > gap, let place {
            let (azimuth, elevation) = (place.azimuth * 180 / .pi, place.elevation * 180 / .pi)
            return "nothing within \(Int(farthest * 180 / .pi))° of azimuth \(Int(azimuth.rounded()))°, elevation "
                + "\(Int(elevation.rounded()))°: that part of the sphere is guessed"
        }
        return count < fewDirections ? "only \(count) directions: most of the sphere is interpolated from afar" : nil
    }
}
