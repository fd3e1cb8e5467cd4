import Geometry

/// Waves Nx head tracker. A datagram is a notification of the tracker's Bluetooth characteristic 0xA015: x, y, z and w
/// of a quaternion in 16-bit numbers of 1/16384, and two bytes without a known meaning.
///
/// Two sources describe the format, each with a different device: the README of mgth/nx-tracker-osc (x right, y front,
/// z up, the tracker flat) and docs/PROTOCOL.md of mormegil6/opennx (signs observed on a head). The sources agree,
/// except for half a turn of the body about its left-right axis: the second tracker was worn upside down.
struct WavesNxDecoder: TrackerDecoder {
    /// Range of the squared length. Both sources measured a length of 1.000. Apart from the datagram's size, nothing
    /// else marks the format.
    private static let squaredLength = 0.98...1.02

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        let packet = bytes[...]
        guard packet.count == 10 else { return output.faults.append(.malformed) }
        let n = [0, 2, 4, 6].map { Double(packet.little($0, Int16.self)) / 16_384 }
        let sent = Quaternion(w: n[3], x: n[0], y: n[1], z: n[2])
        guard Self.squaredLength.contains(sent.squaredNorm) else { return output.refuse(.notUnit) }
        output.orientation(OrientationProfile.Axes.rightFrontUp.ours(sent))
    }
}
