import Geometry
import Glibc

extension RingGrid {
    /// Values at the points of which straight lines between them come nearest to what was spread.
    ///
    /// A line between two points of a curve hits it there and misses it halfway by h²f″/8; lowered by h²f″/16 as a
    /// whole it misses it by half as much everywhere. So each point is moved by a sixteenth of its second differences
    /// along its ring and across to the neighbouring rings, which are read as the player reads them
    /// (`RingGridLookup.cell`).
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

    /// What the second differences at a point are taken from: points and their weights,
    /// those of the point itself left out.
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
            // A pole: all ways lead to the one ring there is, as many as it has points, two a line.
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
