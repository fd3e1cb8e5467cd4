import Geometry
import OSC

/// Datagrams of one tracker become orientations in our axes. Total: anything it cannot use is counted by cause.
package struct OrientationDecoder: Sendable {
    /// The language spoken on the tracker's port.
    package enum Language: Hashable, Sendable {
        case osc
        case opentrack
    }

    /// What came and what was dropped.
    package private(set) var health = TrackerHealth()
    private let language: Language
    private let inversion: Inversion
    private let latency: Double
    private let profiles: [String: OrientationProfile]
    private var singles = SingleAngles()

    /// A decoder for one tracker. `latency`: seconds taken off each arrival.
    package init(_ language: Language, inversion: Inversion = [], latency: Double = 0) {
        self.language = language
        self.inversion = inversion
        self.latency = latency
        profiles = Dictionary(uniqueKeysWithValues: OrientationProfile.osc.map { ($0.address.lowercased(), $0) })
    }

    /// The orientations in one datagram that arrived at a time of the host's clock; usually one, often none.
    package mutating func decode(_ datagram: [UInt8], at arrival: Double) -> [OrientationSample] {
        switch language {
        case .opentrack: opentrack(datagram, at: arrival).map { [$0] } ?? []
        case .osc: osc(datagram, at: arrival)
        }
    }

    private mutating func opentrack(_ datagram: [UInt8], at arrival: Double) -> OrientationSample? {
        guard let content = OpentrackDatagram(datagram) else {
            health.count(.malformed)
            return nil
        }
        let sent = content.angles
        guard sent.x.isFinite, sent.y.isFinite, sent.z.isFinite else {
            health.count(.notFinite)
            return nil
        }
        return sample(angles: OrientationProfile.opentrack.angles(sent), at: arrival)
    }

    private mutating func osc(_ datagram: [UInt8], at arrival: Double) -> [OrientationSample] {
        guard let packet = try? OSCPacket(decoding: datagram) else {
            health.count(.malformed)
            return []
        }
        var samples: [OrientationSample] = []
        // Angles that come singly in one bundle belong together: they make one orientation at its end.
        var bundled: OrientationProfile?
        let isBundle = if case .bundle = packet { true } else { false }
        for message in packet.messages {
            guard let profile = profiles[message.address.lowercased()] else {
                health.count(.unknownAddress)
                continue
            }
            guard let numbers = message.numbers, numbers.count >= profile.numberCount else {
                health.count(.wrongArguments)
                continue
            }
            guard numbers.prefix(profile.numberCount).allSatisfy(\.isFinite) else {
                health.count(.notFinite)
                continue
            }
            switch profile.form {
            case .wxyz, .xyzw:
                guard let rotation = profile.rotation(quaternion: numbers) else {
                    health.count(.notUnit)
                    continue
                }
                samples.append(sample(rotation, at: arrival))
            case .yawPitchRoll:
                let ours = profile.angles(SIMD3(numbers[0], numbers[1], numbers[2]))
                samples.append(sample(angles: ours, at: arrival))
            case .single(let axis):
                let ours = profile.angles(SIMD3(repeating: numbers[0]))[axis.rawValue]
                let complete = singles.set(axis, to: ours)
                if isBundle {
                    bundled = profile
                } else if complete {
                    samples.append(sample(angles: singles.angles, at: arrival))
                }
            }
        }
        if bundled != nil { samples.append(sample(angles: singles.angles, at: arrival)) }
        return samples
    }

    private mutating func sample(angles: SIMD3<Double>, at arrival: Double) -> OrientationSample {
        sample(Rotation(yaw: angles.x, pitch: angles.y, roll: angles.z), at: arrival)
    }

    private mutating func sample(_ rotation: Rotation<Body, World>, at arrival: Double) -> OrientationSample {
        health.countArrival(at: arrival)
        var rotation = rotation
        if !inversion.isEmpty {
            let q = rotation.quaternion
            rotation = Rotation(
                yaw: inversion.contains(.yaw) ? -q.yaw : q.yaw,
                pitch: inversion.contains(.pitch) ? -q.pitch : q.pitch,
                roll: inversion.contains(.roll) ? -q.roll : q.roll)
        }
        return OrientationSample(time: arrival - latency, bodyToWorld: rotation, arrival: arrival)
    }
}
