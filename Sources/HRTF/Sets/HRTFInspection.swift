import Geometry
import Glibc
import SOFA

/// Remarks on a set that do not require its preparation.
package enum HRTFInspection {
    /// Returns remarks on the file and its responses: conversions, distances, repeated directions, ears in the wrong
    /// order, a small number of directions, and gaps larger than `gap`. Throws if the set is implausible. O(directions
    /// · n log n).
    package static func remarks(on file: FreeFieldHRIR) throws(HRTFError) -> [String] {
        var set = try MeasuredSet(file)
        if let lead = Alignment(set).lateralLead(set), lead < exchangedLead { set = set.exchangingEars() }
        return set.remarks + [coverage(set.directions)].compactMap { $0 }
    }

    /// Returns whether sounds from the left reach receiver 1 first, which means that the ears are stored in the wrong
    /// order. Throws if the set is implausible. O(directions · n log n).
    package static func hasEarsExchanged(_ file: FreeFieldHRIR) throws(HRTFError) -> Bool {
        let set = try MeasuredSet(file)
        return (Alignment(set).lateralLead(set) ?? 0) < exchangedLead
    }

    /// Mean lead of the nearer ear, seconds, below which the ears count as exchanged.
    private static let exchangedLead = -50e-6
    /// Number of directions below which a remark states their number.
    private static let fewDirections = 50
    /// Least angle from the middle of a gap to the nearest direction, radians. Most sets end at −40°, 50° from the
    /// pole.
    private static let gap = 60 * Double.pi / 180

    /// Returns a remark on a small number of directions or on a gap; nil if there is none. O(directions · 300).
    private static func coverage(_ directions: [Direction<Head>]) -> String? {
        let count = directions.count
        guard count > 1 else { return "a single direction: no other direction was measured" }
        let heights = directions.map(\.unit.z)
        let (low, high) = (heights.min() ?? 0, heights.max() ?? 0)
        // Near the horizon this is less than 10° of elevation.
        if high - low < 0.174 { return "\(count) directions on one ring: other elevations were not measured" }
        var (farthest, place): (Double, Direction<Head>?) = (0, nil)
        for probe in RingGrid(stepDegrees: 12).directions(in: Head.self) {
            let nearest = directions.lazy.map { ($0.unit * probe.unit).sum() }.max() ?? -1
            let angle = acos(max(-1, min(1, nearest)))
            if angle > farthest { (farthest, place) = (angle, probe) }
        }
        if farthest > gap, let place {
            let (azimuth, elevation) = (place.azimuth * 180 / .pi, place.elevation * 180 / .pi)
            return "nothing within \(Int(farthest * 180 / .pi))° of azimuth \(Int(azimuth.rounded()))°, elevation "
                + "\(Int(elevation.rounded()))°: that region was not measured"
        }
        return count < fewDirections
            ? "only \(count) directions: most of the sphere is far from a measured direction" : nil
    }
}
