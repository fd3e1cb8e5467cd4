import Geometry

extension FreeFieldHRIR {
    /// Whether the set has no interaural time differences: in every lateral direction the peaks of both responses,
    /// including delays, are at most one sample apart (above 44.1 kHz at most 1/44100 s). False if the set has fewer
    /// than two lateral directions. O(size).
    ///
    /// With a head 15 cm wide, the difference is at least 0.2 ms (nine samples at 44.1 kHz) for sources at least 30°
    /// from the median plane.
    var lacksInterauralTime: Bool {
        let tolerance = max(1, sampleRate / 44_100)
        var lateral = 0
        for (index, direction) in directions.enumerated() where abs(direction.unit.y) > 0.5 {
            lateral += 1
            let times = (0..<2).map { receiver -> Double in
                let row = response(index, receiver: receiver)
                var (place, peak): (Int, Float) = (row.startIndex, 0)
                for i in row.indices where abs(row[i]) > peak { (place, peak) = (i, abs(row[i])) }
                return Double(place - row.startIndex) + delays[2 * index + receiver]
            }
            if abs(times[0] - times[1]) > tolerance { return false }
        }
        return lateral > 1
    }
}
