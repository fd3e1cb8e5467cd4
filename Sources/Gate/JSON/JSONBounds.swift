/// Size limits of a JSON text from outside, checked in one pass over its bytes before it is decoded. A decoder needs
/// some microseconds and a hundred bytes per value, even for values that are discarded later.
package struct JSONBounds: Hashable, Sendable {
    /// Most bytes of the text.
    package var bytes: Int
    /// Most values in total, nested ones included.
    package var values: Int
    /// Most entries of one list or object.
    package var entries: Int
    /// Most bytes of one text or key, as written.
    package var text: Int
    /// Deepest nesting of lists and objects.
    package var depth: Int

    /// Makes bounds; see the properties.
    package init(bytes: Int, values: Int, entries: Int, text: Int = 1 << 16, depth: Int = 16) {
        (self.bytes, self.values, self.entries) = (bytes, values, entries)
        (self.text, self.depth) = (text, depth)
    }

    /// Files edited by hand: layouts, arrays, metadata beside a sound file, maps of control surfaces. A layout of 64
    /// loudspeakers has 600 values, a map of all controls and notes of sixteen channels 12 000.
    package static let written = JSONBounds(bytes: 1 << 20, values: 1 << 15, entries: 1 << 13)
    /// Files of a session: state, plugin chains, last settings. Sixteen inputs and thirty plugins of a hundred controls
    /// have some 4000 values, 64 ports with all their connections another 8000.
    package static let session = JSONBounds(bytes: 1 << 22, values: 1 << 16, entries: 1 << 14)
    /// A message from a socket or the network, and a line of a log.
    package static let message = JSONBounds(bytes: 1 << 20, values: 1 << 14, entries: 1 << 12)
    /// A line between this program and its child processes: a bundle of a few hundred plugins has 200 000 values, a
    /// room measured at 4000 head positions with 24 loudspeakers some 300 000.
    package static let child = JSONBounds(bytes: 1 << 25, values: 1 << 20, entries: 1 << 19, text: 1 << 20, depth: 32)

    /// Returns the first bound that a text exceeds, in words; nil if it keeps within all. Does not check whether the
    /// text is valid JSON, which is the decoder's task. O(bytes), one pass, a few nanoseconds per byte; uses no memory
    /// but `depth` numbers.
    package func excess(in text: some Collection<UInt8>) -> String? {
        text.withContiguousStorageIfAvailable { excess(among: $0) }
            ?? Array(text).withUnsafeBufferPointer {
                excess(among: $0)
            }
    }

    /// Returns the same for contiguous bytes.
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
