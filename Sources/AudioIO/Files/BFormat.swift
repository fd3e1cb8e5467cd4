import Glibc

/// B-format in WAVE files, mostly `.amb`: Furse-Malham's channel order and scale (R. Dobson, "The AMB Ambisonic File
/// Format", 2000).
package enum BFormat {
    /// Bytes that follow the encoding (1 or 3) in the sub-format of WAVE_FORMAT_EXTENSIBLE:
    /// 0000000x-0721-11D3-8644-C8C1CA000000.
    private static let tail: [UInt8] = [0, 0, 0x21, 0x07, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0, 0, 0]

    /// Highest order of a field.
    package static let highestOrder = 3

    /// Returns whether a complete field has this number of channels: 4, 9 or 16.
    static func holds(_ channels: Int) -> Bool { [4, 9, 16].contains(channels) }

    /// Returns which channels of a complete field are in a file, if the file's field has no height or has mixed order.
    /// The result has one number for each channel of the complete field: the file's channel, counted from 1, or 0 if
    /// the file lacks this channel. The result is nil unless the file has 3, 5, 6, 7, 8 or 11 channels. The complete
    /// field is of order 1 or 3, because ffmpeg's filters can make 4 and 16 channels but not 9.
    package static func places(ofMixed channels: Int) -> [Int]? {
        // The channels of each count, in the order W X Y Z R S T U V K L M N O P Q.
        let letters = [
            3: "WXY", 5: "WXYUV", 6: "WXYZUV", 7: "WXYUVPQ", 8: "WXYZUVPQ", 11: "WXYZRSTUVPQ",
        ][channels]
        return letters.map { own in
            let whole = "WXYZRSTUVKLMNOPQ".prefix(channels < 4 ? 4 : 16)
            return whole.map { letter in
                own.firstIndex(of: letter).map { own.distance(from: own.startIndex, to: $0) + 1 } ?? 0
            }
        }
    }

    /// Writes the sub-format of B-format into the header of a complete file. libsndfile 1.2.0 cannot do that in a file
    /// that is opened as RF64. Returns false if the write fails, or if the header has no field for a sub-format.
    static func declare(_ descriptor: Int32) -> Bool {
        guard let format = FileChunks(descriptor: descriptor)?["fmt "], format.size >= 40 else { return false }
        return pwrite(descriptor, tail, tail.count, off_t(format.offset + 26)) == tail.count
    }

    /// Returns whether a file's header declares B-format, with integer or floating-point samples.
    static func isSaid(by file: FileChunks, descriptor: Int32) -> Bool {
        guard [.riff, .rf64, .bw64].contains(file.container), let format = file["fmt "], format.size >= 40,
            let bytes = file.content(format, limit: 40, descriptor: descriptor), bytes.count == 40
        else { return false }
        return file.number(bytes[0..<2]) == 0xFFFE && [1, 3].contains(file.number(bytes[24..<26]))
            && bytes[26...].elementsEqual(tail)
    }
}
