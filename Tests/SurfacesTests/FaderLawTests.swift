import Stages
import Testing

@testable import Surfaces

@Suite struct FaderLawTests {
    private static let level = Parameter.Number(unit: "dB", range: -120...40)

    /// IEC 60268-18: share of the travel from −70 to 0 dB. Faders of this program extend to 10 dB, by a quarter of this
    /// travel.
    @Test func levelsStandWhereProgrammeMetersHaveThem() {
        let law = FaderLaw(Self.level)
        #expect(law.isMeter && law.range == -70...10)
        let scale = [
            (-70.0, 0.0), (-60, 2.5), (-50, 7.5), (-40, 15), (-30, 30), (-20, 50), (-10, 75), (0, 100), (10, 125),
        ]
        for (level, share) in scale {
            #expect(abs(law.position(of: level) - share / 125) < 1e-12)
            #expect(abs(law.value(at: share / 125) - level) < 1e-9)
        }
        #expect(law.position(of: -120) == 0 && law.position(of: 40) == 1)
    }

    @Test func everyPositionOfEveryControlComesBackToItself() {
        let laws = [
            FaderLaw(Self.level), FaderLaw(Self.level, to: 6), FaderLaw(Self.level, from: -40, to: 0),
            FaderLaw(Parameter.Number(unit: "degrees", range: -360...360)),
            FaderLaw(Parameter.Number(unit: "", range: 0...1)),
        ]
        for law in laws {
            for full in [127, 16_383] {
                for raw in 0...full {
                    let back = law.position(of: law.value(at: Double(raw) / Double(full))) * Double(full)
                    #expect(Int(back.rounded()) == raw)
                }
            }
        }
    }

    @Test func endsMayBeSaidAndStayWithinTheRange() {
        let even = FaderLaw(Self.level, from: -40, to: 0)
        #expect(!even.isMeter && even.value(at: 0.5) == -20)
        #expect(FaderLaw(Self.level, to: 6).value(at: 1) == 6)
        #expect(FaderLaw(Self.level, from: -500, to: 500).range == -120...40)
    }

    @Test func narrowRangesAreEvenAndWholeNumbersStayWhole() {
        let law = FaderLaw(Parameter.Number(unit: "dB", range: -31...0, isWhole: true))
        #expect(!law.isMeter && law.value(at: 0) == -31 && law.value(at: 1) == 0)
        for raw in 0...127 {
            let value = law.value(at: Double(raw) / 127)
            #expect(value == value.rounded())
        }
    }
}

@Suite struct SurfaceTargetTests {
    private static func target(_ address: String, part: Int = 0) throws -> SurfaceTarget {
        SurfaceTarget(address, try #require(SurfaceScale.table(address)), part: part)
    }

    @Test func theTableOfParametersSaysWhatAddressesTake() throws {
        #expect(try #require(SurfaceScale.table("recentre")).isDeed)
        #expect(try #require(SurfaceScale.table("input/main/mute")).isSwitch)
        #expect(try #require(SurfaceScale.table("level")).numbers.first?.unit == "dB")
        for address in [
            "", "nothing", "input/main/nothing", "input//level", "input/main/room", "a/level", "/level",
        ] {
            #expect(SurfaceScale.table(address) == nil, "\(address)")
        }
    }

    @Test func aFaderAtItsFootIsOff() throws {
        let target = try Self.target("level")
        #expect(target.value(at: 0, from: nil) == .word("off"))
        #expect(target.position(of: .word("off")) == 0)
        #expect(target.value(at: 0.8, from: nil)?.number == 0)
    }

    @Test func oneNumberOfSeveralMovesAndTheOthersStay() throws {
        let yaw = try Self.target("input/main/place")
        #expect(yaw.value(at: 0.5, from: .numbers([90, 10, 5])) == .numbers([0, 10, 5]))
        #expect(yaw.value(at: 0.5, from: nil) == .numbers([0, 0, 0]))
        let roll = try Self.target("follow", part: 2)
        #expect(roll.value(at: 0, from: nil) == .numbers([1, 1, 0]))
        #expect(roll.position(of: .numbers([0, 0, 0.5])) == 0.5)
    }

    @Test func wordsAreChosenByPositionStepAndPress() throws {
        let mode = try Self.target("mode")
        let states = mode.scale.states
        #expect(states.count == 3)
        #expect(mode.value(at: 0, from: nil) == .word(states[0]) && mode.value(at: 1, from: nil) == .word(states[2]))
        #expect(mode.value(1, of: nil, from: .word(states[1])) == .word(states[2]))
        #expect(mode.value(5, of: nil, from: .word(states[1])) == .word(states[2]))
        #expect(mode.value(-1, of: nil, from: .word(states[1])) == .word(states[0]))
        #expect(mode.pressed(from: .word(states[2])) == .word(states[0]))
        let mute = try Self.target("mute")
        #expect(mute.pressed(from: nil) == .word("toggle"))
        #expect(mute.pressed(from: .word("on")) == .word("off"))
        #expect(mute.value(at: 63.0 / 127, from: nil) == .word("off"))
        #expect(mute.value(at: 64.0 / 127, from: nil) == .word("on"))
    }

    @Test func stepsGoByTheirSizeOrByTheWay() throws {
        let width = try Self.target("source-width")
        #expect(width.value(3, of: 1, from: .numbers([10])) == .numbers([13]))
        #expect(width.value(-30, of: 1, from: .numbers([10])) == .numbers([0]))
        #expect(width.value(64, of: nil, from: .numbers([0])) == .numbers([90]))
        let level = try Self.target("level")
        #expect(level.value(2, of: 0.5, from: .numbers([-6])) == .numbers([-5]))
        // From off, steps begin at the foot of the travel, −70 dB.
        #expect(level.value(1, of: 0.5, from: .word("off")) == .numbers([-69.5]))
    }

    @Test func valuesAreShownInSixCharacters() throws {
        let level = try Self.target("level")
        #expect(level.text(of: .numbers([-12.34])) == "-12.3" && level.text(of: .numbers([3])) == "+3.0")
        #expect(level.text(of: .numbers([-0.04])) == "0.0" && level.text(of: .word("off")) == "off")
        #expect(try Self.target("drc-cut").text(of: .numbers([0.256])) == "0.26")
        #expect(try Self.target("dialnorm").text(of: .numbers([-27])) == "-27")
        #expect(try Self.target("place").text(of: .numbers([-179.6, 0, 0])) == "-180")
    }
}
