import Capture
import Foundation
import Geometry
import SeededRandom
import Signal
import Soundstage
import Testing

@Suite struct InputFaultTests {
    static let frames = 16_384

    /// Returns `seconds` seconds or more of an array's signals in a diffuse field: 72 sources, each with its own noise.
    static func diffuse(_ array: MicrophoneArray, seed: UInt64, seconds: Int = 12) -> [[Float]] {
        let simulator = ArraySimulator(array, decibels: 1, degrees: 5, seed: seed)
        var signals = [[Double]](repeating: [Double](repeating: 0, count: frames), count: array.capsules.count)
        let grid = GaussGrid(exactTo: 10)
        for (place, direction) in grid.directions(in: Device.self).enumerated() {
            let level = (grid.weights[place] * 72).squareRoot()
            let spectrum = noiseSpectrum(frames: frames, from: 80, to: 8000, pink: true, seed: seed + UInt64(place))
                .map { $0 * level }
            simulator.add(direction.unit, spectrum: spectrum, to: &signals)
        }
        // The signals are periodic, so an average over some periods equals that over one.
        let repeats = seconds * 48_000 / frames + 1
        return signals.map { row in (0..<repeats).flatMap { _ in row.map { Float(0.05 * $0) } } }
    }

    static func blocks(_ signals: [[Float]], _ body: (borrowing PlanarBlock, Int) -> Void) {
        let block = PlanarBlock(channels: signals.count, frames: 2048)
        var done = 0
        while done < signals[0].count {
            let count = min(2048, signals[0].count - done)
            for (channel, row) in signals.enumerated() {
                for i in 0..<count { block[channel][i] = row[done + i] }
            }
            body(block, count)
            done += count
        }
    }

    static func order(_ array: MicrophoneArray, _ signals: [[Float]]) throws -> InputFault? {
        var order = try #require(CapsuleOrder(array, sampleRate: .studio))
        blocks(signals) { order.process($0, frames: $1) }
        return order.fault
    }

    @Test(arguments: 1...3)
    func `swapped capsules of a ring of four are found out in a field from everywhere`(seed: Int) throws {
        let array = try MicrophoneArray("planar4")
        let right = Self.diffuse(array, seed: UInt64(100 * seed))
        #expect(try Self.order(array, right) == nil)
        // FL FR BL BR with front and back exchanged on one side, which is not an order of the ring.
        let swapped = [right[2], right[1], right[0], right[3]]
        guard case .swapped(let names) = try Self.order(array, swapped) else {
            Issue.record("not found out")
            return
        }
        // The order is found up to the ring's own symmetry: opposite capsules are opposite again.
        let undone = names.map { ["FL", "FR", "BL", "BR"].firstIndex(of: $0)! }
        #expect([Set([1, 2]), Set([0, 3])].contains(Set([undone[0], undone[1]])))
        var inverted = right
        inverted[2] = inverted[2].map { -$0 }
        #expect(try Self.order(array, inverted) == .inverted("BL"))
    }

    @Test func `a tetrahedron is not accused of what cannot be told, and polarity is`() throws {
        let array = try MicrophoneArray("tetrahedral")
        let right = Self.diffuse(array, seed: 7)
        #expect(try Self.order(array, right) == nil)
        #expect(try Self.order(array, [right[1], right[0], right[2], right[3]]) == nil)
        #expect(try Self.order(array, [right[0].map { -$0 }, right[1], right[2], right[3]]) == .inverted("FLU"))
    }

    @Test func `one loud source is not taken for swapped capsules`() throws {
        for name in ["planar4", "tetrahedral"] {
            let array = try MicrophoneArray(name)
            let spectrum = noiseSpectrum(frames: Self.frames, from: 80, to: 8000, pink: true, seed: 3)
            let simulator = ArraySimulator(array)
            for azimuth in [0.0, 30, 45, 100, 135] {
                let source = Direction<Device>(azimuthDegrees: azimuth, elevationDegrees: 5)
                let once = simulator.wave(source.unit, spectrum: spectrum, frames: Self.frames)
                let signals = once.map { row in (0..<36).flatMap { _ in row.map { Float(0.05 * $0) } } }
                #expect(try Self.order(array, signals) == nil, "\(name) from \(azimuth)°")
            }
        }
    }

    /// Returns the orientation of a device that turns about all axes, for one of 60 looks.
    static func turn(_ look: Int) -> Quaternion {
        let time = Double(look) / 60
        return Quaternion(yaw: 1.2 * sin(6 * time), pitch: 0.7 * sin(9 * time + 1), roll: 0.3 * sin(4 * time))
    }

    /// Returns 4096 frames of an array's signals, `[capsule][frame]`, from two sources that rest in the world.
    static func twoSources(_ simulator: ArraySimulator, deviceToWorld turn: Quaternion, look: Int) -> [[Double]] {
        var signals = [[Double]](
            repeating: [Double](repeating: 0, count: 4096), count: simulator.capsules.count)
        for (place, source) in [(30.0, 10.0), (-80.0, 25.0)].enumerated() {
            let u = turn.conjugate.rotate(Direction<World>(azimuthDegrees: source.0, elevationDegrees: source.1).unit)
            let spectrum = noiseSpectrum(frames: 4096, from: 80, to: 6000, seed: UInt64(10 * look + place))
                .map { $0 * (place == 0 ? 1 : 0.4) }
            simulator.add(u, spectrum: spectrum, to: &signals)
        }
        return signals
    }

    @Test func `capsules are not taken for swapped when the tracker of a device falls silent`() throws {
        let rig = try CaptureEngineTests.Rig(preRoll: 0, array: "tetrahedral")
        let simulator = ArraySimulator(try MicrophoneArray("tetrahedral"), decibels: 1, degrees: 5, seed: 5)
        /// Plays a quarter of a second; `isTold` says whether the tracker sends the orientation.
        func play(_ turn: Quaternion, look: Int, isTold: Bool) {
            let once = Self.twoSources(simulator, deviceToWorld: turn, look: look)
            let sound = once.map { row in (0..<3).flatMap { _ in row.map { Float($0) } } }
            rig.run(sound) { now in
                guard isTold else { return }
                rig.engine.note(deviceToWorld: turn, at: now)
            }
        }
        for look in 0..<60 { play(Self.turn(look), look: look, isTold: true) }
        let away = Quaternion(yaw: .pi, pitch: 0, roll: 0) * Self.turn(59)
        for look in 0..<60 { play(away, look: look, isTold: false) }
        #expect(!rig.events.contains { if case .fault(.swapped) = $0 { true } else { false } }, "\(rig.events)")
    }

    @Test(arguments: [[0, 1, 2, 3], [1, 0, 2, 3], [1, 2, 0, 3], [3, 2, 1, 0], [0, 1, 3, 2]])
    func `a device that turns finds out any order of a tetrahedron`(order: [Int]) throws {
        let array = try MicrophoneArray("tetrahedral")
        let simulator = ArraySimulator(array, decibels: 1, degrees: 5, seed: 5)
        var finder = try #require(TurnedOrder(array, sampleRate: .studio))
        let block = PlanarBlock(channels: 4, frames: 4096)
        for look in 0..<60 {
            let turn = Self.turn(look)
            let signals = Self.twoSources(simulator, deviceToWorld: turn, look: look)
            for channel in 0..<4 {
                for i in 0..<4096 { block[channel][i] = Float(signals[order[channel]][i]) }
            }
            for _ in 0..<3 { finder.process(block, frames: 4096, deviceToWorld: turn) }
        }
        #expect(finder.isTelling)
        let names = array.channelNames
        #expect(finder.fault == (order == [0, 1, 2, 3] ? nil : .swapped(order.map { names[$0] })))
    }

    @Test(arguments: AmbisonicFormat.Convention.allCases, AmbisonicFormat.Convention.allCases)
    func `a sound field in another convention is found out`(
        real: AmbisonicFormat.Convention, said: AmbisonicFormat.Convention
    ) throws {
        let format = try AmbisonicFormat(order: 1, convention: real)
        var chance = SplitMix(state: 12)
        for sources in [1, 40] {
            var signals = [[Float]](repeating: [Float](repeating: 0, count: 6 * 48_000), count: 4)
            for _ in 0..<sources {
                let u = Direction<Stage>(
                    azimuthDegrees: 360 * chance.unit(), elevationDegrees: asin(2 * chance.unit() - 1) * 180 / .pi
                ).unit
                let gains = (0..<4).map { channel -> Float in
                    let place = format.place(ofChannel: channel)
                    return Float([1, u.y, u.z, u.x][place.acn] / place.gain)
                }
                for i in 0..<signals[0].count {
                    let value = Float(0.05 * (2 * chance.unit() - 1))
                    for channel in 0..<4 { signals[channel][i] += gains[channel] * value }
                }
            }
            var scale = FieldScale(said, sampleRate: .studio)
            Self.blocks(signals) { scale.process($0, frames: $1) }
            let word = { (one: AmbisonicFormat.Convention) in one == .sn3d ? "ambix" : one.rawValue }
            let told = InputFault.otherScale(found: word(real), said: word(said))
            #expect(scale.fault == (real == said ? nil : told))
        }
    }

    /// In all these fields W is quieter than other channels by some measure, and the convention is right.
    @Test func `near voices, walls, wind and stereo pairs are not taken for another convention`() {
        var chance = SplitMix(state: 22)
        let count = 6 * 48_000
        func noise(_ level: Double = 0.05) -> [Double] { (0..<count).map { _ in level * (2 * chance.unit() - 1) } }
        func fault(_ rows: [[Double]]) -> InputFault? {
            var scale = FieldScale(.sn3d, sampleRate: .studio)
            Self.blocks(rows.map { $0.map { Float($0) } }) { scale.process($0, frames: $1) }
            return scale.fault
        }
        let silence = [Double](repeating: 0, count: count)
        // A source r metres away has a velocity of 1 + c/(jωr) times its pressure: the pressure and its integral.
        for radius in [0.05, 0.1, 0.15, 0.2, 0.3] {
            let pressure = noise()
            var (sum, velocity) = (0.0, silence)
            for i in 0..<count {
                sum = 0.999 * sum + pressure[i] * 343 / radius / 48_000
                velocity[i] = pressure[i] + sum
            }
            #expect(
                fault([pressure, velocity.map { 0.6 * $0 }, silence, velocity.map { 0.8 * $0 }]) == nil, "\(radius) m")
        }
        // A wave and its reflection from the opposite side.
        for frames in [10, 24, 48, 100] {
            for gain in [0.9, -0.9] {
                let front = noise()
                let back = front.indices.map { $0 < frames ? 0 : gain * front[$0 - frames] }
                let (w, x) = (zip(front, back).map { $0 + $1 }, zip(front, back).map { $0 - $1 })
                #expect(fault([w, silence, silence, x]) == nil, "\(frames) frames, \(gain)")
            }
        }
        // Stereo pairs at ±45° and ±90° with more difference than sum.
        for angle in [Double.pi / 4, .pi / 2] {
            for level in [1.4, 1.7, 2.0] {
                let (middle, side) = (noise(), noise(0.05 * level))
                let rows = [middle, side.map { $0 * sin(angle) }, silence, middle.map { $0 * cos(angle) }]
                #expect(fault(rows) == nil, "\(angle) \(level)")
            }
        }
        // Uncorrelated noise of the capsules, below and above the level of a wave.
        for level in [0.01, 0.02, 0.04, 0.08] {
            let wave = noise()
            var smooth = 0.0
            let dull = wave.map { value -> Double in
                smooth += 0.1 * (value - smooth)
                return 4 * smooth
            }
            let own = (0..<3).map { _ in noise(level) }
            var rows = [dull, own[0], own[1], own[2]]
            for i in 0..<count {
                rows[1][i] += 0.6 * dull[i]
                rows[3][i] += 0.8 * dull[i]
            }
            #expect(fault(rows) == nil, "\(level)")
        }
    }

    @Test func `silence and clipping are told by name`() {
        var chance = SplitMix(state: 3)
        var signals = (0..<4).map { _ in (0..<(4 * 48_000)).map { _ in Float(0.1 * (2 * chance.unit() - 1)) } }
        signals[2] = [Float](repeating: 0, count: signals[2].count)
        for i in 1000..<1004 { signals[0][i] = 1 }
        for i in [3000, 3002, 3004] { signals[1][i] = 1 }
        var meter = InputMeter(channels: 4, sampleRate: .studio)
        Self.blocks(signals) { meter.process($0, frames: $1) }
        #expect(Set(meter.faults(["a", "b", "c", "d"])) == [.silent("c"), .clipped("a")])
        var silent = InputMeter(channels: 2, sampleRate: .studio)
        Self.blocks([signals[2], signals[2]]) { silent.process($0, frames: $1) }
        #expect(silent.faults(["a", "b"]) == [.allSilent])
    }
}
