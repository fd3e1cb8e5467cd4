import Geometry
import OSC

/// OSC datagrams of a head tracker or phone. Orientations follow the rows of `OrientationProfile.osc`. Messages with
/// the values of sensors follow the rows of `OSCSensorProfile.all`.
///
/// A bundle's time tag is the sender's stamp unless it is "immediately". O(bytes).
struct OSCDecoder: TrackerDecoder {
    private let profiles: [String: OrientationProfile]
    private var singles = SingleAngles()
    private var parts = SingleParts()
    private var sensors = SensorParts()

    init() {
        profiles = Dictionary(uniqueKeysWithValues: OrientationProfile.osc.map { ($0.address.lowercased(), $0) })
    }

    mutating func decode(_ bytes: [UInt8], into output: inout DecoderOutput) {
        guard let packet = try? OSCPacket(decoding: bytes) else { return output.faults.append(.malformed) }
        take(packet, stamp: nil, into: &output)
    }

    private mutating func take(_ packet: OSCPacket, stamp: SenderStamp?, into output: inout DecoderOutput) {
        switch packet {
        case .message(let message): _ = take(message, stamp: stamp, isBundled: false, into: &output)
        case .bundle(let time, let elements):
            let stamp = time.stamp ?? stamp
            // Single angles in one bundle belong together and give one orientation at the end of the bundle.
            var left = Left.nothing
            for element in elements {
                if case .message(let message) = element {
                    let found = take(message, stamp: stamp, isBundled: true, into: &output)
                    if found != .nothing { left = found }
                } else {
                    take(element, stamp: stamp, into: &output)
                }
            }
            switch left {
            case .nothing: break
            case .angle: output.orientation(angles: singles.angles, stamp: stamp)
            case .part: output.orientation(parts.quaternion.conjugate, stamp: stamp)
            }
        }
    }

    /// Kind of a message that contains only a part of an orientation; the orientation is complete at the end of the
    /// bundle.
    private enum Left { case nothing, angle, part }

    /// Decodes a message. Returns the kind of part that remains to be used at the end of the bundle.
    private mutating func take(
        _ message: OSCMessage, stamp: SenderStamp?, isBundled: Bool, into output: inout DecoderOutput
    ) -> Left {
        let address = message.address.lowercased()
        let profile = profiles[address]
        let sensor = profile == nil ? OSCSensorProfile.matching(address) : nil
        guard let count = profile?.numberCount ?? sensor?.numberCount else {
            output.faults.append(.unknownAddress)
            return .nothing
        }
        // A message about another bone of an avatar than the head is skipped without a fault.
        if let name = profile?.name, message.arguments.first != .string(name) { return .nothing }
        let rest = OSCMessage(message.address, Array(message.arguments.dropFirst(profile?.skipped ?? 0)))
        guard let numbers = rest.numbers, numbers.count >= count else {
            output.faults.append(.wrongArguments)
            return .nothing
        }
        guard numbers.prefix(count).allSatisfy(\.isFinite) else {
            output.faults.append(.notFinite)
            return .nothing
        }
        if let sensor { sensors.take(sensor, numbers, stamp: stamp, into: &output) }
        guard let profile else { return .nothing }
        switch profile.form {
        case .wxyz, .xyzw: output.orientation(profile.ours(quaternion: numbers), stamp: stamp)
        case .yawPitchRoll:
            let angles = profile.angles(SIMD3(numbers[0], numbers[1], numbers[2]))
            output.orientation(angles: angles, stamp: stamp)
        case .pitchYawRoll:
            let angles = profile.angles(SIMD3(numbers[1], numbers[0], numbers[2]))
            output.orientation(angles: angles, stamp: stamp)
        case .part(let index):
            let isComplete = parts.set(index, to: numbers[0])
            if isBundled { return .part }
            if isComplete { output.orientation(parts.quaternion.conjugate, stamp: stamp) }
        case .single(let axis):
            let angle = profile.angles(SIMD3(repeating: numbers[0]))[axis.rawValue]
            guard abs(angle) <= MotionRanges.greatestAngle else {
                output.faults.append(.implausible)
                return .nothing
            }
            let isComplete = singles.set(axis, to: angle)
            if isBundled { return .angle }
            if isComplete { output.orientation(angles: singles.angles, stamp: stamp) }
        }
        return .nothing
    }
}

extension OSCTimeTag {
    /// The tag as a sender's stamp; `nil` for "immediately" and for zero. NTP's seconds wrap every 136 years.
    fileprivate var stamp: SenderStamp? {
        guard bits > 1 else { return nil }
        let seconds = Double(bits >> 32) + Double(bits & 0xffff_ffff) / 4_294_967_296
        return SenderStamp(seconds: seconds, wrap: 4_294_967_296)
    }
}
