import Geometry
import Glibc
import HRTF
import Signal

extension RoomResponses {
    /// Longest response that is played, seconds. Longer ones are faded out at this time.
    package static let longest = 4.0
    /// Longest silence before the direct sound, seconds: the travel time over 86 m.
    private static let latestOnset = 0.25
    /// Largest memory of a room, bytes.
    static let mostBytes = 2 << 30

    /// Prepares a measured room for a stage: assigns loudspeakers, interpolates yaws, and converts sample rate and
    /// level.
    ///
    /// - Parameters:
    ///   - loudspeakers: direction of each source of the stage; nil if the source stays dry.
    ///   - layout: directions of the main programme's loudspeakers, nil for dry ones. They determine the order in which
    ///     the sources of a room without directions are assigned; see `RoomAssignment`.
    ///   - field: HRTF set that plays without a room; the room gets its loudness and its time of arrival.
    package static func prepare(
        _ views: RoomViews, for loudspeakers: [Direction<Stage>?], layout: [Direction<Stage>?] = [],
        heardThrough field: FilterField, options: RoomOptions = RoomOptions()
    ) throws(RoomError) -> (RoomResponses, RoomReport) {
        let rate = field.sampleRate.hertz
        let (assigned, sources) = try heardSources(
            views, for: loudspeakers, layout: layout, at: field.sampleRate, options: options)
        var earlyTaps = options.earlyTaps(field.sampleRate)
        let yawCount = neededYaws(views, assigned)
        let earliest = sources.map(\.onset).min() ?? 0
        let cut = Int((earliest - field.onsetFrames).rounded())
        guard Double(cut) < latestOnset * rate else {
            throw .implausible(
                path: views.path,
                reason:
                    "its direct sound comes \((Double(cut) / rate * 100).rounded() / 100) s after its start; "
                    + "remove the silence before it"
            )
        }
        let end = min(Int(longest * rate), (sources.map { $0.whole[0].count }.max() ?? 0) - cut)
        earlyTaps = min(earlyTaps, max(1, (end + 15) / 16) * 16)
        let length = max(earlyTaps + 16, end)
        let early = PlanarBlock(channels: 2 * sources.count * yawCount, frames: earlyTaps)
        let tailCount = options.isTailShared ? 1 : sources.count
        let tail = PlanarBlock(channels: 2 * tailCount, frames: length - earlyTaps)
        let plan = MeasuredRoom(
            sources: sources, turns: assigned.parts.map(\.turn), yawCount: yawCount, cut: cut, length: length,
            level: Float(options.level.amplitude), sampleRate: rate)
        plan.fillEarly(early, heardThrough: field)
        plan.fillTails(tail, earlyTaps: earlyTaps)

        let trim = plan.matchLoudness(
            early, tail,
            loudspeakers: zip(loudspeakers, assigned.assignment).compactMap { direction, part in
                direction.flatMap { direction in part.map { (direction, $0) } }
            }, field)
        let responses = RoomResponses(
            sampleRate: field.sampleRate, yawCount: yawCount, early: early, tail: tail,
            isTailShared: options.isTailShared, includesDirect: true, directGain: 0, assignment: assigned.assignment)
        let spread = assigned.parts.map { views.sources[$0.source].views.count }
        var processing = [
            "measured: \(views.sources.count) loudspeaker\(views.sources.count == 1 ? "" : "s"), "
                + "\(spread.min() ?? 0)\(spread.min() == spread.max() ? "" : "…\(spread.max() ?? 0)") head yaw\(spread.max() == 1 ? "" : "s") each, "
                + "\(views.sampleCount) samples at \(Int(views.sampleRate)) Hz",
            "\((abs(Double(cut)) / rate * 10_000).rounded() / 10) ms \(cut >= 0 ? "cut before" : "added before") the direct sound",
        ]
        if Double(views.sampleCount) / views.sampleRate - Double(cut) / rate > longest {
            processing.append("faded out at \(longest) s")
        }
        var report = RoomReport(
            name: views.title, path: views.path, licence: views.licence, sources: sources.count, yaws: yawCount,
            early: Double(earlyTaps) / rate, length: Double(length) / rate, isTailShared: options.isTailShared,
            trim: Decibels(amplitude: trim), bytes: responses.byteCount, processing: processing,
            remarks: views.remarks + assigned.remarks + silentViews(views, assigned, sources))
        report.cut = Double(cut) / rate
        return (responses, report)
    }

    /// Assigns the loudspeakers and reads the sources in use. Silent sources are left out, and the loudspeakers are
    /// assigned again without them.
    private static func heardSources(
        _ views: RoomViews, for loudspeakers: [Direction<Stage>?], layout: [Direction<Stage>?], at rate: SampleRate,
        options: RoomOptions
    ) throws(RoomError) -> (RoomAssignment, [MeasuredSource]) {
        var silent: Set<Int> = []
        var known: [RoomAssignment.Part: MeasuredSource] = [:]
        while true {
            let assigned = try RoomAssignment(views, for: loudspeakers, layout: layout, without: silent)
            guard !assigned.parts.isEmpty else {
                throw .implausible(path: views.path, reason: "is silent: all samples are 0; use another file")
            }
            try checkSize(views, assigned, at: rate, options: options)
            var sources: [MeasuredSource] = []
            for part in assigned.parts {
                let source: MeasuredSource
                if let read = known[part] {
                    source = read
                } else {
                    source = try MeasuredSource(
                        views, source: part.source, wholeAt: -part.turn, earlySeconds: options.early + latestOnset,
                        mostSeconds: longest + latestOnset, rate: rate.hertz)
                }
                known[part] = source
                sources.append(source)
            }
            let found = assigned.parts.indices.filter { !sources[$0].isHeard }.map { assigned.parts[$0].source }
            if found.isEmpty { return (assigned, sources) }
            silent.formUnion(found)
        }
    }

    /// Throws if the room or its preparation would take more than `mostBytes`.
    private static func checkSize(
        _ views: RoomViews, _ assigned: RoomAssignment, at rate: SampleRate, options: RoomOptions
    ) throws(RoomError) {
        let seconds = min(longest, Double(views.sampleCount) / views.sampleRate)
        let taps = neededYaws(views, assigned) * options.earlyTaps(rate) + Int(seconds * rate.hertz)
        let bytes = 8 * assigned.parts.count * taps
        // During preparation the early parts of all views are in memory, which may exceed the final size.
        let held = assigned.parts.reduce(0) { sum, part in
            sum
                + MeasuredSource.byteCount(
                    views, source: part.source, earlySeconds: options.early + latestOnset, rate: rate.hertz)
        }
        guard max(bytes, held) <= mostBytes else {
            throw .tooLarge(path: views.path, bytes: max(bytes, held), most: mostBytes)
        }
    }

    /// Returns the number of head yaws to be prepared.
    private static func neededYaws(_ views: RoomViews, _ assigned: RoomAssignment) -> Int {
        assigned.parts.contains { views.sources[$0.source].views.count > 1 } ? preparedYaws : 1
    }

    /// Returns a remark for each source with some silent views.
    private static func silentViews(
        _ views: RoomViews, _ assigned: RoomAssignment, _ sources: [MeasuredSource]
    ) -> [String] {
        var counts: [Int: Int] = [:]
        for (part, source) in zip(assigned.parts, sources) where source.silentViews > 0 {
            counts[part.source] = source.silentViews
        }
        return counts.sorted { $0.key < $1.key }.map { source, count in
            let place =
                views.sources[source].direction.map { RoomAssignment.place($0, of: "its") }
                ?? "its loudspeaker \(source + 1)"
            return "\(place) is silent in \(count) head yaw\(count == 1 ? "" : "s"), which are left out"
        }
    }
}
