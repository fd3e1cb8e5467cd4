import Foundation
import Glibc

/// Chunks of a sound file's container, as far as they can be parsed. Containers: RIFF, RIFX, RF64, BW64, AIFF, AIFF-C
/// and CAF.
///
/// libsndfile does not report how much of the declared sound is missing, nor all channel positions. The chunks declare
/// both. Parsing costs one small read per chunk, and stops at a size that reaches past the file's end.
struct FileChunks {
    /// A chunk: its name of four letters, and the offset and size of its content. The size is the one that the header
    /// declares. Sound of undeclared size extends to the file's end.
    struct Chunk: Equatable {
        var name: String
        var offset: Int
        var size: Int
    }

    /// Type of the container.
    let container: SoundContainer
    /// The chunks in file order. The last one may extend past the file's end.
    let chunks: [Chunk]
    /// Whether the header declares no length although the file has sound, as after a recording that was cut off. The
    /// sound chunk then extends to the file's end.
    let isUnended: Bool
    /// Whether libsndfile would read another length of the sound than that in `chunks`, or refuse the length.
    let hidesLength: Bool
    /// Size of the file, bytes.
    let fileSize: Int

    /// Parses the file of a descriptor. The descriptor's position does not change. Returns nil for any other container.
    init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, let head = FileChunks.bytes(descriptor, at: 0, count: 12) else {
            return nil
        }
        fileSize = Int(status.st_size)
        let form = String(decoding: head[8...], as: UTF8.self)
        switch String(decoding: head[..<4], as: UTF8.self) {
        case "RIFF" where form == "WAVE": container = .riff
        case "RIFX" where form == "WAVE": container = .rifx
        case "RF64" where form == "WAVE": container = .rf64
        case "BW64" where form == "WAVE": container = .bw64
        case "FORM" where form == "AIFF" || form == "AIFC": container = .aiff
        case "caff": container = .caf
        default: return nil
        }
        (chunks, isUnended, hidesLength) = FileChunks.walk(descriptor, container, fileSize, claimed: head[4..<8])
    }

    /// The first chunk with a name; nil if there is none.
    subscript(name: String) -> Chunk? { chunks.first { $0.name == name } }

    /// Names of the chunks that are neither sound, nor its format, sizes or peaks, nor metadata that
    /// `SoundFileMetadata` reads, nor padding. Each name is listed once, in file order.
    var strangers: [String] {
        let known: Set<String> =
            switch container {
            case .riff, .rifx, .rf64, .bw64:
                [
                    "fmt ", "data", "fact", "ds64", "LIST", "bext", "cue ", "PEAK", "JUNK", "junk", "FLLR", "PAD ",
                    "Fake",
                ]
            case .aiff: ["FVER", "COMM", "SSND", "MARK", "CHAN", "NAME", "AUTH", "ANNO", "(c) ", "PEAK", "FLLR"]
            case .caf: ["desc", "data", "chan", "free", "pakt", "kuki", "info", "peak"]
            }
        var found: [String] = []
        for chunk in chunks where !known.contains(chunk.name) {
            let name = chunk.name.trimmingCharacters(in: .whitespaces)
            // The parsing of a damaged file may yield invalid names.
            guard !name.isEmpty, name.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { continue }
            if !found.contains(name) { found.append(name) }
        }
        return found
    }

    /// Whether numbers are stored with the highest byte first.
    var isBigEndian: Bool { container == .rifx || container == .aiff || container == .caf }

    /// Returns an unsigned number of up to eight bytes in the container's byte order.
    func number(_ bytes: some Collection<UInt8>) -> UInt64 {
        let ordered = isBigEndian ? Array(bytes) : bytes.reversed()
        return ordered.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Returns the `count` lowest bytes of a number in the container's byte order.
    func bytes(of number: Int, count: Int) -> [UInt8] {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        return isBigEndian ? little.reversed() : little
    }

    /// Returns up to `limit` bytes of a chunk's content; nil if the file ends earlier.
    func content(_ chunk: Chunk, limit: Int, descriptor: Int32) -> [UInt8]? {
        FileChunks.bytes(descriptor, at: chunk.offset, count: min(limit, chunk.size))
    }

    /// Returns `count` bytes at an offset of the file; nil if the file ends earlier.
    static func bytes(_ descriptor: Int32, at offset: Int, count: Int) -> [UInt8]? {
        guard count >= 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return pread(descriptor, &bytes, count, off_t(offset)) == count ? bytes : nil
    }

    /// Parses the chunks. `claimed` has the four bytes after the container's name. In the RIFF family they declare the
    /// size of the rest of the file.
    private static func walk(
        _ descriptor: Int32, _ container: SoundContainer, _ fileSize: Int, claimed: ArraySlice<UInt8>
    ) -> (chunks: [Chunk], isUnended: Bool, hidesLength: Bool) {
        let isCAF = container == .caf
        let isBig = container == .rifx || container == .aiff || isCAF
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            (isBig ? Array(bytes) : bytes.reversed()).reduce(0) { $0 << 8 | UInt64($1) }
        }
        var found: [Chunk] = []
        var position = isCAF ? 8 : 12
        var sizes = SoundSize(container: container, whole: Int(truncatingIfNeeded: number(claimed)))
        var (isUnended, hidesLength) = (false, false)
        let headSize = isCAF ? 12 : 8
        // The limit is larger than the number of chunks in any regular file.
        while found.count < 1024, let head = bytes(descriptor, at: position, count: headSize) {
            var size = Int(truncatingIfNeeded: number(head[4...]))
            let name = String(decoding: head[..<4], as: UTF8.self)
            let offset = position + headSize
            if name == "ds64", let long = bytes(descriptor, at: offset, count: 16) {
                sizes.whole = Int(truncatingIfNeeded: number(long[0..<8]))
                sizes.sound = Int(truncatingIfNeeded: number(long[8..<16]))
            }
            if name == (container == .aiff ? "SSND" : "data"), !found.contains(where: { $0.name == name }) {
                let stated = size
                (size, isUnended) = sizes.size(stated: stated, at: offset, fileSize: fileSize)
                hidesLength = sizes.hidesLength(size, stated: stated)
            }
            guard size >= 0 else { break }
            found.append(Chunk(name: name, offset: offset, size: size))
            // A size may be as large as 2⁶³ − 1. It is not used in a sum before it is known to lie within the file.
            guard size < fileSize - offset else { break }
            position = offset + size + (isCAF ? 0 : size & 1)
        }
        return (found, isUnended, hidesLength)
    }
}
