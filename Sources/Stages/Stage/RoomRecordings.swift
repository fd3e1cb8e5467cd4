import AudioIO
import Foundation
import Geometry
import HRTF
import Rooms
import Signal

/// Measured rooms in sound files. Two channels contain the ears' responses to one loudspeaker. 2N channels contain the
/// responses to N loudspeakers in the layout's order, left and right alternating. Files in HeSuVi's order are
/// recognised by their name (`HeSuViOrder`).
package enum RoomRecordings {
    /// Greatest count of samples, over all channels, that are read from one file.
    private static let mostSamples = 1 << 28

    /// Opens one file: a room that does not follow the head.
    package static func file(_ path: String) throws(RoomError) -> RoomViews { try views([(0, path)], path: path) }

    /// Opens a folder of files of equal channel count and rate, one per head yaw. The last number in a file name is the
    /// yaw in degrees, positive to the left (`brir_-30.wav`, `yaw045.wav`).
    package static func folder(_ path: String) throws(RoomError) -> RoomViews {
        let all = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
        // Recordings of a measurement have names of this form too, but contain sweeps and not responses.
        guard !all.contains("sweeps.json") else {
            throw .implausible(
                path: path,
                reason: "holds the takes of a measurement, not responses; name the room made of them, "
                    + "\(path)/\(MeasuredPerson.File.room.name)")
        }
        let names = all.filter(SoundFileFormat.isNamed)
        guard !names.isEmpty else {
            throw .implausible(path: path, reason: "the folder holds no sound files; name one, or a SOFA file")
        }
        var files: [(yaw: Double, path: String)] = []
        for name in names {
            guard let yaw = yaw(in: (name as NSString).deletingPathExtension) else {
                throw .implausible(
                    path: path + "/" + name,
                    reason: "its name ends in no head yaw; expected are degrees, positive left, as in yaw030.wav")
            }
            let isSame = { (other: Double) in abs(remainder(yaw - other, 360)) < 0.05 }
            if let other = files.first(where: { isSame($0.yaw * 180 / .pi) }) {
                throw .implausible(
                    path: path + "/" + name,
                    reason: "ends in the yaw \(yaw)°, as \((other.path as NSString).lastPathComponent) does; each file "
                        + "needs its own yaw")
            }
            files.append((yaw * .pi / 180, path + "/" + name))
        }
        return try views(files, path: path)
    }

    /// Returns the last number in a name, with its minus sign; nil if there is none from −360 to 360.
    package static func yaw(in name: String) -> Double? {
        guard let last = name.lastIndex(where: \.isNumber) else { return nil }
        var first = last
        while first > name.startIndex,
            name[name.index(before: first)].isNumber || name[name.index(before: first)] == "."
        {
            first = name.index(before: first)
        }
        // A point before the number separates it from the name.
        while name[first] == "." { first = name.index(after: first) }
        if first > name.startIndex, name[name.index(before: first)] == "-" { first = name.index(before: first) }
        return Double(name[first...last]).flatMap { abs($0) <= 360 ? $0 : nil }
    }

    private static func views(_ files: [(yaw: Double, path: String)], path: String) throws(RoomError) -> RoomViews {
        var frames = 0
        var shape: (channels: Int, rate: Double)?
        var lengths: [String] = []
        var orders: [HeSuViOrder?] = []
        for file in files {
            let reader = try open(file.path)
            let found = (reader.channelCount, reader.sampleRate.hertz)
            let order = HeSuViOrder(name: (file.path as NSString).lastPathComponent, channels: found.0)
            orders.append(order)
            guard found.0 % 2 == 0 || order != nil else {
                throw .implausible(
                    path: file.path,
                    reason: "has \(found.0) channels; expected 2 (left, right) for each loudspeaker, or 7 or 14 in "
                        + "HeSuVi's order and 'hesuvi' in its name")
            }
            guard reader.channelCount * reader.frameCount <= mostSamples else {
                throw .tooLarge(
                    path: file.path, bytes: 4 * reader.channelCount * reader.frameCount, most: 4 * mostSamples)
            }
            if let shape, shape != found {
                throw .implausible(
                    path: file.path,
                    reason: "has \(found.0) channels at \(Int(found.1)) Hz, others \(shape.channels) at "
                        + "\(Int(shape.rate)) Hz; all must agree")
            }
            shape = found
            if let remark = reader.lengthRemark { lengths.append(remark) }
            frames = max(frames, reader.frameCount)
        }
        guard let shape, frames >= 2 else {
            throw .implausible(path: path, reason: "holds no responses")
        }
        let order = orders.allSatisfy { $0 != nil } ? orders[0] : nil
        guard order != nil || orders.allSatisfy({ $0 == nil }) else {
            throw .implausible(
                path: path, reason: "some names hold 'hesuvi', others do not; files of one room have one order")
        }
        let ears = order?.pairs.map { ($0.left, $0.right) } ?? (0..<(shape.channels / 2)).map { (2 * $0, 2 * $0 + 1) }
        let directions = order?.directions
        let sources = ears.count
        let shelf = RecordingShelf(files.map(\.path), frames: frames)
        let front = Direction<Stage>(azimuthDegrees: 0, elevationDegrees: 0)
        // In HeSuVi's order a loudspeaker that was not measured has silent channels. They are left out, because the
        // direction of each pair is known. In other files the position of a pair determines its loudspeaker, so silent
        // pairs stay.
        var heard = Array(0..<sources)
        var silence: String?
        if let order {
            heard = try heardPairs(ears, files: files.count, on: shelf)
            guard !heard.isEmpty else {
                throw .implausible(path: path, reason: "is silent: all samples are 0; use another file")
            }
            let silent = order.pairs.indices.filter { !heard.contains($0) }.map { order.pairs[$0].channel.rawValue }
            if !silent.isEmpty {
                silence = "silent, all samples are 0, and left out: " + silent.joined(separator: " ")
            }
        }
        return RoomViews(
            path: path, title: (path as NSString).lastPathComponent, licence: "not stated in sound files",
            sampleRate: shape.rate, sampleCount: frames,
            sources: heard.map { source in
                // A single loudspeaker that was measured for head yaws all round can be placed in any direction.
                // Several loudspeakers are assigned by their order.
                RoomViews.Source(
                    direction: directions?[source] ?? (sources == 1 && files.count >= 18 ? front : nil),
                    views: files.indices.map { (files[$0].yaw, $0 * sources + source) })
            },
            remarks: lengths
                + [order?.remark, silence, RoomViews.shortness(samples: frames, rate: shape.rate)].compactMap { $0 }
        ) { key, frames throws(RoomError) in
            let (left, right) = try shelf.responses(file: key / sources, ears: ears[key % sources])
            return (Array(left.prefix(frames)), Array(right.prefix(frames)))
        }
    }

    /// Returns the indices of the pairs of channels that contain sound in at least one file, ascending.
    private static func heardPairs(
        _ ears: [(Int, Int)], files: Int, on shelf: RecordingShelf
    ) throws(RoomError) -> [Int] {
        var heard: Set<Int> = []
        for file in 0..<files where heard.count < ears.count {
            for (index, pair) in ears.enumerated() where !heard.contains(index) {
                let (left, right) = try shelf.responses(file: file, ears: pair)
                if left.contains(where: { $0 != 0 }) || right.contains(where: { $0 != 0 }) { heard.insert(index) }
            }
        }
        return heard.sorted()
    }

    fileprivate static func open(_ path: String) throws(RoomError) -> SoundFileReader {
        do throws(SoundFileError) { return try SoundFileReader(path: path) } catch {
            throw .implausible(path: path, reason: error.description)
        }
    }
}

/// Reads one file at a time and caches it until another is needed.
private final class RecordingShelf {
    private let paths: [String]
    private let frames: Int
    private var held: (file: Int, rows: [[Float]])?

    init(_ paths: [String], frames: Int) {
        self.paths = paths
        self.frames = frames
    }

    /// Returns both ears' responses to a loudspeaker by their channels, `frames` samples each, padded with silence.
    func responses(file: Int, ears: (Int, Int)) throws(RoomError) -> (left: [Float], right: [Float]) {
        if held?.file != file { held = (file, try read(paths[file])) }
        let rows = held?.rows ?? []
        return (rows[ears.0], rows[ears.1])
    }

    private func read(_ path: String) throws(RoomError) -> [[Float]] {
        let reader = try RoomRecordings.open(path)
        let block = PlanarBlock(channels: reader.channelCount, frames: frames)
        do throws(SoundFileError) {
            _ = try reader.read(into: block, frames: min(frames, reader.frameCount))
        } catch {
            throw .implausible(path: path, reason: error.description)
        }
        var rows: [[Float]] = []
        for channel in 0..<reader.channelCount {
            let row = Array(UnsafeBufferPointer(start: block[channel], count: frames))
            guard row.allSatisfy({ abs($0) < 1e30 }) else {
                throw .implausible(path: path, reason: "holds NaN or infinite samples; use another file")
            }
            rows.append(row)
        }
        return rows
    }
}
