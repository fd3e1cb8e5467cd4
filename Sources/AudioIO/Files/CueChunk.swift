import Glibc

/// Markers in WAVE files: the `cue ` chunk for their places, labels in the `adtl` list for their names.
///
/// Source: Microsoft & IBM, "Multimedia Programming Interface and Data Specifications 1.0", 1991, cue-points and
/// associated data list chunks. Read and written here, since libsndfile 1.2.0 loses both in RF64.
enum CueChunk {
    /// Markers a file may have; more are not believed.
    private static let most = 100_000

    /// The markers of a WAVE file in file order; empty without any.
    static func markers(_ file: FileChunks, descriptor: Int32) -> [SoundFileMarker] {
        guard let chunk = file["cue "], let bytes = file.content(chunk, limit: 4 + 24 * most, descriptor: descriptor),
            bytes.count >= 4
        else { return [] }
        let count = min(Int(file.number(bytes[0..<4])), (bytes.count - 4) / 24)
        let names = labels(file, descriptor)
        return (0..<count).map { index in
            let point = bytes[(4 + 24 * index)..<(28 + 24 * index)]
            func field(_ i: Int) -> UInt64 { file.number(point[(point.startIndex + i)..<(point.startIndex + i + 4)]) }
            return SoundFileMarker(frame: Int(field(20)), name: names[field(0)] ?? "")
        }
    }

    private static func labels(_ file: FileChunks, _ descriptor: Int32) -> [UInt64: String] {
        var names: [UInt64: String] = [:]
        for list in file.chunks where list.name == "LIST" {
            guard let bytes = file.content(list, limit: 1 << 22, descriptor: descriptor), bytes.count > 4,
                bytes[0..<4].elementsEqual("adtl".utf8)
            else { continue }
            var place = 4
            while place + 12 <= bytes.count {
                let size = Int(file.number(bytes[(place + 4)..<(place + 8)]))
                let end = place + 8 + size
                guard size >= 4, end <= bytes.count else { break }
                if bytes[place..<(place + 4)].elementsEqual("labl".utf8) {
                    let text = bytes[(place + 12)..<end].prefix { $0 != 0 }
                    names[file.number(bytes[(place + 8)..<(place + 12)])] = String(decoding: text, as: UTF8.self)
                }
                place = end + (size & 1)
            }
        }
        return names
    }

    /// Appends the markers to a finished little-endian WAVE file and makes its header count them; false where that
    /// fails. Markers beyond 2³² frames, which a cue point cannot say, stand at its last.
    static func append(_ markers: [SoundFileMarker], descriptor: Int32) -> Bool {
        guard let file = FileChunks(descriptor: descriptor), !file.isBigEndian, let data = file["data"] else {
            return false
        }
        func little(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.littleEndian) { Array($0) } }
        func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            Array(name.utf8) + little(UInt32(content.count)) + content + (content.count & 1 == 1 ? [0] : [])
        }
        var points = little(UInt32(markers.count))
        var list = Array("adtl".utf8)
        for (index, marker) in markers.enumerated() {
            let number = little(UInt32(index + 1))
            let frame = little(UInt32(clamping: marker.frame))
            points += number + frame + Array("data".utf8) + little(0) + little(0) + frame
            if !marker.name.isEmpty { list += chunk("labl", number + Array(marker.name.utf8) + [0]) }
        }
        var bytes = chunk("cue ", points)
        if list.count > 4 { bytes += chunk("LIST", list) }
        if file.fileSize & 1 == 1 { bytes.insert(0, at: 0) }
        guard pwrite(descriptor, bytes, bytes.count, off_t(file.fileSize)) == bytes.count else { return false }
        let size = file.fileSize + bytes.count - 8
        if file.container.isLong, let sizes = file["ds64"] {
            var long = UInt64(size).littleEndian
            return pwrite(descriptor, &long, 8, off_t(sizes.offset)) == 8
        }
        // A plain RIFF that the markers would push over 4 GB keeps its sound and loses them.
        guard size < 0xFFFF_FFF0, data.size < 0xFFFF_FFF0 else {
            return ftruncate(descriptor, off_t(file.fileSize)) == 0
        }
        var short = UInt32(size).littleEndian
        return pwrite(descriptor, &short, 4, 4) == 4
    }
}

/// A named place in the sound.
package struct SoundFileMarker: Equatable, Sendable {
    /// Frames from the file's beginning.
    package var frame: Int
    /// May be empty.
    package var name: String

    /// A marker at a frame.
    package init(frame: Int, name: String = "") {
        self.frame = frame
        self.name = name
    }
}
