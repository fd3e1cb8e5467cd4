/// How much a JSON text from outside may hold, looked at in one pass over its bytes before anything is decoded: a
/// decoder takes some microseconds and a hundred bytes for each value, whatever the reader makes of it in the end.
package struct JSONBounds: Hashable, Sendable {
    /// Bytes of the text.
    package var bytes: Int
    /// Values in all, those within others included.
    package var values: Int
    /// Entries of one list or object.
    package var entries: Int
    /// Bytes of one text or key, as written.
    package var text: Int
    /// Lists and objects within one another.
    package var depth: Int

    /// Bounds; see the properties.
    package init(bytes: Int, values: Int, entries: Int, text: Int = 1 << 16, depth: Int = 16) {
        (self.bytes, self.values, self.entries) = (bytes, values, entries)
        (self.text, self.depth) = (text, depth)
    }

    /// What people write and change by hand: layouts, arrays, what stands beside a sound file, maps of surfaces. A
    /// layout of 64 loudspeakers has 600 values, a map of all controls and notes of sixteen channels 12 000.
    package static let written = JSONBounds(bytes: 1 << 20, values: 1 << 15, entries: 1 << 13)
    /// What the program keeps of a session: state, chains, what was set last. Sixteen inputs and thirty plugins of a
    /// hundred controls have some 4000 values, 64 ports with all their connections another 8000.
    package static let session = JSONBounds(bytes: 1 << 22, values: 1 << 16, entries: 1 << 14)
    /// A message through a door, and a line of a log.
    package static let message = JSONBounds(bytes: 1 << 20, values: 1 << 14, entries: 1 << 12)
    /// A line between this program and its children: a bundle of a few hundred plugins has 200 000 values, a room
    /// measured at 4000 head positions with 24 loudspeakers some 300 000.
    package static let child = JSONBounds(bytes: 1 << 25, values: 1 << 20, entries: 1 << 19, text: 1 << 20, depth: 32)

    /// The first of the bounds that a text goes beyond, in words; nil where it keeps within all. Of what is no JSON
    /// nothing is said: that is the decoder's. O(bytes), one pass, a few nanoseconds each; takes no memory but `depth`
    /// numbers.
    package func excess(in text: some Collection<UInt8>) -> String? {
        text.withContiguousStorageIfAvailable { excess(among: $0) }
            ?? Array(text).withUnsafeBufferPointer {
                excess(among: $0)
            }
    }

    /// The same of bytes side by side.
    package func excess(among bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard bytes.count <= self.bytes else { return "it has \(bytes.count) bytes, more than \(self.bytes)" }
        var (counts, values, place) = ([Int](), 1, 0)
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                let start = place
                // Sound: every place is below the count.
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
