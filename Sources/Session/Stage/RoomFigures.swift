import Geometry
import HRTF
import Rooms
import Signal
import Soundstage

/// What is measured of a room as it would be played, the head to the front, octave by octave.
package struct RoomFigures: Codable, Sendable {
    /// One octave.
    package struct Octave: Codable, Sendable {
        /// Centre, hertz.
        package let hertz: Double
        /// Reverberation time T30 in seconds, the mean over loudspeakers and ears; nil where none falls by 35 dB.
        package let reverberationTime: Double?
        /// Early to late energy (80 ms), dB.
        package let clarity: Double
        /// Interaural coherence of the early part (to 80 ms) and of what follows, 0…1.
        package let earlyCoherence: Double, lateCoherence: Double
    }

    /// From 125 Hz to 8 kHz.
    package let octaves: [Octave]

    /// Measures a room with its direct sound; about 0.2 s per loudspeaker and second of room.
    package init(_ room: RoomResponses, directions: [Direction<Stage>], field: FilterField) {
        let rate = room.sampleRate.hertz
        let used = Set(room.assignment.compactMap { $0 }).sorted()
        let responses = used.map { source in
            var ears = (0..<2).map { room.response(source: source, yaw: 0, ear: $0) }
            // Tracked loudspeakers come in the layout's order, as those that are assigned do.
            let assigned = room.assignment.compactMap { $0 }
            if !room.includesDirect, let place = assigned.firstIndex(of: source), place < directions.count {
                let direct = field.responses(Rotation<Stage, Head>(yaw: 0)(directions[place]))
                for (ear, dry) in [direct.left, direct.right].enumerated() {
                    for i in dry.indices where i < ears[ear].count { ears[ear][i] += room.directGain * dry[i] }
                }
            }
            return ears
        }
        let split = min(room.tapCount - 1, Int(0.08 * rate))
        octaves = OctaveBands.centres.indices.map { band in
            var times: [Double] = []
            var (clarity, early, late) = (0.0, 0.0, 0.0)
            for ears in responses {
                let rows = ears.map { RoomMeasures.octave(band, of: $0, sampleRate: rate) }
                for row in rows {
                    if let time = RoomMeasures.reverberationTime(RoomMeasures.energyDecay(row), sampleRate: rate) {
                        times.append(time)
                    }
                    clarity += RoomMeasures.clarity(row, within: 0.08, sampleRate: rate) / 2
                }
                early += RoomMeasures.interauralCoherence(
                    left: Array(rows[0][..<split]), right: Array(rows[1][..<split]), sampleRate: rate)
                late += RoomMeasures.interauralCoherence(
                    left: Array(rows[0][split...]), right: Array(rows[1][split...]), sampleRate: rate)
            }
            let count = Double(max(1, responses.count))
            return Octave(
                hertz: OctaveBands.centres[band],
                reverberationTime: times.isEmpty ? nil : times.reduce(0, +) / Double(times.count),
                clarity: clarity / count, earlyCoherence: early / count, lateCoherence: late / count)
        }
    }
}

extension RoomLoading {
    /// Prepares a room by the words of the command line, for a layout and a set: what `run` would play.
    package static func load(
        _ stage: StageSettings, sampleRate: Double?
    ) throws(SessionError) -> (room: Loaded?, directions: [Direction<Stage>], field: FilterField) {
        let layout = try stage.layout(named: stage.layout ?? "stereo")
        guard let rate = sampleRate.map({ SampleRate(hertz: $0) }) ?? SampleRate.studio else {
            throw SessionError(.usage, "--rate \(sampleRate ?? 0) is not within 8000…768000 Hz")
        }
        let (field, _) = try StageAssembly.set(stage, sampleRate: rate)
        let room = try load(
            stage.room, directions: layout.loudspeakers.map { $0.motion == .tracked ? $0.direction : nil },
            layout: layout,
            field: field)
        let directions = layout.loudspeakers.filter { $0.motion == .tracked }.map(\.direction)
        return (room, directions, field)
    }
}
