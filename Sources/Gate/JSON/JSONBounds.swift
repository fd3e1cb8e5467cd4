/// Size limits of a JSON text from outside. They are checked in one pass over the bytes before the text is decoded,
/// because a decoder needs some microseconds and a hundred bytes per value, even for values that are discarded later.
package struct JSONBounds: Hashable, Sendable {
    /// Greatest length of the text, bytes.
    package var bytes: Int
    /// Greatest number of values in total, including nested ones.
    package var values: Int
    /// Greatest number of entries of one list or object.
    package var entries: Int
    /// Greatest length of one text or key as written, bytes.
    package var text: Int
    /// Greatest nesting of lists and objects.
    package var depth: Int

    /// Creates limits; see the properties.
    package init(bytes: Int, values: Int, entries: Int, text: Int = 1 << 16, depth: Int = 16) {
        (self.bytes, self.values, self.entries) = (bytes, values, entries)
        (self.text, self.depth) = (text, depth)
    }

    /// Limits for files edited by hand: layouts, arrays, metadata of sound files, maps of control surfaces. A layout of
    /// 64 loudspeakers has 600 values; a map of all controls and notes of sixteen channels has 12 000.
    package static let written = JSONBounds(bytes: 1 << 20, values: 1 << 15, entries: 1 << 13)
    /// Limits for files of a session: state, plugin chains, last settings. Sixteen inputs and thirty plugins of a
    /// hundred controls have about 4000 values; 64 ports with all their connections have another 8000.
    package static let session = JSONBounds(bytes: 1 << 22, values: 1 << 16, entries: 1 << 14)
    /// Limits for a message from a socket or the network, and for a line of a log.
    package static let message = JSONBounds(bytes: 1 << 20, values: 1 << 14, entries: 1 << 12)
    /// Limits for a line between this program and its child processes. A bundle of some hundred plugins has 200 000
    /// values; a room measured at 4000 head positions with 24 loudspeakers has about 300 000.
    package static let child = JSONBounds(bytes: 1 << 25, values: 1 << 20, entries: 1 << 19, text: 1 << 20, depth: 32)

    /// Returns the first limit that a text exceeds, in words; nil if it exceeds none. The function does not check
    /// whether the text is valid JSON. O(bytes), one pass, some nanoseconds per byte. It allocates memory only for
    /// `depth` numbers, and for a copy of bytes that are not contiguous.
    package func excess(in text: some Collection<UInt8>) -> String? {
        text.withContiguousStorageIfAvailable { excess(among: $0) }
            ?? Array(text).withUnsafeBufferPointer {
                excess(among: $0)
            }
    }

    /// Same as `excess(in:)`, for contiguous bytes.
    package func excess(among bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard bytes.count <= self.bytes else { return "it has \(bytes.count) bytes, more than \(self.bytes)" }
        var (counts, values, place) = ([Int](), 1, 0)
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                let start = place
                // The read is in bounds, because every place is below the count.
                while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
                    place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
                }
                if place - start > text { return "a text at byte \(start) is longer than \(text) bytes" }
                place += 1
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                guard counts.count < depth else { return "it is nested more than \(depth) deep at byte \(place)" }
                counts.append(1)
                values += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = counts.popLast()
            case UInt8(ascii: ","):
                values += 1
                guard let last = counts.indices.last else { continue }
                counts[last] += 1
                guard counts[last] <= entries else {
                    return "a list or object has more than \(entries) entries at byte \(place)"
                }
            default: continue
            }
            guard values <= self.values else { return "it has more than \(self.values) values at byte \(place)" }
        }
        return nil
    }
}
