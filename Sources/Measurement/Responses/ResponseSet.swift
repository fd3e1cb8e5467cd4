import Geometry
import SOFA
import Signal
import Soundstage
import Sweeps

/// Responses of all loudspeakers at all looks (directions of the head), with one origin of time.
struct ResponseSet {
    /// Yaws of the looks, degrees, ascending.
    let yaws: [Double]
    /// Measured loudspeakers.
    let loudspeakers: [Loudspeaker]
    /// Responses `[look][loudspeaker]`.
    let table: [[LoudspeakerResponse]]
    /// Sample rate, hertz.
    let sampleRate: Double
    /// Frames from a sweep's start to the first sample, and number of samples, the same for all responses: this keeps
    /// the delays between loudspeakers, ears and looks.
    let start: Int, count: Int
    /// Time after the later ear's onset at which a gated response has faded out, seconds. With the loudspeaker 2 m
    /// away, the reflection from the floor arrives later if ears and loudspeaker are at least 1.4 m high. At 1.2 m it
    /// arrives after 3.3 ms and is attenuated by 11 dB; `measure.md` says so.
    private static let gate = 0.004
    /// Largest angle between directions that count as one, degrees.
    private static let same = 0.5

    /// Arranges takes by look and loudspeaker.
    ///
    /// - Throws: `input` if a look has no response or two responses of a loudspeaker, or if no take names a
    ///   loudspeaker.
    init(_ found: [NamedTake], of places: [Loudspeaker]) throws(ResponseError) {
        yaws = Set(found.map(\.yaw)).sorted()
        loudspeakers = places.filter { place in
            found.contains { $0.take.responses.contains { $0.loudspeaker == place.symbol } }
        }
        var table: [[LoudspeakerResponse]] = []
        for yaw in yaws {
            var row: [LoudspeakerResponse] = []
            for name in loudspeakers.map(\.symbol) {
                let here = found.filter { $0.yaw == yaw }.flatMap(\.take.responses).filter { $0.loudspeaker == name }
                guard let response = here.first else {
                    throw .input("\(name) was not measured with the head at \(yaw)°; a take of it is missing")
                }
                guard here.count == 1 else {
                    throw .input("\(name) was measured twice with the head at \(yaw)°; leave one out")
                }
                row.append(response)
            }
            table.append(row)
        }
        guard let first = table.first?.first else { throw .input("no take names a loudspeaker") }
        self.table = table
        sampleRate = first.sampleRate
        let start = table.joined().map(\.origin).min() ?? 0
        count = table.joined().map { $0.origin - start + $0.ears[0].count }.max() ?? 0
        self.start = start
    }

    /// Returns the room.
    func room(_ attributes: [String: String]) -> WrittenRoom {
        WrittenRoom(
            attributes: attributes, sampleRate: sampleRate, sampleCount: count, yaws: yaws,
            loudspeakers: loudspeakers.map {
                .init(
                    azimuth: $0.azimuthDegrees, elevation: $0.elevationDegrees,
                    distance: $0.distance ?? NamedTake.usualDistance)
            }, responses: table.map { row in row.map { $0.placed(from: start, count: count) } })
    }

    /// Returns the direct sounds as responses of a head, each at its loudspeaker's direction from the head. The
    /// differences of the loudspeakers' arrival times are removed. If two looks give the same direction, the response
    /// of the look nearer to the front is used.
    func head(_ attributes: [String: String]) -> FreeFieldHRIR {
        let arrivals = loudspeakers.indices.map { place in
            let times = table.map { row in
                row[place].onsets.reduce(0) { $0 + Double($1) } / 2 + Double(row[place].origin)
            }
            return times.reduce(0, +) / Double(times.count)
        }
        let earliest = arrivals.min() ?? 0
        var kept: [(direction: Direction<Head>, distance: Double, response: LoudspeakerResponse)] = []
        for look in yaws.indices.sorted(by: { abs(yaws[$0]) < abs(yaws[$1]) }) {
            let head = Rotation<Head, Stage>(yaw: yaws[look] * .pi / 180)
            for (place, loudspeaker) in loudspeakers.enumerated() {
                let direction = head.inverse(loudspeaker.direction)
                let isThere = kept.contains { $0.direction.angle(to: direction) < ResponseSet.same * .pi / 180 }
                guard !isThere else { continue }
                var response = table[look][place].gated(after: ResponseSet.gate)
                response.origin -= Int((arrivals[place] - earliest).rounded())
                kept.append((direction, loudspeaker.distance ?? NamedTake.usualDistance, response))
            }
        }
        // Range from the earliest to the latest sample of all gated responses that is not 0.
        let ends = kept.map { found -> (first: Int, last: Int) in
            let rows = found.response.ears
            let first = rows.compactMap { row in row.firstIndex { $0 != 0 } }.min() ?? 0
            let last = rows.compactMap { row in row.lastIndex { $0 != 0 } }.max() ?? 1
            return (found.response.origin + first, found.response.origin + last + 1)
        }
        let (first, last) = (ends.map(\.first).min() ?? 0, ends.map(\.last).max() ?? 2)
        var texts = attributes
        texts["RoomType"] = "free field"
        texts["Comment"] = "direct sound, faded out \(Int(ResponseSet.gate * 1000)) ms after the onset"
        return FreeFieldHRIR(
            path: "", attributes: texts, sampleRate: sampleRate, sampleCount: last - first,
            directions: kept.map(\.direction), distances: kept.map(\.distance),
            responses: kept.flatMap { $0.response.placed(from: first, count: last - first).joined() },
            delays: [Double](repeating: 0, count: 2 * kept.count))
    }
}
