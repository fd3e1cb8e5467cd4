import Geometry
import Glibc

extension RingGrid {
    /// Returns values for the points. Linear interpolation between these values deviates less from the function that
    /// was sampled as `rows`.
    ///
    /// A line through two points of a curve f at the spacing h is exact at the points and deviates by h²f″/8 halfway
    /// between them. Lowered by h²f″/16, it deviates by at most half as much. A sixteenth of the second differences
    /// along the ring and across to the neighbouring rings is therefore subtracted from each point. The neighbouring
    /// rings are interpolated as in `RingGridLookup.cell`, which also serves playback.
    ///
    /// `rows` has `width` values for each point. O(count · width), in parallel.
    func balanced(_ rows: [Float], width: Int) -> [Float] {
        var result = rows
        result.withUnsafeMutableBufferPointer { result in
            rows.withUnsafeBufferPointer { rows in
                guard let target = result.baseAddress, let source = rows.baseAddress else { return }
                nonisolated(unsafe) let (result, rows) = (target, source)
                inParallel(ringCount, chunk: 4) { rings in
                    for ring in rings {
                        for place in 0..<counts[ring] {
                            let point = first[ring] + place
                            for (neighbour, share) in neighbours(ring, place) {
                                let factor = Float(-share / 16)
                                for i in 0..<width {
                                    result[point * width + i] +=
                                        factor * (rows[neighbour * width + i] - rows[point * width + i])
                                }
                            }
                        }
                    }
                }
            }
        }
        return result
    }

    /// Returns the points and weights of the second differences at a point; the point itself is not included.
    private func neighbours(_ ring: Int, _ place: Int) -> [(point: Int, share: Double)] {
        func along(_ ring: Int, _ turn: Double, _ share: Double) -> [(point: Int, share: Double)] {
            let at = turn * Double(counts[ring])
            let low = min(counts[ring] - 1, Int(at))
            return [
                (first[ring] + low, share * (1 - at + Double(low))),
                (first[ring] + (low + 1) % counts[ring], share * (at - Double(low))),
            ]
        }
        guard ring > 0, ring < ringCount - 1 else {
            // A pole: the mean second difference of all lines through it, which is twice the mean of the neighbouring
            // ring less twice the pole.
            let other = ring == 0 ? 1 : ringCount - 2
            let share = 2 / Double(counts[other])
            return (0..<counts[other]).map { (first[other] + $0, share) }
        }
        let count = counts[ring]
        let turn = Double(place) / Double(count)
        return [(first[ring] + (place + 1) % count, 1), (first[ring] + (place + count - 1) % count, 1)]
            + along(ring - 1, turn, 1) + along(ring + 1, turn, 1)
    }
}
