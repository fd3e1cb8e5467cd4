import Stages
import Testing

@testable import Surfaces

/// Two controllers that form one of fourteen bits, in either order of the halves.
@Suite struct PairedControllerTests {
    private static let full = 16_383.0

    /// A device with a 14-bit fader on controllers 1 and 33; each message returns the requested position.
    private struct Fader {
        var surface: MIDISurface
        init(_ address: String = "drc-cut") {
            surface = MIDISurface([SurfaceBinding(SurfaceControl(.pair(1), channel: 0), address)])
        }
        mutating func send(_ number: UInt8, _ value: UInt8, at now: Double) -> Int? {
            let message = MIDIMessage.controller(channel: 0, number: number, value: value)
            let request = surface.receive(message, at: now).requests.first?.value
            return request.map { Int(($0.number * PairedControllerTests.full).rounded()) }
        }
        mutating func coarse(_ value: UInt8, at now: Double) -> Int? { send(1, value, at: now) }
        mutating func fine(_ value: UInt8, at now: Double) -> Int? { send(33, value, at: now) }
    }

    @Test func theFineHalfMayComeFirst() {
        var fader = Fader()
        // The coarse half is unknown so far.
        #expect(fader.fine(100, at: 0) == nil)
        #expect(fader.coarse(64, at: 0.001) == 64 << 7 | 100)
        // Further pairs within one motion.
        for step in 1...20 {
            let now = 0.001 + Double(step) * 0.01
            _ = fader.fine(UInt8(step * 6), at: now)
            #expect(fader.coarse(UInt8(64 + step), at: now + 0.001) == (64 + step) << 7 | step * 6)
        }
        // The coarse half alone: a device may leave out a fine half that is unchanged.
        #expect(fader.coarse(10, at: 5) == 10 << 7 | 120)
    }

    @Test func theCoarseHalfFirstBeginsTheFineOneAnew() {
        var fader = Fader()
        #expect(fader.coarse(64, at: 0) == 64 << 7)
        #expect(fader.fine(100, at: 0.001) == 64 << 7 | 100)
        #expect(fader.fine(101, at: 0.02) == 64 << 7 | 101)
        #expect(fader.coarse(65, at: 0.03) == 65 << 7)
        #expect(fader.fine(3, at: 0.031) == 65 << 7 | 3)
        #expect(fader.coarse(127, at: 5) == 127 << 7)
        #expect(fader.coarse(0, at: 6) == 0)
    }

    @Test func aWrongGuessIsPutRightByTheNextMotion() {
        var fader = Fader()
        // Reception begins within a pair, so the fine half seems to come first.
        _ = fader.fine(9, at: 0)
        _ = fader.coarse(20, at: 0.001)
        _ = fader.fine(10, at: 0.002)
        _ = fader.coarse(30, at: 1)
        #expect(fader.fine(5, at: 1.001) == 30 << 7 | 5)
        #expect(fader.coarse(31, at: 2) == 31 << 7)
    }

    @Test func theFineHalfAloneGoesOnFromTheValueInForce() {
        var fader = Fader()
        // A value set by another door, to which the motor moves the fader.
        let there = 100 << 7 | 50
        _ = fader.surface.hear([("drc-cut", .numbers([Double(there) / Self.full]))], at: 0)
        #expect(fader.fine(51, at: 10) == there + 1)
        _ = fader.surface.hear([("drc-cut", .numbers([Double(there + 1) / Self.full]))], at: 10.01)
        #expect(fader.fine(52, at: 11) == there + 2)
        // Another client sets a value far away; the next small motion continues from there.
        _ = fader.surface.hear([("drc-cut", .numbers([Double(3 << 7 | 7) / Self.full]))], at: 12)
        #expect(fader.fine(8, at: 20) == 3 << 7 | 8)
    }

    @Test func aWholeNumberDoesNotPullTheFaderToItself() {
        var fader = Fader("dialnorm")
        _ = fader.coarse(64, at: 0)
        let value = fader.surface.receive(.controller(channel: 0, number: 33, value: 1), at: 0.001).requests.first?
            .value
        #expect(value?.number == value?.number.rounded())
        if let value { _ = fader.surface.hear([("dialnorm", value)], at: 0.01) }
        let next = fader.surface.receive(.controller(channel: 0, number: 33, value: 2), at: 1).requests.first?.value
        #expect(next == value)
    }
}

/// Endless knobs on whole-number parameters.
@Suite struct WholeStepTests {
    private static func turn(
        _ steps: Int, step: Double? = nil, from now: Double, to target: String = "dialnorm"
    ) throws -> Double {
        let target = SurfaceTarget(target, try #require(SurfaceScale.table(target)))
        return try #require(target.value(steps, of: step, from: .numbers([now]))).number
    }

    @Test(arguments: [nil, 0.25, 0.5, 1, 1.4] as [Double?]) func oneClickMovesAStep(_ step: Double?) throws {
        #expect(try Self.turn(1, step: step, from: -27) == -26)
        #expect(try Self.turn(-1, step: step, from: -27) == -28)
        // Steps end at the limits.
        #expect(try Self.turn(1, step: step, from: 0) == 0)
        #expect(try Self.turn(-1, step: step, from: -31) == -31)
        var now = -31.0
        for _ in 0..<31 { now = try Self.turn(1, step: step, from: now) }
        #expect(now == 0)
    }

    @Test func severalClicksAtOnceMoveAsFarAsTheirSum() throws {
        #expect(try Self.turn(4, step: 2, from: -27) == -19)
        #expect(try Self.turn(3, step: 0.4, from: -27) == -26)
    }

    @Test func everyValueOfAKnobIsTakenByItsRow() throws {
        var surface = MIDISurface([
            {
                var binding = SurfaceBinding(SurfaceControl(.controller(16), channel: 0), "input/main/dialnorm")
                (binding.relative, binding.step) = (.twosComplement, 0.3)
                return binding
            }()
        ])
        _ = surface.hear([("input/main/dialnorm", .numbers([-27]))], at: 0)
        for (index, value) in [1, 1, 2, 127, 126, 60].enumerated() {
            let message = MIDIMessage.controller(channel: 0, number: 16, value: UInt8(value))
            let requests = surface.receive(message, at: 1 + Double(index)).requests
            #expect(requests.count == 1 && requests.allSatisfy { $0.command != nil }, "\(value)")
        }
    }

    @Test func aTurnNeverGoesTheOtherWay() throws {
        // A value above the upper end of the travel, which another door may have set.
        #expect(try Self.turn(1, from: 20, to: "level") == 20)
        #expect(try Self.turn(-1, from: 20, to: "level") < 10)
        let level = SurfaceTarget("level", try #require(SurfaceScale.table("level")))
        #expect(level.value(-1, of: 0.5, from: .word("off")) == .word("off"))
        #expect(level.value(-1, of: nil, from: .word("off")) == .word("off"))
    }
}
