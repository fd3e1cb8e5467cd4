import Geometry

/// nvsonic's head tracker: `w,x,y,z;` in text, fifty times a second, without stamp or checksum.
struct NvsonicDecoder: TrackerDecoder {
    private var lines = LineSearch(
        separators: [UInt8(ascii: ";"), UInt8(ascii: "\n"), UInt8(ascii: "\r")], greatestLength: 64)

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        for byte in bytes {
            guard let line = lines.take(byte, &output.faults) else { continue }
            guard let n = TextFields.numbers(TextFields.split(line[...])[...]), n.count == 4 else {
                output.faults.append(.malformed)
                continue
            }
            let sent = Quaternion(w: n[0], x: n[1], y: n[2], z: n[3])
            output.orientation(OrientationProfile.Axes.rightFrontUp.ours(sent))
        }
    }
}
