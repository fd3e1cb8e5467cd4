import Geometry
import HRTF
import Headphones
import Rooms
import Signal
import Soundstage
import Testing

@testable import Rendering

/// Changes of a stage are recorded with their frames, and replayed at these frames.
@Suite struct AutomationTests {
    private static func programmes() throws -> [Programme] {
        [try ProgrammeTests.surround(), Programme(name: "talk", layout: try .named("mono"))]
    }

    private static func renderer(_ room: RoomResponses?) throws -> StageRenderer {
        let renderer = try ProgrammeTests.stage(
            try programmes(), poses: try turning(degreesPerSecond: 40, from: -20, seconds: 2))
        if let room { try renderer.publish(room: room) }
        return renderer
    }

    /// Renders with every kind of change, each at a fixed frame, and a restart of the stream in between.
    private static func take(_ renderer: StageRenderer, _ inputs: [[Float]]) -> Ears {
        render(renderer, inputs, periods: [256, 100, 28]) { done in
            PeriodTime(restart: done == 0 || done == 15_360)
        } between: { done in
            let (main, talk) = (renderer.programmes[0], renderer.programmes[1])
            switch done {
            case 3840: main.change { $0.mode = .fixed }
            case 7680: talk.change { $0.level = 0.25 }
            // Changes made before the restart stay in force after it.
            case 11_520: main.change { $0.dynamics = DynamicsControls(normalisation: -4, profile: .speech) }
            case 19_200: main.change { $0.width = 1 }
            case 23_040: talk.change { $0.place = Rotation<Stage, Stage>(yaw: 1).quaternion }
            case 26_880: main.change { ($0.mode, $0.policy) = (.tracked, .nothing) }
            case 30_720: main.change { $0.policy = .everything }
            case 32_640: renderer.setRoom(on: false)
            case 38_400: renderer.setRoom(on: true)
            default: break
            }
        }
    }

    @Test(arguments: [256, 1000, 4096]) func aTakeIsThatTakeAgain(_ period: Int) throws {
        let inputs = ProgrammeTests.inputs(7, frames: 61_440)
        let live = try Self.renderer(nil)
        live.recordChanges(capacity: 64)
        let heard = Self.take(live, inputs)
        let all = live.drainChanges()
        let begin = try #require(all.lastIndex { $0.isStart && $0.part == .programme && $0.programme == 0 })
        let changes = Array(all[begin...])
        #expect(changes.count == 3 + 6 && changes.allSatisfy { $0.frame % 64 == 0 })
        let again = try Self.renderer(nil)
        again.follow(changes)
        let after = inputs.map { Array($0[15_360...]) }
        let replayed = render(again, after, periods: [period]) { PeriodTime(restart: $0 == 0) }
        let expected = Ears(left: Array(heard.left[15_360...]), right: Array(heard.right[15_360...]))
        // A restart fades the sound before it within a slice.
        let rest = 256..<46_080
        #expect(replayed.error(against: expected, in: rest) < -110)
        // After a restart the replay begins with the values in force at the start of the take.
        let twice = render(again, after, periods: [period]) { PeriodTime(restart: $0 == 0) }
        let same = twice.error(against: replayed, in: rest) == -.infinity
        #expect(same)
    }

    @Test func inPeriodsOfWholeSlicesEveryBitIsTheSame() throws {
        let inputs = ProgrammeTests.inputs(7, frames: 30_720)
        func change(_ renderer: StageRenderer) -> (Int) -> Void {
            { done in
                if done == 2560 { renderer.programmes[0].change { $0.level = 0.5 } }
                if done == 7680 { renderer.programmes[0].change { $0.width = 0.7 } }
                if done == 10_240 { renderer.programmes[1].change { $0.mode = .off } }
                if done == 20_480 { renderer.setRoom(on: false) }
            }
        }
        let live = try Self.renderer(nil)
        live.recordChanges(capacity: 64)
        let heard = render(
            live, inputs, periods: [256], time: { PeriodTime(restart: $0 == 0) }, between: change(live))
        let again = try Self.renderer(nil)
        again.follow(live.drainChanges())
        let replayed = render(again, inputs, periods: [1024]) { PeriodTime(restart: $0 == 0) }
        let same = replayed.isIdentical(to: heard)
        #expect(same)
    }

    @Test func theHeadphonesEqualisationIsSwitchedAgainWhereItWas() throws {
        let equaliser = try HeadphoneEqualiser(
            try EqualiserText("Preamp: -6 dB\nFilter 1: ON PK Fc 1000 Hz Gain 6 dB Q 1\n", name: ""), name: ""
        ) { response throws(HeadphonesError) in throw .unreadable(response.path, "") }
        let filter = HeadphoneFilter(equaliser, sampleRate: .studio)
        func equalised() throws -> StageRenderer {
            let renderer = try Self.renderer(nil)
            renderer.headphones.publish(filter)
            return renderer
        }
        let inputs = ProgrammeTests.inputs(7, frames: 20_480)
        let live = try equalised()
        live.headphones.set(on: false)
        live.recordChanges(capacity: 64)
        let heard = render(live, inputs, periods: [256], time: { PeriodTime(restart: $0 == 0) }) { done in
            if done == 5120 { live.headphones.set(on: true) }
            if done == 12_800 { live.headphones.set(on: false) }
        }
        let changes = live.drainChanges()
        let switches = changes.filter { $0.part == .headphones }
        #expect(switches.map(\.isOn) == [false, true, false] && switches.map(\.frame) == [0, 5120, 12_800])
        let again = try equalised()
        again.follow(changes)
        let replayed = render(again, inputs, periods: [1024]) { PeriodTime(restart: $0 == 0) }
        let isSame = replayed.isIdentical(to: heard)
        #expect(isSame)
        // A stage without an equalisation records no changes of one.
        let bare = try Self.renderer(nil)
        bare.recordChanges(capacity: 64)
        _ = render(bare, inputs, periods: [256]) { PeriodTime(restart: $0 == 0) }
        let isSilent = bare.drainChanges().allSatisfy { $0.part != .headphones }
        #expect(isSilent)
    }

    @Test func `Loudspeakers are silent and inverted again where they were`() throws {
        let inputs = ProgrammeTests.inputs(7, frames: 30_720)
        let live = try Self.renderer(nil)
        live.monitor.change { $0.loudspeakers[2] = 0 }
        live.recordChanges(capacity: 64)
        let heard = render(live, inputs, periods: [256], time: { PeriodTime(restart: $0 == 0) }) { done in
            switch done {
            case 5120: live.monitor.change { ($0.loudspeakers[0], $0.loudspeakers[2]) = (-1, 1) }
            // During the move to another gain, and from one silent loudspeaker to all but one.
            case 5632: live.monitor.change { $0.loudspeakers[0] = 0 }
            case 15_360: live.monitor.change { controls in for source in 1..<7 { controls.loudspeakers[source] = 0 } }
            case 20_480: live.monitor.change { controls in for source in 0..<7 { controls.loudspeakers[source] = 1 } }
            default: break
            }
        }
        let changes = live.drainChanges()
        let switches = changes.filter { $0.part == .loudspeakers }
        #expect(switches.map(\.frame) == [0, 5120, 5632, 15_360, 20_480])
        #expect(switches.map(\.switches.silent) == [0b100, 0, 1, 0b111_1111, 0])
        #expect(switches.map(\.switches.inverted) == [0, 1, 0, 0, 0])
        let again = try Self.renderer(nil)
        again.follow(changes)
        let replayed = render(again, inputs, periods: [1024]) { PeriodTime(restart: $0 == 0) }
        let isSame = replayed.isIdentical(to: heard)
        #expect(isSame)
        // A command applies until the next record. After a restart the replay begins anew; the sound before it fades
        // within a slice.
        let changed = render(again, inputs, periods: [256], time: { PeriodTime(restart: $0 == 0) }) { done in
            if done == 2560 { again.monitor.change { $0.loudspeakers[1] = -1 } }
        }
        #expect(changed.error(against: heard, in: 256..<2560) == -.infinity)
        #expect(changed.error(against: heard, in: 3584..<5120) > -60)
        #expect(changed.error(against: heard, in: 12_288..<15_360) < -100)
    }

    @Test func whatIsAskedWhileAutomationPlaysComesBetween() throws {
        let inputs = ProgrammeTests.inputs(7, frames: 20_480)
        let renderer = try Self.renderer(nil)
        var quiet = renderer.programmes[0].controls
        quiet.level = 0
        renderer.follow([
            StageChange(programme: 0, controls: quiet, frame: 0),
            StageChange(
                programme: 1,
                controls: {
                    var talk = renderer.programmes[1].controls; talk.level = 0; return talk
                }(), frame: 0),
        ])
        let ears = render(renderer, inputs, periods: [256]) {
            PeriodTime(restart: $0 == 0)
        } between: {
            if $0 == 10_240 { renderer.programmes[0].change { $0.level = 1 } }
        }
        #expect(ears.left[..<10_240].allSatisfy { $0 == 0 })
        #expect(ears.left[15_000...].contains { abs($0) > 0.1 })
    }
}
