import Geometry
import Glibc
import HRTF
import Signal

extension RoomResponses {
    /// Number of head yaws of a prepared room, which are 2° apart. Interpolation between them is accurate within 0.2 dB
    /// up to 8 kHz.
    static let preparedYaws = 180

    /// Generates a room: reflections for every head yaw by image sources, then a diffuse tail. The result is
    /// deterministic. For twelve loudspeakers on two cores it takes about one second in a studio and two seconds in a
    /// hall. Not for the audio thread.
    ///
    /// - Parameters:
    ///   - loudspeakers: direction of each source of the stage; nil if the source stays dry.
    ///   - own: distance of each source from the head, metres; nil for the room's distance. If empty, all have the
    ///     room's distance.
    ///   - field: HRTF set at the session's rate. It also plays the direct sound, which the responses leave out.
    /// - Throws: `noSources`; `tooLarge` if the room and its preparation would take more than `mostBytes`.
    package static func generate(
        _ room: Shoebox, for loudspeakers: [Direction<Stage>?], at own: [Double?] = [], heardThrough field: FilterField,
        options: RoomOptions = RoomOptions()
    ) throws(RoomError) -> (RoomResponses, RoomReport) {
        let directions = loudspeakers.compactMap { $0 }
        // The room for each loudspeaker; these rooms differ only in the loudspeakers' distance.
        let rooms = loudspeakers.indices.filter { loudspeakers[$0] != nil }.map { index in
            own.isEmpty ? room : room.standing(at: own[index])
        }
        guard !directions.isEmpty else { throw .noSources }
        let rate = field.sampleRate.hertz
        let earlyTaps = options.earlyTaps(field.sampleRate)
        let length = max(earlyTaps + 16, Int(1.05 * (room.reverberationTimes.max() ?? 0) * rate))
        let joinTaps = earlyTaps / 4
        let tailCount = options.isTailShared ? 1 : directions.count
        let taps = directions.count * preparedYaws * earlyTaps + tailCount * (length - earlyTaps)
        let bytes = 2 * MemoryLayout<Float>.size * taps + ReflectionTable.byteCount(field, azimuths: preparedYaws)
        guard bytes <= mostBytes else {
            throw .tooLarge(path: room.name, bytes: bytes, most: mostBytes)
        }
        let distances = zip(rooms, directions).map { $0.distance(towards: $1) }
        let images = directions.enumerated().map { index, direction in
            ImageSources.images(
                of: direction, in: rooms[index], within: Double(earlyTaps) / rate, maximumOrder: 24,
                seed: UInt64(index + 1))
        }
        let scattered = directions.enumerated().map { index, direction in
            ScatteredSound.arrivals(
                of: direction, in: rooms[index], within: Double(earlyTaps) / rate, seed: 500 + UInt64(index))
        }
        let walls = WallReflection(room)
        let early = PlanarBlock(channels: directions.count * preparedYaws * 2, frames: earlyTaps)
        EarlyReflections(field, room: room, walls: walls, yawCount: preparedYaws).add(
            zip(images, scattered).map { $0 + $1 }, to: early)

        let tail = PlanarBlock(channels: 2 * tailCount, frames: length - earlyTaps)
        let diffuse = DiffuseTail(HeadDiffuseField(field), room: room, walls: walls, sampleRate: rate)
        nonisolated(unsafe) let tails = UnsafePointer(tail.pointers)
        nonisolated(unsafe) let rows = UnsafePointer(early.pointers)
        inParallel(tailCount, chunk: 1) { range in
            for index in range {
                // The noise begins at the first sample of the crossfade from the images.
                let first = earlyTaps - joinTaps
                // The level of the noise depends on the time since emission, which includes the travel time of the
                // direct sound. A loudspeaker at the room's distance has the travel time of this distance, even if a
                // wall reduces it; another has that of its reduced distance. A shared tail has the time of the first
                // loudspeaker.
                let own = rooms[index].distance == room.distance ? room.distance : distances[index]
                let start = (Double(first) - field.onsetFrames) / rate + own / Radiation.speedOfSound
                let noise = diffuse.noise(
                    from: start, count: length - first, late: joinTaps, seed: 1000 + UInt64(index))
                let owners = options.isTailShared ? 0..<directions.count : index..<(index + 1)
                for source in owners {
                    let scale = Float(distances[source] / room.distance)
                    for yaw in 0..<preparedYaws {
                        for (ear, samples) in [noise.left, noise.right].enumerated() {
                            let row = rows[(source * preparedYaws + yaw) * 2 + ear] + first
                            for i in 0..<joinTaps {
                                let angle = Float(i) / Float(joinTaps) * (.pi / 2)
                                row[i] = row[i] * cosf(angle) + scale * samples[i] * sinf(angle)
                            }
                        }
                    }
                }
                let scale = Float(options.isTailShared ? 1 : distances[index] / room.distance)
                let end = max(1, (length - earlyTaps) / 20)
                for (ear, samples) in [noise.left, noise.right].enumerated() {
                    for i in 0..<(length - earlyTaps) {
                        let left = Float(length - earlyTaps - i) / Float(end)
                        tails[2 * index + ear][i] = scale * samples[joinTaps + i] * min(1, left)
                    }
                }
            }
        }
        let trim = matchLoudness(
            early, tail, directions, field, level: options.level.amplitude, isTailShared: options.isTailShared)
        var assignment: [Int?] = []
        for loudspeaker in loudspeakers {
            assignment.append(loudspeaker == nil ? nil : assignment.count { $0 != nil })
        }
        let responses = RoomResponses(
            sampleRate: field.sampleRate, yawCount: preparedYaws, early: early, tail: tail,
            isTailShared: options.isTailShared, includesDirect: false, directGain: Float(trim), assignment: assignment)
        let times = room.reverberationTimes.map { "\($0)" }.joined(separator: " ")
        let report = RoomReport(
            name: "\(room.name): \(room.title)", path: "", licence: "", sources: directions.count,
            yaws: preparedYaws, early: Double(earlyTaps) / rate, length: Double(length) / rate,
            isTailShared: options.isTailShared, trim: Decibels(amplitude: trim), bytes: responses.byteCount,
            processing: [
                "generated: \(images.reduce(0) { $0 + $1.count }) image sources, "
                    + "\(scattered.reduce(0) { $0 + $1.count }) scattered arrivals, then diffuse noise",
                "for a reverberation time of \(times) s at 125 Hz … 8 kHz",
            ], remarks: [])
        return (responses, report)
    }

    /// Scales the responses and returns the gain for the direct sound, so that pink noise through the room is as loud
    /// as through the head alone, averaged over the sources, with the head to the front.
    private static func matchLoudness(
        _ early: borrowing PlanarBlock, _ tail: borrowing PlanarBlock, _ directions: [Direction<Stage>],
        _ field: FilterField, level: Double, isTailShared: Bool
    ) -> Double {
        let (earlyTaps, tailTaps) = (early.frameCapacity, tail.frameCapacity)
        let loudness = EarLoudness(taps: max(field.tapCount, earlyTaps + tailTaps), sampleRate: field.sampleRate.hertz)
        let gain = Float(level)
        nonisolated(unsafe) let rows = UnsafePointer(early.pointers)
        nonisolated(unsafe) let tails = UnsafePointer(tail.pointers)
        var energies = [SIMD2<Double>](repeating: .zero, count: directions.count)
        energies.withUnsafeMutableBufferPointer { energies in
            nonisolated(unsafe) let energies = energies
            inParallel(directions.count, chunk: 1) { range in
                for source in range {
                    let ahead = Rotation<Stage, Head>(yaw: 0)
                    let (left, right) = field.responses(ahead(directions[source]))
                    let wet = [left, right].enumerated().map { ear, dry in
                        var row = dry + [Float](repeating: 0, count: max(0, earlyTaps + tailTaps - dry.count))
                        let start = rows[source * preparedYaws * 2 + ear]
                        for i in 0..<earlyTaps { row[i] += gain * start[i] }
                        let end = tails[(isTailShared ? 0 : source) * 2 + ear]
                        for i in 0..<tailTaps { row[earlyTaps + i] += gain * end[i] }
                        return row
                    }
                    energies[source] = SIMD2(
                        loudness.energy(left: left, right: right), loudness.energy(left: wet[0], right: wet[1]))
                }
            }
        }
        let sum = energies.reduce(.zero, +)
        let trim = (sum.x / max(1e-30, sum.y)).squareRoot()
        let scale = Float(trim) * gain
        for row in 0..<early.channelCount { Samples.scale(early[row], by: scale, count: earlyTaps) }
        for row in 0..<tail.channelCount { Samples.scale(tail[row], by: scale, count: tailTaps) }
        return trim
    }
}
