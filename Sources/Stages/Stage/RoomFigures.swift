import Foundation
import Geometry
import HRTF
import Loading
import Rooms
import Signal
import Soundstage

/// Measured values of a room as it would be played to a head that faces the front, per octave.
package struct RoomFigures: Codable, Sendable {
    /// Values of one octave.
    package struct Octave: Codable, Sendable {
        /// Centre frequency, Hz.
        package let hertz: Double
        /// Reverberation time T30 in seconds, the mean over loudspeakers and ears; nil if no response decays by 35 dB.
        package let reverberationTime: Double?
        /// Clarity C80, dB: ratio of the energies before and after 80 ms, the mean over the responses that have both;
        /// nil without late energy.
        package let clarity: Double?
        /// Interaural coherence of the first 80 ms of the responses, 0…1.
        package let earlyCoherence: Double
        /// Interaural coherence after these 80 ms, 0…1; nil without late sound.
        package let lateCoherence: Double?
        /// Decay curve (Schroeder's integral): remaining energy relative to the total, dB, every 5 ms from the first
        /// sample of the response, down to −80 dB. The energies are averaged over loudspeakers and ears.
        package let decay: [Double]
    }

    /// Time between two values of a decay curve, seconds.
    package static let decayStep = 0.005

    /// Normalised echo density after the direct sound: 0 for single reflections, 1 for a mixed field; means over
    /// loudspeakers and ears.
    package let echoDensities: [EchoDensity]

    /// Echo density at one time.
    package struct EchoDensity: Codable, Sendable {
        /// Time after the direct sound, milliseconds.
        package let milliseconds: Int
        /// Normalised echo density, 0 to slightly above 1.
        package let value: Double
    }

    /// Values of the octaves from 125 Hz to 8 kHz.
    package let octaves: [Octave]

    /// Measures a room with its direct sound. Takes about 0.2 s for each loudspeaker and each second of the response.
    package init(_ room: RoomResponses, directions: [Direction<Stage>], field: FilterField) {
        let rate = room.sampleRate.hertz
        let used = Set(room.assignment.compactMap { $0 }).sorted()
        let responses = used.map { source in
            var ears = (0..<2).map { room.response(source: source, yaw: 0, ear: $0) }
            // `directions` and the assigned loudspeakers have the same order, that of the layout.
            let assigned = room.assignment.compactMap { $0 }
            if !room.includesDirect, let place = assigned.firstIndex(of: source), place < directions.count {
                let direct = field.responses(Rotation<Stage, Head>(yaw: 0)(directions[place]))
                for (ear, dry) in [direct.left, direct.right].enumerated() {
                    for i in dry.indices where i < ears[ear].count { ears[ear][i] += room.directGain * dry[i] }
                }
            }
            return ears
        }
        let onset = field.onsetFrames / rate
        echoDensities = [20, 40, 60, 80].map { time in
            let values = responses.flatMap { ears in
                ears.map { RoomMeasures.echoDensity($0, at: onset + Double(time) / 1000, sampleRate: rate) }
            }
            return EchoDensity(milliseconds: time, value: values.reduce(0, +) / Double(max(1, values.count)))
        }
        let split = min(room.tapCount - 1, Int(0.08 * rate))
        let hasTail = responses.map { ears in
            ears.contains { row in
                let whole = Self.energy(row.map(Double.init))
                let late = Self.energy(row.dropFirst(Int((onset + 0.08) * rate)).map(Double.init))
                // With less energy, the late part of an octave would contain only the ringing of the octave filter.
                return late > 1e-9 * whole
            }
        }
        octaves = OctaveBands.centres.indices.map { band in
            var times: [Double] = []
            var (clarities, lates): ([Double], [Double]) = ([], [])
            var early = 0.0
            var decay: [Double] = []
            for (ears, hasTail) in zip(responses, hasTail) {
                let rows = ears.map { RoomMeasures.octave(band, of: $0, sampleRate: rate) }
                for row in rows {
                    let curve = RoomMeasures.energyDecay(row)
                    if let time = RoomMeasures.reverberationTime(curve, sampleRate: rate) { times.append(time) }
                    Self.add(curve, to: &decay, sampleRate: rate)
                    if hasTail, let clarity = RoomMeasures.clarity(row, within: 0.08, sampleRate: rate) {
                        clarities.append(clarity)
                    }
                }
                early += RoomMeasures.interauralCoherence(
                    left: Array(rows[0][..<split]), right: Array(rows[1][..<split]), sampleRate: rate)
                let tails = rows.map { Array($0[split...]) }
                // After the end of a response there is only numerical noise of the transforms.
                if hasTail, zip(rows, tails).allSatisfy({ Self.energy($1) > 1e-12 * Self.energy($0) }) {
                    lates.append(
                        RoomMeasures.interauralCoherence(left: tails[0], right: tails[1], sampleRate: rate))
                }
            }
            let count = Double(max(1, responses.count))
            func mean(_ values: [Double]) -> Double? {
                values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
            }
            return Octave(
                hertz: OctaveBands.centres[band],
                reverberationTime: mean(times), clarity: mean(clarities), earlyCoherence: early / count,
                lateCoherence: mean(lates), decay: Self.decibels(decay))
        }
    }

    /// Adds the energies of a decay curve (in dB), sampled every `decayStep`.
    private static func add(_ curve: [Double], to sum: inout [Double], sampleRate: Double) {
        let step = max(1, Int((decayStep * sampleRate).rounded()))
        for (index, place) in stride(from: 0, to: curve.count, by: step).enumerated() {
            if index == sum.count { sum.append(0) }
            sum[index] += pow(10, curve[place] / 10)
        }
    }

    /// Returns energies in dB relative to the first one, down to −80 dB.
    private static func decibels(_ energies: [Double]) -> [Double] {
        guard let first = energies.first, first > 0 else { return [] }
        return Array(energies.map { 10 * log10(max(1e-30, $0 / first)) }.prefix { $0 > -80 })
    }

    private static func energy(_ row: [Double]) -> Double { row.reduce(0) { $0 + $1 * $1 } }
}

extension RoomLoading {
    /// Prepares the room that `run` would play with these settings. Returns the room, the directions of the tracked
    /// loudspeakers, and the HRTF field.
    package static func load(
        _ stage: StageSettings, sampleRate: Double?
    ) throws(SessionError) -> (room: Loaded?, directions: [Direction<Stage>], field: FilterField) {
        let layout = try stage.layout(named: stage.layout ?? "stereo")
        guard layout.ambisonics == nil else {
            throw SessionError(
                .usage, "a room is measured by loudspeakers in it; \(layout.name) has none: give another --layout")
        }
        guard let rate = sampleRate.map({ SampleRate(hertz: $0) }) ?? SampleRate.studio else {
            throw SessionError(.usage, "--rate \(sampleRate ?? 0) is not within 8000…768000 Hz")
        }
        let (field, _) = try StageAssembly.set(stage, sampleRate: rate)
        let places: [RoomPlace?] = layout.loudspeakers.map {
            $0.motion == .tracked ? RoomPlace(direction: $0.direction, distance: $0.distance) : nil
        }
        let room = try load(stage.room, places, main: places, layout: layout, field: field, by: stage.reader)
        let directions = layout.loudspeakers.filter { $0.motion == .tracked }.map(\.direction)
        return (room, directions, field)
    }
}
