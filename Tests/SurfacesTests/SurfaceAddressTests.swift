import Desk
import Stages
import Testing

@testable import Surfaces

/// Addresses that a control can set.
struct SurfaceAddressTests {
    @Test func loudspeakersHaveTheirSwitches() throws {
        for word in ["mute", "solo", "polarity", "test-noise"] {
            let scale = try #require(SurfaceScale.table("loudspeaker/FL/\(word)"))
            #expect(scale.isSwitch && scale.isPressable && scale.standard == .word("off"), "\(word)")
        }
        for none in ["loudspeaker/FL/level", "loudspeaker//mute", "loudspeaker/FL", "loudspeaker/FL/mute/on"] {
            #expect(SurfaceScale.table(none) == nil, "\(none)")
        }
        let map = try SurfaceMap(
            text: "{\"version\": 1, \"bindings\": [{\"control\": \"note 1\", \"address\": \"loudspeaker/FL/solo\"}]}")
        var surface = ControlSurface(map)
        #expect(surface.faults.isEmpty)
        let pressed = surface.receive(.noteOn(channel: 0, note: 1, velocity: 9), at: 0)
        #expect(pressed.requests == [SurfaceRequest("loudspeaker/FL/solo", .word("toggle"))])
        guard case .set(let change)? = pressed.requests.first?.command else {
            Issue.record("nothing is set")
            return
        }
        #expect(change.parameter.id == "loudspeaker-solo" && change.input == "FL")
        // The value in force lights the lamp.
        #expect(
            surface.hear([("loudspeaker/FL/solo", .word("on"))], at: 1) == [.noteOn(channel: 0, note: 1, velocity: 127)]
        )
    }

    @Test func aTakeIsBegunAndMarkedByKeys() throws {
        #expect(SurfaceScale.table("record")?.isSwitch == true)
        #expect(SurfaceRequest("record", .word("on")).command == .record(.turn(on: true)))
        for (address, command) in [
            ("record/start", SessionCommand.Recording.start(file: nil)), ("record/stop", .stop),
            ("record/marker", .marker(name: nil)),
        ] {
            #expect(SurfaceScale.table(address)?.isDeed == true)
            #expect(SurfaceRequest(address).command == .record(command))
        }
    }

    @Test func whatAllInputsAreGivenIsOfTheSession() {
        let surface = MackieSurface(MackieMap(inputs: ["main", "talk"]))
        #expect(surface.faults.isEmpty && surface.master?.address == "monitor-level")
    }
}
