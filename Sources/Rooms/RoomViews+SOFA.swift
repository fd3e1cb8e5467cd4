import Geometry
import Glibc
import SOFA

extension RoomViews {
    /// Reads a room from a SOFA file and sorts its measurements by loudspeaker and head yaw. `progress` is called while
    /// the file is searched for a sample that is not 0, and may end the reading.
    package init(
        sofaAt path: String, progress: @escaping ReadingProgress = { _ in true }
    ) throws(RoomError) {
        let file: BinauralRoom
        do throws(SOFAError) { file = try BinauralRoom(contentsOf: path) } catch { throw .file(error) }
        var remarks = file.remarks
        let sources =
            file.isLabelledFreeField
            ? RoomViews.turningSource(file, &remarks) : try RoomViews.standingSources(file, &remarks)
        guard !sources.isEmpty else {
            throw .implausible(path: path, reason: "holds no measurement with a level head; use another file")
        }
        try RoomViews.checkLength(file, &remarks)
        do throws(SOFAError) { try file.checkHeard(progress: progress) } catch { throw .file(error) }
        let ears = try RoomEars(file, &remarks)
        let emitters = file.emitterCount
        func shifts(_ key: Int) -> [Int] {
            (0..<2).map { ear in
                let receiver = ears.receivers[ear]
                return Int(
                    file.delay(measurement: key / emitters, receiver: receiver, emitter: key % emitters).rounded())
            }
        }
        // The part that is common to all delays has no effect. Each response is delayed by the difference between its
        // own delay and the smallest one. All responses become longer by the largest difference.
        var range = (least: Int.max, most: Int.min)
        for source in sources {
            for view in source.views {
                for shift in shifts(view.key) { range = (min(range.least, shift), max(range.most, shift)) }
            }
        }
        let (least, count) = (range.least, file.sampleCount + range.most - range.least)
        // A room without a title is named after its attribute `RoomShortName`, or else after its file.
        let name = path.split(separator: "/").last.map(String.init) ?? path
        self.init(
            path: path, title: file.attribute("Title") ?? file.attribute("RoomShortName") ?? name,
            licence: file.attribute("License") ?? "the file names none", sampleRate: file.sampleRate,
            sampleCount: count, sources: sources, remarks: remarks
        ) { key, frames throws(RoomError) in
            let (measurement, emitter) = (key / emitters, key % emitters)
            let moves = shifts(key).map { $0 - least }
            do throws(SOFAError) {
                let stored = try file.responses(measurement: measurement, emitter: emitter, frames: frames)
                let (left, right) = ears.isExchanged ? (stored.right, stored.left) : stored
                return (
                    RoomViews.moved(left, by: moves[0], frames: min(frames, count)),
                    RoomViews.moved(right, by: moves[1], frames: min(frames, count))
                )
            } catch {
                throw .file(error)
            }
        }
    }

    /// Throws if responses are labelled as free field and are as short as those of a head. Adds a remark on other short
    /// responses.
    private static func checkLength(_ file: BinauralRoom, _ remarks: inout [String]) throws(RoomError) {
        let seconds = Double(file.sampleCount) / file.sampleRate
        guard !file.isLabelledFreeField || seconds > FreeFieldHRIR.longestSeconds else {
            throw .implausible(
                path: file.path,
                reason:
                    "its responses last \((seconds * 10_000).rounded() / 10) ms and are labelled as free field: they "
                    + "hold no room; play it with --hrtf, and choose another with --room")
        }
        if let short = shortness(samples: file.sampleCount, rate: file.sampleRate) { remarks.append(short) }
    }

    /// Largest number of loudspeaker positions.
    private static let mostSources = 1024

    /// Returns the loudspeakers that stand in a room while the head turns, one per position. Measurements with a tilted
    /// head, or with the listener elsewhere than in the first measurement, are left out.
    private static func standingSources(
        _ file: BinauralRoom, _ remarks: inout [String]
    ) throws(RoomError) -> [Source] {
        guard let first = file.measurements.first else { return [] }
        var places: [SIMD3<Double>] = []
        var sources: [Source] = []
        var (tilted, elsewhere) = (0, 0)
        for (index, measurement) in file.measurements.enumerated() {
            let moved = measurement.listener - first.listener
            guard (moved * moved).sum() < 0.05 * 0.05 else {
                elsewhere += 1
                continue
            }
            guard abs(measurement.pitch) < 2 * .pi / 180 else {
                tilted += 1
                continue
            }
            for (emitter, offset) in measurement.offsets.enumerated() {
                let key = index * file.emitterCount + emitter
                let known = places.firstIndex { place in
                    let apart = place - offset
                    return (apart * apart).sum() < 1e-4 * max(1, (place * place).sum())
                }
                if let known, sources[known].views.allSatisfy({ abs($0.yaw - measurement.yaw) > 0.05 * .pi / 180 }) {
                    sources[known].views.append((measurement.yaw, key))
                } else if known == nil {
                    guard places.count < RoomViews.mostSources else {
                        throw .implausible(
                            path: file.path,
                            reason: "has loudspeakers in more than \(RoomViews.mostSources) places; use another file")
                    }
                    places.append(offset)
                    let length = (offset * offset).sum().squareRoot()
                    sources.append(
                        Source(direction: Direction(unit: offset / length), views: [(measurement.yaw, key)]))
                }
            }
        }
        if elsewhere > 0 { remarks.append("\(elsewhere) measurements with the listener in another place are left out") }
        if tilted > 0 { remarks.append("\(tilted) measurements with a tilted head are left out") }
        return facingFront(sources, &remarks)
    }

    /// If no view is within 45° of the room's x axis, turns the room so that the first view faces the front.
    private static func facingFront(_ sources: [Source], _ remarks: inout [String]) -> [Source] {
        let yaws = sources.flatMap { $0.views.map(\.yaw) }
        guard let first = yaws.first, yaws.allSatisfy({ abs(remainder($0, 2 * .pi)) > 45 * .pi / 180 }) else {
            return sources
        }
        remarks.append(
            "the head looks to \((first * 1800 / .pi).rounded() / 10)° in the room at first; taken as the front")
        let turn = Rotation<Stage, Stage>(yaw: -first)
        return sources.map { source in
            Source(
                direction: source.direction.map { turn($0) }, views: source.views.map { ($0.yaw - first, $0.key) })
        }
    }

    /// Reads a room that is labelled as free-field responses. Eighteen or more directions at one elevation are read as
    /// one loudspeaker that was measured with a turning head. Fewer directions are read as one loudspeaker each, whose
    /// sound does not follow the head.
    private static func turningSource(_ file: BinauralRoom, _ remarks: inout [String]) -> [Source] {
        let directions = file.measurements.map { measurement -> Direction<Head> in
            let offset = measurement.offsets[0]
            let unit = offset / (offset * offset).sum().squareRoot()
            return Rotation<Stage, Head>(yaw: -measurement.yaw)(Direction<Stage>(unit: unit))
        }
        var sources: [Source] = []
        var views = 0
        for members in rings(directions) {
            if members.count >= 18 {
                views += members.count
                let elevation = members.reduce(0) { $0 + directions[$1].elevation } / Double(members.count)
                sources.append(
                    Source(
                        direction: Direction(azimuth: 0, elevation: elevation),
                        views: members.map { (-directions[$0].azimuth, $0) }))
            } else {
                sources += members.map { Source(direction: Direction(unit: directions[$0].unit), views: [(0, $0)]) }
            }
        }
        remarks.append(
            "labelled as free field; "
                + (views > 0
                    ? "its \(views) directions are read as views of a turning head"
                    : "its \(sources.count) directions are read as loudspeakers, and the room does not follow the head")
        )
        return sources
    }

    /// Differences of elevation, degrees. A step from one direction to the next higher one that exceeds `ringStep`
    /// begins another ring. `ringHeight` is the largest difference within a ring.
    private static let (ringStep, ringHeight) = (0.5, 2.0)

    /// Returns the indices of the directions ring by ring, from the lowest ring up. Stored elevations of one ring may
    /// differ a little, so fixed limits, such as one every half degree, would divide a ring.
    private static func rings(_ directions: [Direction<Head>]) -> [[Int]] {
        let elevations = directions.map { $0.elevation * 180 / .pi }
        var rings: [[Int]] = []
        var (lowest, last) = (-Double.infinity, -Double.infinity)
        for index in directions.indices.sorted(by: { elevations[$0] < elevations[$1] }) {
            let elevation = elevations[index]
            if elevation - last > ringStep || elevation - lowest > ringHeight {
                rings.append([])
                lowest = elevation
            }
            rings[rings.count - 1].append(index)
            last = elevation
        }
        return rings.map { $0.sorted() }
    }

    /// Returns the first `frames` samples of a response delayed by `shift` samples, with zeros for missing samples.
    private static func moved(_ row: [Float], by shift: Int, frames: Int) -> [Float] {
        if shift == 0, row.count == frames { return row }
        return (0..<frames).map { row.indices.contains($0 - shift) ? row[$0 - shift] : 0 }
    }
}
