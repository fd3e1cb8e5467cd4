import Glibc

/// Markers in WAVE files. The `cue ` chunk contains the positions; labels in the `adtl` list contain the names.
///
/// Source: Microsoft & IBM, "Multimedia Programming Interface and Data Specifications 1.0", 1991, cue-points and
/// associated data list chunks. Both chunks are read and written here, because libsndfile 1.2.0 loses them in RF64.
enum CueChunk {
    /// Most markers that are read from a file.
    private static let most = 100_000

    /// Returns the markers of a WAVE file in file order; empty without markers.
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

    /// Appends the markers to a finished little-endian WAVE file, and updates the sizes in its header. Returns false on
    /// failure. A plain RIFF file that would exceed 4 GB stays without markers, which is no failure. Markers after 2³²
    /// − 1 frames, the largest value of a cue point, are set to that value.
    static func append(_ markers: [SoundFileMarker], descriptor: Int32) -> Bool {
        var points = WaveTail.little(UInt32(markers.count))
        var list = Array("adtl".utf8)
        for (index, marker) in markers.enumerated() {
            let number = WaveTail.little(UInt32(index + 1))
            let frame = WaveTail.little(UInt32(clamping: marker.frame))
            let nowhere = WaveTail.little(UInt32(0))
            points += number + frame + Array("data".utf8) + nowhere + nowhere + frame
            if !marker.name.isEmpty { list += WaveTail.chunk("labl", number + Array(marker.name.utf8) + [0]) }
        }
        var bytes = WaveTail.chunk("cue ", points)
        if list.count > 4 { bytes += WaveTail.chunk("LIST", list) }
        return WaveTail.append(bytes, descriptor: descriptor)
    }
}

/// A named position in the sound.
package struct SoundFileMarker: Equatable, Sendable {
    /// Frames from the file's start.
    package var frame: Int
    /// Name, which may be empty.
    package var name: String

    /// Makes a marker; see the properties.
    package init(frame: Int, name: String = "") {
        self.frame = frame
        self.name = name
    }
}
