import Capture
import Foundation
import Geometry
import Signal
import Testing

@Suite struct OrientationTests {
    static let rate = 48_000.0

    /// A track of a device that turns by 90° to the left within a second, from 1 s on, as a tracker of 100 Hz has it,
    /// pitched and rolled meanwhile.
    static func turningTrack(hertz: Double = 100, tilt: Double = 0) -> OrientationTrack {
        OrientationTrack(
            (0...Int(3 * hertz)).map { place in
                let time = Double(place) / hertz
                return OrientationTrack.Sample(time: time, fieldToWorld: turn(time, tilt: tilt))
            })
    }

    static func turn(_ time: Double, tilt: Double = 0) -> Quaternion {
        let share = 0.5 - 0.5 * cos(.pi * max(0, min(1, time - 1)))
        return Quaternion(yaw: 0.3 + share * .pi / 2, pitch: tilt * share, roll: -tilt * share)
    }

    /// A source of the world as the turning device records it, W Y Z X, turned back by a track.
    static func steadied(
        _ track: OrientationTrack, _ mode: SteadyMode, tilt: Double, source: Direction<World>, block: Int = 480,
        sound: (Int) -> Double
    ) -> [[Float]] {
        let frames = Int(3 * rate)
        let field = PlanarBlock(channels: 4, frames: frames)
        for i in 0..<frames {
            let seen = turn(Double(i) / rate, tilt: tilt).conjugate.rotate(source.unit)
            let value = sound(i)
            for (channel, gain) in [1, seen.y, seen.z, seen.x].enumerated() {
                field[channel][i] = Float(value * gain)
            }
        }
        var turner = FieldTurner(track.turn(at: 0, mode))
        var done = 0
        while done < frames {
            let count = min(block, frames - done)
            let first = done
            turner.process(field, at: done, frames: count) { track.turn(at: Double(first + $0) / rate, mode) }
            done += count
        }
        return (0..<4).map { channel in (0..<frames).map { field[channel][$0] } }
    }

    @Test(arguments: [0, 0.5], [100, 1000])
    func `the world is held while the device turns by 90 degrees`(tilt: Double, block: Int) {
        let track = Self.turningTrack(tilt: tilt)
        let source = Direction<World>(azimuthDegrees: 40, elevationDegrees: 10)
        let out = Self.steadied(track, .hold, tilt: tilt, source: source, block: block) { 0.5 * sin(0.13 * Double($0)) }
        // The front is where the device pointed at first.
        let due = Quaternion(yaw: -0.3, pitch: 0, roll: 0).rotate(source.unit)
        for second in stride(from: 0.0, to: 2.95, by: 0.05) {
            let part = Int(second * Self.rate)..<Int((second + 0.05) * Self.rate)
            let field = FieldMeasure(out.map { Array($0[part]) })
            #expect(field.degrees(from: due) <= 0.3, "at \(second) s")
        }
    }

    @Test func `the horizon is levelled and the heading kept`() {
        let track = Self.turningTrack(tilt: 0.5)
        let up = Direction<World>(azimuthDegrees: 0, elevationDegrees: 90)
        let out = Self.steadied(track, .level, tilt: 0.5, source: up) { 0.5 * sin(0.13 * Double($0)) }
        for second in stride(from: 0.0, to: 2.95, by: 0.05) {
            let part = Int(second * Self.rate)..<Int((second + 0.05) * Self.rate)
            #expect(FieldMeasure(out.map { Array($0[part]) }).degrees(from: SIMD3(0, 0, 1)) <= 0.3, "at \(second) s")
        }
        #expect(abs(track.turn(at: 3, .level).yaw) < 1e-9)
        #expect(track.turn(at: 2, .follow) == .identity)
    }

    /// What a turn that is undone leaves beside a tone of 1 kHz: the worst channel's power outside ±150 Hz over the
    /// total, Blackman-Harris window.
    static func motionNoise(_ channel: [Float], over total: Double) -> Double {
        let count = 65_536
        let start = Int(0.9 * rate)
        let a = [0.358_75, -0.488_29, 0.141_28, -0.011_68]
        var inside = 0.0
        var all = 0.0
        // The power near the tone by projection on its bins; all of it by Parseval.
        let windowed = (0..<count).map { i in
            let x = 2 * Double.pi * Double(i) / Double(count)
            return Double(channel[start + i]) * (a[0] + a[1] * cos(x) + a[2] * cos(2 * x) + a[3] * cos(3 * x))
        }
        all = windowed.reduce(0) { $0 + $1 * $1 } * Double(count) / 2
        let centre = Int((1000 * Double(count) / rate).rounded())
        let width = Int(150 * Double(count) / rate)
        for bin in (centre - width)...(centre + width) {
            let step = 2 * Double.pi * Double(bin) / Double(count)
            let coefficient = 2 * cos(step)
            var (s1, s2) = (0.0, 0.0)
            for value in windowed { (s1, s2) = (value + coefficient * s1 - s2, s1) }
            inside += s1 * s1 + s2 * s2 - coefficient * s1 * s2
        }
        return 10 * log10(max(1e-20, all - inside) / total)
    }

    @Test func `nothing is heard of the turn but the turn`() {
        let track = Self.turningTrack()
        let source = Direction<World>(azimuthDegrees: 40, elevationDegrees: 10)
        let out = Self.steadied(track, .hold, tilt: 0, source: source) {
            0.5 * sin(2 * .pi * 1000 * Double($0) / Self.rate)
        }
        // The pressure's own power under the same window.
        let window = 0.358_75 * 0.358_75 + (0.488_29 * 0.488_29 + 0.141_28 * 0.141_28 + 0.011_68 * 0.011_68) / 2
        let total = 0.125 * window * 65_536 * 65_536 / 2
        for channel in 0..<4 {
            let noise = Self.motionNoise(out[channel], over: total)
            print("capture: a turn of 90° in 1 s leaves \(noise) dB in \(FieldEncoder.outputs[channel])")
            #expect(noise <= -80)
        }
    }

    @Test func `a track keeps its order and its lengths`() {
        var track = OrientationTrack()
        #expect(track.turn(at: 1, .hold) == .identity)
        let taken = [
            track.append(.init(time: 1, fieldToWorld: Quaternion(w: 2, x: 0, y: 0, z: 0))),
            track.append(.init(time: 1, fieldToWorld: .identity)),
            track.append(.init(time: 2, fieldToWorld: Quaternion(w: 0, x: 0, y: 0, z: 0))),
            track.append(.init(time: .nan, fieldToWorld: .identity)),
        ]
        #expect(taken == [true, false, false, false])
        #expect(track.samples == [.init(time: 1, fieldToWorld: .identity)])
    }
}
