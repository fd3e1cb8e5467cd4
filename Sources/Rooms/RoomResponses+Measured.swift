import Geometry
import Glibc
import HRTF
import Signal

extension RoomResponses {
    /// Longest response that is played, seconds; longer ones are faded out there.
    package static let longest = 4.0
    /// Longest silence before the direct sound, seconds: the travel time over 85 m.
    private static let latestOnset = 0.25
    /// Largest memory of a room, bytes.
    static let mostBytes = 2 << 30

    /// Prepares a measured room for a stage: assigns loudspeakers, interpolates yaws, and converts sample rate and
    /// level.
    ///
    /// - Parameters:
    ///   - loudspeakers: direction of each source of the stage; nil if the source stays dry.
    ///   - field: HRTF set of the dry stage; it sets the level and the time of arrival.
    package static func prepare(
        _ views: RoomViews, for loudspeakers: [Direction<Stage>?], heardThrough field: FilterField,
        options: RoomOptions = RoomOptions()
    ) throws(RoomError) -> (RoomResponses, RoomReport) {
        let assigned = try RoomAssignment(views, for: loudspeakers)
        let rate = field.sampleRate.hertz
        var earlyTaps = options.earlyTaps(field.sampleRate)
        let yawCount = assigned.parts.contains { views.sources[$0.source].views.count > 1 } ? preparedYaws : 1
        let bytes =
            8 * assigned.parts.count
            * (yawCount * earlyTaps + Int(min(longest, Double(views.sampleCount) / views.sampleRate) * rate))
        // During preparation the early parts of all views are in memory, which may exceed the final size.
        let held = assigned.parts.reduce(0) { sum, part in
            sum
                + MeasuredSource.byteCount(
                    views, source: part.source, earlySeconds: options.early + latestOnset, rate: rate)
        }
        guard max(bytes, held) <= mostBytes else {
            throw .tooLarge(path: views.path, bytes: max(bytes, held), most: mostBytes)
        }

        var sources: [MeasuredSource] = []
        for part in assigned.parts {
            sources.append(
                try MeasuredSource(
                    views, source: part.source, wholeAt: -part.turn, earlySeconds: options.early + latestOnset,
                    mostSeconds: longest + latestOnset, rate: rate))
        }
        guard sources.contains(where: { $0.isHeard }) else {
            throw .implausible(path: views.path, reason: "is silent: all samples are 0; use another file")
        }
        let earliest = sources.map(\.onset).min() ?? 0
        let cut = Int((earliest - field.onsetFrames).rounded())
        guard Double(cut) < latestOnset * rate else {
            throw .implausible(
                path: views.path,
                reason:
                    "its direct sound comes \((Double(cut) / rate * 100).rounded() / 100) s after its start; cut what is before"
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
            remarks: views.remarks + assigned.remarks)
        report.cut = Double(cut) / rate
        return (responses, report)
    }
}
