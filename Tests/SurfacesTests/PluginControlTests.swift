import Desk
import Foundation
import HeadTracking
import Racks
import Stages
import Testing

@testable import Surfaces

/// Plugin controls on a surface: the session provides their ranges when it has the plugin.
@Suite struct PluginControlTests {
    private static let address = "plugin/amp/set/gain"

    private static func range(
        _ range: ClosedRange<Double>, _ change: (inout PluginControls.Range) -> Void = { _ in }
    ) -> PluginControls.Range {
        var found = PluginControls.Range(range)
        change(&found)
        return found
    }

    private static func cc(_ value: UInt8) -> MIDIMessage { .controller(channel: 0, number: 7, value: value) }

    private static func map(_ address: String = address, _ change: (inout SurfaceBinding) -> Void = { _ in })
        -> SurfaceMap
    {
        var map = SurfaceMap()
        map.bindings = [SurfaceBinding(SurfaceControl(.controller(7), channel: 0), address)]
        change(&map.bindings[0])
        return map
    }

    @Test func aFaderGoesFromOneEndOfTheControlToTheOther() throws {
        let controls = PluginControls()
        var surface = ControlSurface(Self.map(), table: SurfaceScale.table(of: controls))
        // The map is read before the session has plugins.
        #expect(surface.faults.isEmpty)
        controls.enter([Self.address: Self.range(-24...24)])
        #expect(surface.hear([(Self.address, .numbers([24]))], at: 0) == [Self.cc(127)])
        #expect(surface.receive(Self.cc(0), at: 1).requests == [SurfaceRequest(Self.address, .numbers([-24]))])
        let command = try #require(SurfaceRequest(Self.address, .numbers([-24])).command)
        #expect(command == .plugin(.set("amp", symbol: "gain", value: "-24")))
        // Another plugin of the same name has another range.
        controls.enter([Self.address: Self.range(0...2)])
        _ = surface.hear([(Self.address, .numbers([1]))], at: 2)
        #expect(surface.receive(Self.cc(127), at: 3).requests == [SurfaceRequest(Self.address, .numbers([2]))])
    }

    @Test func frequenciesGoByRatios() {
        let controls = PluginControls()
        controls.enter([Self.address: Self.range(20...20_480) { ($0.isLogarithmic, $0.unit) = (true, "Hz") }])
        var surface = ControlSurface(
            Self.map { $0.relative = .twosComplement }, table: SurfaceScale.table(of: controls))
        _ = surface.hear([(Self.address, .numbers([640]))], at: 0)
        let found = surface.receive(Self.cc(1), at: 1).requests.first?.value?.number ?? 0
        // One of 128 steps over ten octaves.
        #expect(abs(found / 640 - exp2(10.0 / 128)) < 1e-9)
        let law = FaderLaw(Self.range(20...20_480).number, isLogarithmic: true)
        #expect(abs(law.value(at: 0.5) - 640) < 1e-9 && abs(law.position(of: 640) - 0.5) < 1e-12)
        for raw in 0...127 {
            #expect(Int((law.position(of: law.value(at: Double(raw) / 127)) * 127).rounded()) == raw)
        }
    }

    @Test func aSwitchIsTurnedOverByAKeyAndLightsItsLamp() {
        let controls = PluginControls()
        controls.enter([Self.address: Self.range(0...1) { ($0.isSwitch, $0.isWhole) = (true, true) }])
        var map = SurfaceMap()
        map.bindings = [SurfaceBinding(SurfaceControl(.note(36), channel: 0), Self.address)]
        var surface = ControlSurface(map, table: SurfaceScale.table(of: controls))
        let (on, off) = (
            MIDIMessage.noteOn(channel: 0, note: 36, velocity: 127),
            MIDIMessage.noteOff(channel: 0, note: 36, velocity: 0)
        )
        #expect(surface.hear([(Self.address, .numbers([1]))], at: 0) == [on])
        #expect(surface.receive(on, at: 1).requests == [SurfaceRequest(Self.address, .word("off"))])
        #expect(surface.hear([(Self.address, .numbers([0]))], at: 2) == [off])
        #expect(surface.receive(on, at: 3).requests == [SurfaceRequest(Self.address, .word("on"))])
    }

    @Test func itIsLearntAsAnythingElse() {
        let controls = PluginControls()
        controls.enter([Self.address: Self.range(-24...24)])
        var surface = ControlSurface(SurfaceMap(), table: SurfaceScale.table(of: controls))
        let isTaken = surface.learn(Self.address)
        #expect(isTaken)
        // A key cannot move a range.
        _ = surface.receive(.noteOn(channel: 0, note: 36, velocity: 1), at: 0)
        #expect(surface.learning == Self.address)
        _ = surface.receive(.pitchBend(channel: 0, value: 0), at: 1)
        #expect(surface.map.bindings.map(\.address) == [Self.address])
        let request = surface.receive(.pitchBend(channel: 0, value: 16_383), at: 2).requests
        #expect(request == [SurfaceRequest(Self.address, .numbers([24]))])
    }

    @Test func whatIsNotKnownIsMovedBetweenEndsThatTheMapSays() {
        var surface = ControlSurface(Self.map { ($0.from, $0.to) = (-6, 6) })
        #expect(surface.receive(Self.cc(127), at: 0).requests == [SurfaceRequest(Self.address, .numbers([6]))])
        for none in ["plugin/amp/set", "plugin//set/gain", "plugin/amp/set/", "plugin/amp/get/gain"] {
            #expect(SurfaceScale.table(none) == nil, "\(none)")
        }
    }

    @Test func aStripOfAMackieControlMovesIt() {
        let controls = PluginControls()
        var (map, strip) = (SurfaceMap(), MackieMap.Strip("Amp"))
        strip.fader = Self.address
        var mackie = MackieMap(inputs: [])
        mackie.strips = [strip]
        map.mackie = mackie
        var surface = ControlSurface(map, table: SurfaceScale.table(of: controls))
        controls.enter([Self.address: Self.range(-24...24)])
        let told = surface.hear([(Self.address, .numbers([24]))], at: 0)
        #expect(told.contains(.pitchBend(channel: 0, value: UInt16(MackieWire.fullScale))))
        let requests = surface.receive(.pitchBend(channel: 0, value: 0), at: 1).requests
        #expect(requests == [SurfaceRequest(Self.address, .numbers([-24]))])
    }

    @Test func whatIsDoneWithoutAValueHasAnAddressOfItsOwn() {
        for (address, command) in [
            ("recentre/full", SessionCommand.recentre(.full)), ("recentre/reset", .recentre(.reset)),
            ("loudness/reset", .loudness(reset: true)),
            ("interrupt/begin", .playback(.beginInterruption(name: "surface", .pause, lease: nil))),
            ("interrupt/end", .playback(.endInterruption(name: "surface", resumes: true))),
        ] {
            #expect(SurfaceScale.table(address)?.isDeed == true)
            #expect(SurfaceRequest(address).command == command)
        }
    }
}
