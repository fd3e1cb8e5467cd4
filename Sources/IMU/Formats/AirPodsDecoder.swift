import Geometry

/// AirPods: head-tracking packets of Apple's accessory protocol, one in each datagram, or as a stream.
///
/// The attitude and the rate are used. The acceleration is not used: it is sent 25 times a second, too rarely for an
/// orientation filter. The bud computes the attitude from 200 values a second.
///
/// The body axes follow the bud, not the head. The axes of a right bud are about x front, y down along the stem, z to
/// the head. They are converted for a stem that points straight down. A left bud differs from this by half a turn about
/// the vertical. Every ear differs, and no known field identifies the bud, so the tracker needs calibration.
struct AirPodsDecoder: TrackerDecoder {
    /// Greatest length of a message in a stream, bytes: more than three times that of the longest captured message. A
    /// wrong length therefore costs at most this many bytes.
    private static let greatestLength = 256
    /// Least cosine of the angle between gravity and "down" by the attitude: the cosine of 60°. In recorded packets the
    /// angle is below 26° even in the wildest shaking. Before the bud has determined the attitude, the angle is
    /// arbitrary.
    private static let leastAgreement = 0.5
    private static let gravityRange = 0.5...1.5
    /// Rotation from Proscenium's axes to those of a right bud.
    private static let bud = Quaternion(rotationVector: SIMD3(.pi / 2, 0, 0))

    private let framing: TrackerFormat.Framing
    private var search = FrameSearch()

    init(framing: TrackerFormat.Framing) { self.framing = framing }

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        switch framing {
        case .messages:
            // Other packets of the same connection (battery, ear detection, settings) are skipped.
            if bytes.starts(with: AirPodsReport.beginning.prefix(4)), !bytes.starts(with: AirPodsReport.beginning) {
                return
            }
            take(bytes[...], into: &output)
        case .stream:
            search.append(bytes)
            while let packet = search.next(&output.faults, Self.find) { take(packet, into: &output) }
        }
    }

    private static func find(_ bytes: ArraySlice<UInt8>) -> FrameSearch.Finding {
        let known = bytes.prefix(AirPodsReport.beginning.count)
        guard AirPodsReport.beginning.starts(with: known) else { return .nothing }
        guard bytes.count >= AirPodsReport.headerLength else { return .incomplete }
        let length = Int(bytes.little(10, UInt16.self))
        guard length <= greatestLength else { return .damaged(.malformed) }
        let count = AirPodsReport.headerLength + length
        return bytes.count >= count ? .frame(count) : .incomplete
    }

    private func take(_ packet: ArraySlice<UInt8>, into output: inout DecoderOutput) {
        let report: AirPodsReport
        switch AirPodsReport.content(of: packet) {
        case .other: return
        case .damaged: return output.faults.append(.malformed)
        case .report(let found): report = found
        }
        let stamp = SenderStamp(seconds: Double(report.microseconds) / 1_000_000)
        let sequence = SenderSequence(report.count)
        let v = report.attitude
        let squared = (v * v).sum()
        // Rounding to 16 bits can make 1.0001 out of 1.
        guard squared <= 1.001 else { return output.refuse(.notUnit, stamp, sequence) }
        let attitude = Quaternion(w: max(0, 1 - squared).squareRoot(), x: v.x, y: v.y, z: v.z)
        guard Self.isDetermined(attitude, gravity: report.gravity) else {
            return output.refuse(.implausible, stamp, sequence)
        }
        let rate = SIMD3(report.rate.x, report.rate.z, -report.rate.y)
        output.orientation(attitude * Self.bud, rate: rate, stamp: stamp, sequence: sequence)
    }

    /// Whether the attitude agrees with gravity, which the bud measures separately. In the first packets after the
    /// start the vector part of the attitude is zero; these packets are refused.
    private static func isDetermined(_ attitude: Quaternion, gravity: SIMD3<Double>) -> Bool {
        let length = (gravity * gravity).sum().squareRoot()
        guard attitude.w < 1, gravityRange.contains(length) else { return false }
        return attitude.rotate(-gravity).z >= leastAgreement * length
    }
}
