import Geometry

/// opentrack's "UDP over network". It has neither stamp nor sequence, and positions are passed over.
struct OpentrackDecoder: TrackerDecoder {
    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        guard let datagram = OpentrackDatagram(bytes) else { return output.faults.append(.malformed) }
        output.orientation(angles: OrientationProfile.opentrack.angles(datagram.angles))
    }
}
