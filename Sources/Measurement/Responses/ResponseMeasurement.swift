import Foundation
import Geometry
import SOFA
import Signal
import Soundstage
import Sweeps

/// Makes a room, and if wanted a head, from recorded sweeps: `measure responses`. Offline.
package struct ResponseMeasurement: Sendable {
    /// Paths of the recordings, whose names say the loudspeakers and the yaw (`TakeFileName`).
    package var takes: [String]
    /// Path of the sweep that was played.
    package var sweep: String
    /// Layout whose loudspeakers the names mean.
    package var layout: Layout
    /// Silence before the first sweep and between sweeps, seconds.
    package var pause: Double
    /// Paths of calibrations: none, one for both microphones, or the left and the right.
    package var calibrations: [String]
    /// Whether faults become remarks.
    package var acceptsFaults: Bool
    /// Texts of the files: Title, DateCreated, ...
    package var attributes: [String: String]

    /// Distance of loudspeakers that the layout does not give, metres.
    private static let distance = 2.0
    /// Time after the later ear's onset at which a gated response has faded out, seconds: earlier than the floor's
    /// reflection at 2 m.
    private static let gate = 0.004

    /// Takes the request.
    package init(
        takes: [String], sweep: String, layout: Layout, pause: Double = 2, calibrations: [String] = [],
        acceptsFaults: Bool = false, attributes: [String: String] = [:]
    ) {
        self.takes = takes
        self.sweep = sweep
        self.layout = layout
        self.pause = pause
        self.calibrations = calibrations
        self.acceptsFaults = acceptsFaults
        self.attributes = attributes
    }

    /// A take with its file, and the responses at its yaw.
    private struct Found {
        var path: String
        var yaw: Double
        var take: MeasuredTake
        var faults: [TakeFault]
    }

    /// Measures, and writes the room to `room` and the direct sound to `head`, if given. About half a second for ten
    /// seconds of sound; any thread but the audio thread.
    ///
    /// - Parameters:
    ///   - replaces: returns whether an existing file of a path may be replaced.
    ///   - progress: receives the share done, 0…1; returns false to end the work.
    package func run(
        room: String, head: String?, replaces: (String) -> Bool, progress: (Double) -> Bool
    ) throws(ResponseError) -> ResponseReport {
        let sweep = try TakeReading.sweep(self.sweep)
        let microphones = try TakeReading.microphones(calibrations)
        var found: [Found] = []
        for (index, path) in takes.enumerated() {
            guard progress(Double(index) / Double(takes.count + 1)) else { throw .cancelled }
            found.append(try measured(path, sweep, microphones))
        }
        judgePlaces(&found)
        let faulty = found.filter { !$0.faults.isEmpty }
        guard acceptsFaults || faulty.isEmpty else {
            throw .refused(faulty.map { (take: $0.path, faults: $0.faults) })
        }
        return try written(found, room: room, head: head, replaces: replaces)
    }

    private func measured(
        _ path: String, _ sweep: ExponentialSweep, _ microphones: [MicrophoneCalibration?]
    ) throws(ResponseError) -> Found {
        let stem = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
        let known = layout.loudspeakers.filter { !$0.isLowFrequency }.map(\.symbol)
        guard let name = TakeFileName(stem) else {
            throw .input(
                "\(path): its name does not say what it holds; expected loudspeakers and the head's yaw, as in FL,FR_30.wav"
            )
        }
        for loudspeaker in name.loudspeakers.compactMap(\.self) where !known.contains(loudspeaker) {
            throw .input(
                "\(path): \(loudspeaker) is no loudspeaker of \(layout.name) (\(known.joined(separator: ", "))); "
                    + "name the file by its loudspeakers, or give another --layout")
        }
        let (left, right) = try TakeReading.take(path, rate: sweep.sampleRate)
        let period = Int((pause * sweep.sampleRate).rounded()) + sweep.samples.count
        let first = Int((pause * sweep.sampleRate).rounded())
        let parts = name.loudspeakers.enumerated().compactMap { place, loudspeaker in
            loudspeaker.map { TakePlan.Part(loudspeaker: $0, start: first + place * period) }
        }
        guard !parts.isEmpty else { throw .input("\(path): all its sweeps are left out by their names") }
        do throws(SweepError) {
            let plan = TakePlan(sweep: sweep, parts: parts, response: pause, frames: left.count)
            let take = try MeasuredTake(plan, left: left, right: right, microphones: microphones)
            return Found(path: path, yaw: name.yaw, take: take, faults: take.faults)
        } catch { throw .input("\(path): \(error.description)") }
    }

    /// Adds the faults that all takes together show: exchanged ears, and loudspeakers in each other's place.
    private func judgePlaces(_ found: inout [Found]) {
        var places: [(take: Int, heard: EarPlacement.Heard)] = []
        for index in found.indices {
            for response in found[index].take.responses {
                guard let place = layout.loudspeakers.first(where: { $0.symbol == response.loudspeaker }) else {
                    continue
                }
                let head = Rotation<Head, Stage>(yaw: found[index].yaw * .pi / 180)
                places.append(
                    (
                        index,
                        EarPlacement.Heard(
                            loudspeaker: response.loudspeaker, direction: head.inverse(place.direction),
                            interauralTime: response.interauralTime)
                    ))
            }
        }
        let faults = EarPlacement.faults(places.map(\.heard), earsAreKnown: false)
        for (place, fault) in faults.sorted(by: { $0.key < $1.key }) {
            let take = places[place].take
            if !found[take].faults.contains(fault) { found[take].faults.append(fault) }
        }
    }

    private func written(
        _ found: [Found], room: String, head: String?, replaces: (String) -> Bool
    ) throws(ResponseError) -> ResponseReport {
        let yaws = Set(found.map(\.yaw)).sorted()
        let names = layout.loudspeakers.map(\.symbol).filter { name in
            found.contains { $0.take.responses.contains { $0.loudspeaker == name } }
        }
        var table: [[LoudspeakerResponse]] = []
        for yaw in yaws {
            var row: [LoudspeakerResponse] = []
            for name in names {
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
        let rate = table[0][0].sampleRate
        // One origin for all: the delays between loudspeakers, ears and looks stay.
        let start = table.joined().map(\.origin).min() ?? 0
        let count = (table.joined().map { $0.origin - start + $0.ears[0].count }.max() ?? 0)
        let loudspeakers = names.compactMap { name in layout.loudspeakers.first { $0.symbol == name } }
        let responses = table.map { row in row.map { $0.placed(from: start, count: count) } }
        do throws(SOFAError) {
            try WrittenRoom(
                attributes: attributes, sampleRate: rate, sampleCount: count, yaws: yaws,
                loudspeakers: loudspeakers.map {
                    .init(
                        azimuth: $0.azimuthDegrees, elevation: $0.elevationDegrees,
                        distance: $0.distance ?? ResponseMeasurement.distance)
                }, responses: responses
            ).write(to: room, isReplacing: replaces(room))
            if let head {
                try Self.head(table, yaws, loudspeakers, start: start, attributes: attributes)
                    .write(to: head, isReplacing: replaces(head))
            }
        } catch { throw .output(error) }
        return ResponseReport(
            files: [room] + (head.map { [$0] } ?? []),
            takes: found.map { found in
                ResponseReport.Take(
                    file: found.path, yaw: found.yaw, peak: 20 * log10(max(1e-9, found.take.peak)),
                    levels: found.take.levels, faults: found.faults.map(\.name),
                    remarks: found.faults.map(\.description),
                    loudspeakers: found.take.responses.map(ResponseReport.Loudspeaker.init))
            }, sampleRate: rate, samples: count, commonDelay: Double(start) / rate * 1000)
    }

    /// Returns the direct sounds as responses of a head, each at its loudspeaker's direction from the head.
    private static func head(
        _ table: [[LoudspeakerResponse]], _ yaws: [Double], _ loudspeakers: [Loudspeaker], start: Int,
        attributes: [String: String]
    ) -> FreeFieldHRIR {
        let rate = table[0][0].sampleRate
        let gated = table.map { row in row.map { $0.gated(after: gate) } }
        // From the first onset less a millisecond to the end of the last gate.
        let ranges = gated.joined().map { response -> Range<Int> in
            let rows = response.ears.map { row in
                (row.firstIndex { $0 != 0 } ?? 0)..<((row.lastIndex { $0 != 0 } ?? 1) + 1)
            }
            return
                (response.origin + min(rows[0].lowerBound, rows[1].lowerBound))..<(response.origin
                + max(rows[0].upperBound, rows[1].upperBound))
        }
        let (first, last) = (ranges.map(\.lowerBound).min() ?? 0, ranges.map(\.upperBound).max() ?? 2)
        var directions: [Direction<Head>] = []
        for yaw in yaws {
            let head = Rotation<Head, Stage>(yaw: yaw * .pi / 180)
            directions += loudspeakers.map { head.inverse($0.direction) }
        }
        var texts = attributes
        texts["RoomType"] = "free field"
        texts["Comment"] = "direct sound, faded out \(gate * 1000) ms after the onset"
        return FreeFieldHRIR(
            path: "", attributes: texts, sampleRate: rate, sampleCount: last - first, directions: directions,
            distances: yaws.flatMap { _ in loudspeakers.map { $0.distance ?? distance } },
            responses: gated.joined().flatMap { $0.placed(from: first, count: last - first).joined() },
            delays: [Double](repeating: 0, count: 2 * directions.count))
    }
}
