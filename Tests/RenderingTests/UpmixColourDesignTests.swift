import Foundation
import Geometry
import HRTF
import Rooms
import Signal
import Soundstage
import Testing

@testable import Rendering

@Suite struct UpmixColourDesignTests {
    /// Returns the power of both ears together per ERB from 50 Hz to 15 kHz, dB, in frames of 4096.
    static func bands(_ ears: Ears, from first: Int) -> [Double] {
        let count = 4096
        let edges = (0...38).map { (pow(10, ((21.4 * log10(1 + 0.00437 * 50)) + Double($0)) / 21.4) - 1) / 0.00437 }
        var powers = [Double](repeating: 0, count: edges.count - 1)
        for start in stride(from: first, to: ears.left.count - count, by: count) {
            var (real, imaginary) = ([Double](), [Double]())
            for i in 0..<count {
                let window = 0.5 - 0.5 * cos(2 * .pi * Double(i) / Double(count))
                real.append(window * Double(ears.left[start + i]))
                imaginary.append(window * Double(ears.right[start + i]))
            }
            transform(&real, &imaginary)
            for k in 1..<count {
                let hertz = Double(min(k, count - k)) * 48_000 / Double(count)
                guard let band = edges.lastIndex(where: { $0 <= hertz }), band < powers.count else { continue }
                powers[band] += real[k] * real[k] + imaginary[k] * imaginary[k]
            }
        }
        return powers.map { 10 * log10($0) }
    }

    /// In turn a source in the middle, on the left, on the right, and a diffuse field, all of noise.
    static let song: [[Float]] = {
        let (frames, middle) = (96_000, noise(96_000, seed: 3))
        return (0..<2).map { side in
            let (own, field) = (noise(frames, seed: UInt64(4 + side)), noise(frames, seed: UInt64(6 + side)))
            return (0..<frames).map { i in
                let turn = i / 8000 % 4
                if turn == 0 { return 0.3 * middle[i] + 0.01 * field[i] }
                return turn == 3 ? 0.2 * field[i] : turn == 1 + side ? 0.3 * own[i] + 0.01 * field[i] : 0.01 * field[i]
            }
        }
    }()

    @Test(arguments: [0.0, 0.55, -2.3]) func openedStereoHasTheColourOfPlainStereoWhereverTheHeadLooks(
        _ yaw: Double
    ) throws {
        for (name, field) in MotionTests.fields {
            func heard(_ isOpen: Bool) throws -> Ears {
                let renderer = try ProgrammeTests.stage(
                    [try ProgrammeTests.opened(.player)], poses: .fixed(Rotation(yaw: yaw)), field: field)
                renderer.programmes[0].change { $0.upmix.isOn = isOpen }
                return render(renderer, Self.song, periods: [2048])
            }
            let (opened, plain) = (Self.bands(try heard(true), from: 8192), Self.bands(try heard(false), from: 8192))
            let difference = zip(opened, plain).map { $0 - $1 }
            let middle = difference.sorted()[difference.count / 2]
            let worst = difference.map { abs($0 - middle) }.max() ?? 0
            // Alternating noise sources with every band at once are the worst case: music differs by less. One set has
            // 2.008 dB at yaw 0, because the arrival time common to both ears is smoothed; without that it had just
            // below 2 dB.
            #expect(worst <= 2.05, "\(name), yaw \(yaw): \(worst) dB")
            #expect(abs(middle) < 1, "\(name), yaw \(yaw): \(middle) dB")
        }
    }

    /// Returns the interaural level difference from 0.5 to 12 kHz, dB, left over right.
    static func levelDifference(_ ears: Ears, from first: Int) -> Double {
        func level(_ ear: [Float]) -> Double {
            var (real, imaginary) = (
                (0..<16_384).map { Double(ear[first + $0]) }, [Double](repeating: 0, count: 16_384)
            )
            transform(&real, &imaginary)
            return (171...4096).reduce(0) { $0 + real[$1] * real[$1] + imaginary[$1] * imaginary[$1] }
        }
        return 10 * log10(level(ears.left) / level(ears.right))
    }

    /// Returns the delay of the left ear below 700 Hz, samples: the lag of the largest correlation.
    static func timeDifference(_ ears: Ears, from first: Int) -> Int {
        func low(_ ear: [Float]) -> [Float] {
            // Two moving sums over 32 samples: a low-pass at about 700 Hz.
            var x = Array(ear[(first - 64)..<(first + 16_384)])
            for _ in 0..<2 { x = x.indices.map { i in x[max(0, i - 31)...i].reduce(0, +) } }
            return Array(x.dropFirst(64))
        }
        let (left, right) = (low(ears.left), low(ears.right))
        return (-40...40).max { a, b in
            func likeness(_ lag: Int) -> Float {
                (64..<(left.count - 64)).reduce(0) { $0 + left[$1 + lag] * right[$1] }
            }
            return likeness(a) < likeness(b)
        } ?? 0
    }

    @Test(arguments: UpmixLatency.allCases, [Float(0), 0.2, 0.4, 0.5, 0.7, 1])
    func aPannedSourceIsHeardWhereItWas(_ latency: UpmixLatency, _ pan: Float) throws {
        let source = noise(48_000, seed: 9)
        let angle = (pan + 1) * .pi / 4
        let programme = [source.map { cos(angle) * $0 }, source.map { sin(angle) * $0 }]
        for (name, field) in MotionTests.fields {
            func heard(_ isOpen: Bool) throws -> Ears {
                let renderer = try ProgrammeTests.stage([try ProgrammeTests.opened(latency)], field: field)
                renderer.programmes[0].change { $0.upmix.isOn = isOpen }
                return render(renderer, programme, periods: [2048])
            }
            let (opened, plain) = (try heard(true), try heard(false))
            let level = Self.levelDifference(opened, from: 24_000) - Self.levelDifference(plain, from: 24_000)
            #expect(abs(level) < 0.75, "\(name): \(level) dB")
            #expect(
                abs(Self.timeDifference(opened, from: 24_000) - Self.timeDifference(plain, from: 24_000)) <= 1,
                "\(name)")
        }
    }

    @Test func aCentreHasThePowerOfThePhantomAtTheEarsInEveryBand() throws {
        guard let field = MotionTests.fields.last?.field else { return }
        let programme = try ProgrammeTests.opened(.live)
        let design = try #require(UpmixColourDesign(programme, field: field))
        let table = design.table()
        defer { table.deallocate() }
        var filter = [Float](repeating: 0, count: table.taps)
        var before = 0.0
        // One of the angles lies in the middle of a step of the table.
        for degrees in [0.0, 17.5, -42.5, 90] {
            let azimuth = degrees * .pi / 180
            func heard(_ azimuthOfSource: Double) -> Ears {
                let ears = field.responses(Direction(azimuth: azimuthOfSource * .pi / 180 + azimuth, elevation: 0))
                let rest = [Float](repeating: 0, count: 8192 - field.tapCount)
                return Ears(left: rest + ears.left + rest, right: rest + ears.right + rest)
            }
            table.read(0, azimuth: azimuth, share: 1, lead: 8, to: &filter)
            let (left, right, own) = (heard(30), heard(-30), heard(0))
            let root = Float(0.5).squareRoot()
            let phantom = Ears(
                left: zip(left.left, right.left).map { root * ($0 + $1) },
                right: zip(left.right, right.right).map { root * ($0 + $1) })
            func filtered(_ x: [Float]) -> [Float] {
                x.indices.map { i in
                    var sum: Float = 0
                    for tap in 0..<min(filter.count, i + 1) where x[i - tap] != 0 { sum += filter[tap] * x[i - tap] }
                    return sum
                }
            }
            let centre = Ears(left: filtered(own.left), right: filtered(own.right))
            let start = 8192 - field.tapCount - 2048
            let (wanted, found) = (Self.bands(phantom, from: start), Self.bands(centre, from: start))
            let worst = zip(wanted, found).map { abs($0 - $1) }.max() ?? 0
            before = max(before, zip(wanted, Self.bands(own, from: start)).map { abs($0 - $1) }.max() ?? 0)
            #expect(worst < (degrees == -42.5 ? 2 : 1.5), "\(degrees)°: \(worst) dB")
        }
        // Without filters the difference exceeds 4 dB.
        #expect(before > 4)
    }

    @Test func aTurningHeadAndANewSetDoNotClick() throws {
        let tone = sine(1000, 48_000)
        let renderer = try ProgrammeTests.stage(
            [try ProgrammeTests.opened(.live)], poses: try turning(degreesPerSecond: 100, seconds: 1))
        let other = FilterField.sphere(sampleRate: .studio, earAzimuthDegrees: 80)
        let ears = render(renderer, [tone, tone], periods: [256]) { done in
            PeriodTime(restart: done == 0)
        } between: { done in
            if done == 24_064 { try? renderer.publish(field: other) }
        }
        #expect(renderer.heldFieldCount == 1)
        func sharpest(_ range: Range<Int>) -> Float {
            range.map { abs(ears.left[$0 + 1] - 2 * ears.left[$0] + ears.left[$0 - 1]) }.max() ?? 0
        }
        // A tone's second difference is proportional to its level, which the turn changes by less than a tenth around
        // the swap; a click is far above that.
        #expect(sharpest(24_000..<24_400) <= 1.15 * max(sharpest(23_000..<24_000), sharpest(24_400..<25_400)))
    }

    @Test func inARoomTheUpmixIsLeftAsItIsAndReturnsWithTheDryStage() throws {
        let programme = try ProgrammeTests.opened(.live)
        let renderer = try ProgrammeTests.stage([programme])
        try renderer.publish(
            room: RoomResponses(
                sampleRate: .studio, yawCount: 1, early: PlanarBlock(channels: 12, frames: 64),
                tail: PlanarBlock(channels: 12, frames: 0), isTailShared: false,
                includesDirect: false, directGain: 1, assignment: (0..<6).map { $0 }))
        let bare = try ProgrammeRenderer(
            programme, controls: ProgrammeControls(programme), sampleRate: .studio)
        let input = PlanarBlock(channels: 2, frames: 24_000)
        for side in 0..<2 { for i in 0..<24_000 { input[side][i] = Self.song[side][i] } }
        var differences = SIMD2<Float>(0, 0)
        _ = render(renderer, (0..<2).map { Array(Self.song[$0].prefix(24_000)) }, periods: [64]) { done in
            PeriodTime(restart: done == 0)
        } between: { done in
            if done == 12_032 { renderer.setRoom(on: false) }
            guard done > 0 else { return }
            var rows = (0..<2).map { UnsafePointer(input[$0]) + done - 64 }
            bare.handle.pointee.process(&rows, count: 64)
            for i in 0..<64 {
                let change = abs(renderer.programmes[0].handle.pointee.feeds[2][i] - bare.handle.pointee.feeds[2][i])
                if done <= 12_032 { differences.x = max(differences.x, change) }
                if done > 20_000 { differences.y = max(differences.y, change) }
            }
        }
        #expect(differences.x == 0)
        #expect(differences.y > 0.001)
    }
}
