import CSndFile
import Gate

/// Metadata of a sound file: texts, a broadcast extension, and markers. They are copied from the input to the output.
package struct SoundFileMetadata: Equatable, Sendable {
    /// A text field of sound files.
    package enum Text: Int, CaseIterable, Sendable {
        case title, copyright, artist, comment, date, album, license, track, genre

        var code: Int32 {
            switch self {
            case .title: Int32(SF_STR_TITLE)
            case .copyright: Int32(SF_STR_COPYRIGHT)
            case .artist: Int32(SF_STR_ARTIST)
            case .comment: Int32(SF_STR_COMMENT)
            case .date: Int32(SF_STR_DATE)
            case .album: Int32(SF_STR_ALBUM)
            case .license: Int32(SF_STR_LICENSE)
            case .track: Int32(SF_STR_TRACKNUMBER)
            case .genre: Int32(SF_STR_GENRE)
            }
        }
    }

    /// Texts by kind. Texts that a file lacks are absent.
    package var texts: [Text: String] = [:]
    /// Broadcast extension chunk (EBU Tech 3285), as libsndfile stores it in memory; nil if the file has none.
    package var broadcast: [UInt8]?
    /// Markers in file order.
    package var markers: [SoundFileMarker] = []
    /// Names of other chunks, in file order, each once. No output contains these chunks.
    package var otherChunks: [String] = []

    /// Makes empty metadata.
    package init() {}

    /// Whether there is no metadata to keep.
    package var isEmpty: Bool { texts.isEmpty && broadcast == nil && markers.isEmpty }

    /// Metadata for sound that is derived from the file. The loudness values of the broadcast extension hold only for
    /// the input; they are marked as not given (0x7FFF, EBU Tech 3285, 2.3). A material identifier is replaced by a new
    /// one.
    package var forOtherSound: SoundFileMetadata {
        var copy = self
        guard var bytes = broadcast, let first = MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.loudness_value),
            let identifier = MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.umid), bytes.count >= first + 10
        else { return copy }
        for value in 0..<5 { (bytes[first + 2 * value], bytes[first + 2 * value + 1]) = (0xFF, 0x7F) }
        let place = identifier..<identifier + UniqueMaterial.field
        if bytes[place].contains(where: { $0 != 0 }) { bytes.replaceSubrange(place, with: UniqueMaterial.new()) }
        copy.broadcast = bytes
        return copy
    }

    /// Returns the metadata of a section of the sound. Markers outside the section are removed; the others count from
    /// its first frame. The broadcast extension's time reference (EBU Tech 3285, 2.3: samples since midnight) is moved
    /// to the section's first frame.
    package func ofSection(_ range: Range<Int>) -> SoundFileMetadata {
        var copy = self
        copy.markers = markers.filter { range.contains($0.frame) }.map {
            SoundFileMarker(frame: $0.frame - range.lowerBound, name: $0.name)
        }
        copy.moveReference { $0.addingSaturated(UInt64(max(0, range.lowerBound))) }
        return copy
    }

    /// Returns the metadata at another sample rate. `place` returns the new frame for a frame.
    func converted(_ place: (Int) -> Int) -> SoundFileMetadata {
        var copy = self
        copy.markers = markers.map { SoundFileMarker(frame: place($0.frame), name: $0.name) }
        copy.moveReference { UInt64(place(Int(clamping: min($0, 1 << 48)))) }
        return copy
    }

    /// Changes the time reference of the broadcast extension, if there is one.
    private mutating func moveReference(_ change: (UInt64) -> UInt64) {
        guard var bytes = broadcast, let low = MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.time_reference_low),
            bytes.count >= low + 8
        else { return }
        bytes.withUnsafeMutableBytes { raw in
            let before = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: low, as: UInt64.self))
            raw.storeBytes(of: change(before).littleEndian, toByteOffset: low, as: UInt64.self)
        }
        broadcast = bytes
    }

    /// Largest broadcast extension that is kept, bytes. It has room for thousands of lines of coding history.
    private static let largestBroadcast = 1 << 18

    /// Reads the metadata from libsndfile and the file's chunks. Cannot fail, because the sound is usable without
    /// metadata.
    init(of file: OpaquePointer, chunks: FileChunks?, descriptor: Int32) {
        for text in Text.allCases {
            if let value = sf_get_string(file, text.code), value.pointee != 0 { texts[text] = String(cString: value) }
        }
        var bytes = [UInt8](repeating: 0, count: Self.largestBroadcast)
        if sf_command(file, Int32(SFC_GET_BROADCAST_INFO), &bytes, Int32(bytes.count)) == SF_TRUE,
            let history = MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.coding_history),
            let sizeAt = MemoryLayout<SF_BROADCAST_INFO>.offset(of: \.coding_history_size)
        {
            let size = bytes.withUnsafeBytes { Int($0.loadUnaligned(fromByteOffset: sizeAt, as: UInt32.self)) }
            broadcast = Array(bytes.prefix(history + min(size, bytes.count - history)))
        }
        markers = chunks.map { CueChunk.markers($0, descriptor: descriptor) } ?? []
        if markers.isEmpty { markers = Self.cues(file) }
        otherChunks = chunks?.strangers ?? []
    }

    /// Writes the metadata that the format supports into a new file, before the first sample. Markers in WAVE files are
    /// written elsewhere, because libsndfile loses them in RF64, and their names in WAV.
    func write(to file: OpaquePointer, format: SoundFileFormat) {
        for (text, value) in texts where format.holds(text) { sf_set_string(file, text.code, value) }
        if var bytes = broadcast, format.isWave {
            // libsndfile requires at least the size of its structure, so a shorter history is padded.
            bytes += [UInt8](repeating: 0, count: max(0, MemoryLayout<SF_BROADCAST_INFO>.size - bytes.count))
            sf_command(file, Int32(SFC_SET_BROADCAST_INFO), &bytes, Int32(bytes.count))
        }
        if format == .aiff, !markers.isEmpty { Self.setCues(markers, file) }
    }

    /// Returns the names of the metadata, apart from other chunks, that a format cannot store; empty if it stores all.
    package func losses(in format: SoundFileFormat) -> [String] {
        var lost = texts.keys.filter { !format.holds($0) }.sorted { $0.rawValue < $1.rawValue }.map { "\($0)" }
        if broadcast != nil, !format.isWave { lost.append("broadcast extension") }
        if !markers.isEmpty, !format.isWave, format != .aiff { lost.append("\(markers.count) markers") }
        return lost
    }

    /// Offset of libsndfile's first cue point, bytes.
    private static let cueHead = MemoryLayout<SF_CUES>.offset(of: \.cue_points) ?? 4

    private static func cues(_ file: OpaquePointer) -> [SoundFileMarker] {
        var count: UInt32 = 0
        guard sf_command(file, Int32(SFC_GET_CUE_COUNT), &count, 4) == SF_TRUE, (1...100_000).contains(count) else {
            return []
        }
        let stride = MemoryLayout<SF_CUE_POINT>.stride
        var bytes = [UInt8](repeating: 0, count: max(MemoryLayout<SF_CUES>.size, cueHead + Int(count) * stride))
        guard sf_command(file, Int32(SFC_GET_CUE), &bytes, Int32(bytes.count)) == SF_TRUE else { return [] }
        return bytes.withUnsafeBytes { raw in
            (0..<Int(count)).map { index in
                let point = raw.loadUnaligned(fromByteOffset: cueHead + index * stride, as: SF_CUE_POINT.self)
                let name = withUnsafeBytes(of: point.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
                return SoundFileMarker(frame: Int(point.sample_offset), name: name)
            }
        }
    }

    private static func setCues(_ markers: [SoundFileMarker], _ file: OpaquePointer) {
        let stride = MemoryLayout<SF_CUE_POINT>.stride
        var bytes = [UInt8](repeating: 0, count: max(MemoryLayout<SF_CUES>.size, cueHead + markers.count * stride))
        bytes.withUnsafeMutableBytes { raw in
            raw.storeBytes(of: UInt32(markers.count), as: UInt32.self)
            for (index, marker) in markers.enumerated() {
                var point = SF_CUE_POINT()
                point.indx = Int32(index + 1)
                point.sample_offset = UInt32(clamping: marker.frame)
                withUnsafeMutableBytes(of: &point.name) { $0.copyBytes(from: marker.name.utf8.prefix($0.count - 1)) }
                raw.storeBytes(of: point, toByteOffset: cueHead + index * stride, as: SF_CUE_POINT.self)
            }
        }
        sf_command(file, Int32(SFC_SET_CUE), &bytes, Int32(bytes.count))
    }
}

extension SoundFileFormat {
    /// Returns whether the format stores a text, as libsndfile 1.2.0 writes it.
    func holds(_ text: SoundFileMetadata.Text) -> Bool {
        switch self {
        case .wav, .rf64, .bw64, .amb: text != .license
        case .caf, .flac, .ogg, .opus: true
        case .mp3: text != .license
        case .aiff: [.title, .copyright, .artist, .comment].contains(text)
        case .w64, .raw: false
        }
    }
}
