import Capture
import Foundation
import Geometry
import IMU
import Signal
import SoundFixtures
import Soundstage
import Testing

@Suite struct OrientationTests {
    static let rate = 48_000.0

    /// Returns the track of a device that turns by 90° to the left within a second, from 1 s on, at the tracker's rate.
    /// It pitches and rolls at the same time, by `tilt` radians.
    static func turningTrack(hertz: Double = 100, tilt: Double = 0) throws -> OrientationTrack {
        let times = (0...Int(3 * hertz)).map { Double($0) / hertz }
        return try OrientationTrack(times: times, poses: times.map { Rotation(turn($0, tilt: tilt)) })
    }

    static func turn(_ time: Double, tilt: Double = 0) -> Quaternion {
        let share = 0.5 - 0.5 * cos(.pi * max(0, min(1, time - 1)))
        return Quaternion(yaw: 0.3 + share * .pi / 2, pitch: tilt * share, roll: -tilt * share)
    }

    /// Records a fixed source with the turning device, W Y Z X. Returns the field turned back by a track.
    static func steadied(
        _ track: OrientationTrack, _ mode: SteadyMode, tilt: Double, source: Direction<World>, block: Int = 480,
        sound: (Int) -> Double
    ) throws -> [[Float]] {
        let frames = Int(3 * rate)
        let field = PlanarBlock(channels: 4, frames: frames)
        for i in 0..<frames {
            let seen = turn(Double(i) / rate, tilt: tilt).conjugate.rotate(source.unit)
            let value = sound(i)
            for (channel, gain) in [1, seen.y, seen.z, seen.x].enumerated() {
                field[channel][i] = Float(value * gain)
            }
        }
        let steadied = SteadiedField(
            track, mode, format: try AmbisonicFormat(order: 1), sampleRate: .studio)
        var done = 0
        while done < frames {
            let count = min(block, frames - done)
            steadied.shape(field, at: done, position: done, frames: count)
            done += count
        }
        return (0..<4).map { channel in (0..<frames).map { field[channel][$0] } }
    }

    @Test(arguments: [0, 0.5], [100, 1000])
    func `the world is held while the device turns by 90 degrees`(tilt: Double, block: Int) throws {
        let track = try Self.turningTrack(tilt: tilt)
        let source = Direction<World>(azimuthDegrees: 40, elevationDegrees: 10)
        let out = try Self.steadied(track, .hold, tilt: tilt, source: source, block: block) {
            0.5 * sin(0.13 * Double($0))
        }
        // The front is the device's first direction.
        let due = Quaternion(yaw: -0.3, pitch: 0, roll: 0).rotate(source.unit)
        var worst = 0.0
        for second in stride(from: 0.0, to: 2.95, by: 0.05) {
            let part = Int(second * Self.rate)..<Int((second + 0.05) * Self.rate)
            let degrees = FieldMeasure(out.map { Array($0[part]) }).degrees(from: due)
            #expect(degrees <= 0.3, "at \(second) s")
            worst = max(worst, degrees)
        }
        print("capture: world held while the device turns by 90°, tilt \(tilt): \(worst)° at most")
    }

    @Test func `the horizon is levelled and the heading kept`() throws {
        let track = try Self.turningTrack(tilt: 0.5)
        let up = Direction<World>(azimuthDegrees: 0, elevationDegrees: 90)
        let out = try Self.steadied(track, .level, tilt: 0.5, source: up) { 0.5 * sin(0.13 * Double($0)) }
        for second in stride(from: 0.0, to: 2.95, by: 0.05) {
            let part = Int(second * Self.rate)..<Int((second + 0.05) * Self.rate)
            #expect(FieldMeasure(out.map { Array($0[part]) }).degrees(from: SIMD3(0, 0, 1)) <= 0.3, "at \(second) s")
        }
        #expect(abs(track.turn(at: 3, .level).yaw) < 1e-9)
        #expect(track.turn(at: 2, .follow) == .identity)
    }

    /// Returns the noise that turning the field back adds to a tone of 1 kHz: a channel's power outside ±150 Hz over
    /// the total, dB, Blackman-Harris window.
    static func motionNoise(_ channel: [Float], over total: Double) -> Double {
        let count = 65_536
        let start = Int(0.9 * rate)
        let a = [0.358_75, -0.488_29, 0.141_28, -0.011_68]
        var inside = 0.0
        var all = 0.0
        // Power near the tone by projection on its bins; total power by Parseval's theorem.
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

    @Test func `nothing is heard of the turn but the turn`() throws {
        let track = try Self.turningTrack()
        let source = Direction<World>(azimuthDegrees: 40, elevationDegrees: 10)
        let out = try Self.steadied(track, .hold, tilt: 0, source: source) {
            0.5 * sin(2 * .pi * 1000 * Double($0) / Self.rate)
        }
        // Power of the pressure under the same window.
        let window = 0.358_75 * 0.358_75 + (0.488_29 * 0.488_29 + 0.141_28 * 0.141_28 + 0.011_68 * 0.011_68) / 2
        let total = 0.125 * window * 65_536 * 65_536 / 2
        for channel in 0..<4 {
            let noise = Self.motionNoise(out[channel], over: total)
            print("capture: a turn of 90° in 1 s leaves \(noise) dB in \(FieldEncoder.outputs[channel])")
            #expect(noise <= -80)
        }
    }

    @Test(arguments: [AmbisonicFormat.Convention.sn3d, .n3d, .fuma], [1, 2, 3])
    func `fields of every order and convention are held`(convention: AmbisonicFormat.Convention, order: Int) throws {
        let format = try AmbisonicFormat(order: order, convention: convention)
        let track = try Self.turningTrack(tilt: 0.4)
        let source = Direction<World>(azimuthDegrees: -35, elevationDegrees: 25)
        let frames = Int(2.9 * Self.rate)
        let field = PlanarBlock(channels: format.channelCount, frames: frames)
        func harmonics(_ u: SIMD3<Double>) -> [Double] {
            let all = SphericalHarmonics.values(order: order, Direction<World>(unit: u))
            return (0..<format.channelCount).map {
                all[format.place(ofChannel: $0).acn] / format.place(ofChannel: $0).gain
            }
        }
        for i in 0..<frames {
            let row = harmonics(Self.turn(Double(i) / Self.rate, tilt: 0.4).conjugate.rotate(source.unit))
            for (channel, gain) in row.enumerated() { field[channel][i] = Float(gain) }
        }
        SteadiedField(track, .hold, format: format, sampleRate: .studio).shape(
            field, at: 0, position: 0, frames: frames)
        let due = harmonics(Quaternion(yaw: -0.3, pitch: 0, roll: 0).rotate(source.unit))
        var worst = 0.0
        for i in stride(from: 0, to: frames, by: 97) {
            for channel in due.indices { worst = max(worst, abs(Double(field[channel][i]) - due[channel])) }
        }
        // Bound: between the tracker's 100 samples a second, an arc of 3° is interpolated in the middle of the turn.
        #expect(worst < 0.01 * Double(order * order), "\(worst)")
    }

    @Test func `pieces of a file are turned alike, whatever their lengths and order`() throws {
        let track = try Self.turningTrack(tilt: 0.5)
        let steadied = SteadiedField(track, .level, format: try AmbisonicFormat(order: 1), sampleRate: .studio)
        let whole = PlanarBlock(channels: 4, frames: 9000)
        let parts = PlanarBlock(channels: 4, frames: 9000)
        for channel in 0..<4 {
            for i in 0..<9000 {
                let sample = Float(sin(0.1 * Double(i * (channel + 1))))
                (whole[channel][i], parts[channel][i]) = (sample, sample)
            }
        }
        let first = 70_001
        steadied.shape(whole, at: 0, position: first, frames: 9000)
        for (at, count) in [(5000, 4000), (0, 1), (1, 62), (63, 937), (1000, 4000)] {
            steadied.shape(parts, at: at, position: first + at, frames: count)
        }
        for channel in 0..<4 { #expect((0..<9000).allSatisfy { whole[channel][$0] == parts[channel][$0] }) }
    }

    @Test func `a text of turns is read as far as its lines are whole, and its faults are said`() throws {
        let folder = try Scratch()
        let take = folder("take.wav")
        let path = CaptureNames.orientation(take)
        func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
        #expect(throws: CaptureError.unreadable(path: path, reason: "there is no such file")) {
            try OrientationTrack(besideTake: take)
        }
        try write("t,w,x,y,z\n0,1,0,0,0\n0.5,0.7071,0,0,0.7071\n0.6,0.99")
        let track = try OrientationTrack(besideTake: take)
        #expect(track.times == [0, 0.5])
        #expect(abs(track.turn(at: 0.25, .hold).yaw - .pi / 4) < 1e-6)
        try write("t,w,x,y,z\n0,1,0,0,0\n0,1,0,0,0\n")
        #expect(throws: CaptureError.orientation(path: path, reason: .timesOutOfOrder(line: 3, time: 0, previous: 0))) {
            try OrientationTrack(besideTake: take)
        }
    }
}
