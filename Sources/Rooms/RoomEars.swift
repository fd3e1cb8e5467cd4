import Geometry
import Glibc
import SOFA

/// Assignment of a measured room's receivers to the ears.
///
/// AES69 puts the left ear first. Some files store the right ear first. Other files, which are more frequent, store the
/// left ear first but have the right ear first in ReceiverPosition, because old writers had the wrong sign. So the
/// sound decides if it can: lateral sound is earlier and louder at the ear on its side. If the sound does not decide,
/// as without a lateral loudspeaker, ReceiverPosition does.
struct RoomEars {
    /// Indices of the receivers at the left and the right ear.
    let receivers: [Int]
    /// Whether receiver 0 is the right ear.
    var isExchanged: Bool { receivers[0] == 1 }

    /// Least y component of a lateral loudspeaker's direction; 30° from the median plane.
    private static let lateral = 0.5
    /// Greatest number of responses that are analysed.
    private static let mostResponses = 12
    /// Length of each response that is read, seconds; it contains the direct sound.
    private static let seconds = 0.3
    /// Least difference of arrival time between the ears, seconds, that decides. Below it the level decides if it
    /// differs by at least `leastDecibels`, dB.
    private static let (least, leastDecibels) = (100e-6, 3.0)
    /// The direct sound begins where a response first reaches this share of its peak.
    private static let threshold: Float = 0.2

    /// Analyses twelve responses at most, and appends a remark on each anomaly.
    init(_ file: BinauralRoom, _ remarks: inout [String]) throws(RoomError) {
        let saysRightFirst = file.receivers.map { $0[0].y < 0 && $0[1].y > 0 } ?? false
        var (straight, exchanged) = (0, 0)
        for (measurement, emitter, side) in RoomEars.lateralResponses(file) {
            let vote: Int
            do throws(SOFAError) { vote = try RoomEars.vote(file, measurement, emitter, side) } catch {
                throw .file(error)
            }
            if vote > 0 { straight += 1 } else if vote < 0 { exchanged += 1 }
        }
        // An order of the ears needs more than two thirds of the votes.
        if exchanged > 2 * straight {
            receivers = [1, 0]
            remarks.append(
                "sound from the left reaches receiver 1 first: the right ear is stored first; the ears were exchanged")
        } else if straight > 2 * exchanged {
            receivers = [0, 1]
            if saysRightFirst {
                remarks.append(
                    "ReceiverPosition has the right ear first, but sound from the left reaches receiver 0 first: read as left"
                )
            }
        } else {
            receivers = saysRightFirst ? [1, 0] : [0, 1]
            if saysRightFirst { remarks.append("ReceiverPosition has the right ear first: the ears were exchanged") }
        }
    }

    /// Returns lateral responses spread over the file: measurement, emitter, and side (1 left, −1 right).
    private static func lateralResponses(_ file: BinauralRoom) -> [(Int, Int, Double)] {
        var found: [(Int, Int, Double)] = []
        for (index, measurement) in file.measurements.enumerated() where abs(measurement.pitch) < 0.5 {
            for (emitter, offset) in measurement.offsets.enumerated() {
                let length = (offset * offset).sum().squareRoot()
                let y = (offset.y * cos(measurement.yaw) - offset.x * sin(measurement.yaw)) / length
                if abs(y) > lateral { found.append((index, emitter, y > 0 ? 1 : -1)) }
            }
        }
        let step = max(1, (found.count + mostResponses - 1) / mostResponses)
        return stride(from: 0, to: found.count, by: step).map { found[$0] }
    }

    /// Returns 1 if receiver 0 is the left ear by this response, −1 if it is the right ear, 0 if the response is
    /// undecided.
    private static func vote(
        _ file: BinauralRoom, _ measurement: Int, _ emitter: Int, _ side: Double
    ) throws(SOFAError) -> Int {
        let (first, second) = try file.responses(
            measurement: measurement, emitter: emitter, frames: Int(seconds * file.sampleRate))
        guard let a = onset(first), let b = onset(second) else { return 0 }
        let delays = (0..<2).map { file.delay(measurement: measurement, receiver: $0, emitter: emitter) }
        let lead = (Double(b - a) + delays[1] - delays[0]) / file.sampleRate * side
        if abs(lead) >= least { return lead > 0 ? 1 : -1 }
        let window = Int(0.0025 * file.sampleRate)
        let levels = [(first, a), (second, b)].map { row, start in
            10 * log10(row[start..<min(row.count, start + window)].reduce(0.0) { $0 + Double($1) * Double($1) })
        }
        let louder = (levels[0] - levels[1]) * side
        return abs(louder) < leastDecibels ? 0 : louder > 0 ? 1 : -1
    }

    private static func onset(_ row: [Float]) -> Int? {
        let peak = row.reduce(0) { max($0, abs($1)) }
        return peak > 0 ? row.firstIndex { abs($0) >= threshold * peak } : nil
    }
}
