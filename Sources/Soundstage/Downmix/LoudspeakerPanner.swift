import Geometry
import Glibc

/// Pans a direction to the loudspeakers of a layout with constant power, by vector base amplitude panning.
///
/// Source: Pulkki, "Virtual sound source positioning using vector base amplitude panning", J. Audio Eng. Soc. 45, 1997,
/// eqs. 16 and 18, on the convex hull of the loudspeakers. If a layout has no loudspeaker within 72.5° of an axis
/// (above, below, behind …), an imaginary loudspeaker on this axis closes the hull, as in Zotter & Frank ("All-round
/// ambisonic panning and decoding", J. Audio Eng. Soc. 60, 2012, section 3). The neighbours share the signal of an
/// imaginary loudspeaker with equal power. If the listener would still be outside the hull, the other axes also get
/// imaginary loudspeakers.
///
/// In a layout without loudspeakers 20° or more above, sound from above is panned at ear level, to its azimuth. Above
/// 60° of elevation the direction moves towards the zenith, whose signal the neighbouring loudspeakers share. The same
/// holds for sound from below.
struct LoudspeakerPanner {
    /// Number of the layout's channels, including LFE. `gains` returns one gain for each of them.
    private let channelCount: Int
    /// `[direction of the hull]`: its channel; −1 for an imaginary loudspeaker.
    private let channels: [Int]
    /// Loudspeakers that share the signal of an imaginary loudspeaker, by its index in the hull.
    private let shares: [Int: [Int]]
    private let hull: LoudspeakerHull
    private let hasAbove: Bool
    private let hasBelow: Bool

    /// Makes a panner for a layout with loudspeakers. Returns nil if there are none except LFE.
    init?(_ layout: Layout) {
        channelCount = layout.channelCount
        var channels: [Int] = []
        var directions: [SIMD3<Double>] = []
        for (index, loudspeaker) in layout.loudspeakers.enumerated() where !loudspeaker.isLowFrequency {
            // Two loudspeakers in one direction would be the same corner twice. Only the first one gets a signal.
            guard !directions.contains(where: { dot($0, loudspeaker.direction.unit) > 1 - 1e-9 }) else { continue }
            channels.append(index)
            directions.append(loudspeaker.direction.unit)
        }
        guard !directions.isEmpty else { return nil }
        hasAbove = layout.loudspeakers.contains { !$0.isLowFrequency && $0.elevationDegrees >= 20 }
        hasBelow = layout.loudspeakers.contains { !$0.isLowFrequency && $0.elevationDegrees <= -20 }
        let real = directions.count
        let axes: [SIMD3<Double>] = [
            SIMD3(0, 0, 1), SIMD3(0, 0, -1), SIMD3(-1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, -1, 0), SIMD3(1, 0, 0),
        ]
        let near = 0.3  // cos 72.5°
        directions += axes.filter { axis in !directions.contains { dot($0, axis) > near } }
        var hull = LoudspeakerHull(directions)
        if !hull.surroundsListener {
            directions += axes.filter { axis in !directions.contains { dot($0, axis) > 1 - 1e-9 } }
            hull = LoudspeakerHull(directions)
        }
        channels += [Int](repeating: -1, count: directions.count - real)
        let count = directions.count
        var shares: [Int: [Int]] = [:]
        for (index, face) in hull.corners.enumerated() { shares[directions.count + index] = face }
        for imaginary in real..<directions.count {
            var neighbours: Set<Int> = []
            for triangle in hull.triangles {
                let corners = [triangle.a, triangle.b, triangle.c]
                guard corners.contains(imaginary) else { continue }
                for corner in corners.flatMap({ $0 < count ? [$0] : hull.corners[$0 - count] })
                where corner < real { neighbours.insert(corner) }
            }
            // If all neighbours are imaginary too, all loudspeakers share the signal.
            shares[imaginary] = neighbours.isEmpty ? Array(0..<real) : neighbours.sorted()
        }
        self.hull = hull
        self.shares = shares
        self.channels = channels + [Int](repeating: -1, count: hull.corners.count)
    }

    /// Returns the linear gain of each channel for a direction, in channel order. The squares add up to 1; LFE has 0.
    func gains(_ direction: Direction<Stage>) -> [Double] {
        let aim = audible(direction).unit
        var best: (lowest: Double, weights: SIMD3<Double>, corners: SIMD3<Int>) = (-.infinity, .zero, .zero)
        for triangle in hull.triangles {
            let (a, b, c) = (
                hull.directions[triangle.a], hull.directions[triangle.b], hull.directions[triangle.c]
            )
            let volume = dot(a, cross(b, c))
            guard abs(volume) > 1e-9 else { continue }
            // Cramer's rule: the vector as a weighted sum of the three corners.
            let weights = SIMD3(dot(aim, cross(b, c)), dot(aim, cross(c, a)), dot(aim, cross(a, b))) / volume
            if weights.min() > best.lowest {
                best = (weights.min(), weights, SIMD3(triangle.a, triangle.b, triangle.c))
                if best.lowest > -1e-12 { break }
            }
        }
        var gains = [Double](repeating: 0, count: channelCount)
        for corner in 0..<3 { give(max(0, best.weights[corner]), to: best.corners[corner], &gains) }
        let power = gains.reduce(0) { $0 + $1 * $1 }
        guard power > 0 else { return gains }
        return gains.map { $0 / power.squareRoot() }
    }

    /// Adds a gain to a loudspeaker. The gain of an imaginary loudspeaker is shared among its neighbours.
    private func give(_ gain: Double, to place: Int, _ gains: inout [Double]) {
        guard gain > 0 else { return }
        if channels[place] >= 0 {
            gains[channels[place]] += gain
        } else if let share = shares[place] {
            for neighbour in share { give(gain / Double(share.count).squareRoot(), to: neighbour, &gains) }
        }
    }

    /// Returns the direction to which sound is panned. Without loudspeakers above, elevations up to 60° become 0°, and
    /// 60…90° become 0…90°. The same holds below.
    private func audible(_ direction: Direction<Stage>) -> Direction<Stage> {
        let elevation = direction.elevation
        guard elevation > 0 ? !hasAbove : !hasBelow else { return direction }
        let steep = Double.pi / 3
        let beyond = max(0, abs(elevation) - steep) / (.pi / 2 - steep) * .pi / 2
        return Direction(azimuth: direction.azimuth, elevation: elevation < 0 ? -beyond : beyond)
    }
}
