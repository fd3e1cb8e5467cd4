import Foundation
import Inserts
import PluginHost
import Testing

@Suite struct LV2EventTests {
    private static let params = "http://lv2plug.in/plugins/eg-params"

    @Test func `A plugin of fifths answers each note with one seven semitones above`() throws {
        let identifier = "http://lv2plug.in/plugins/eg-fifths"
        guard let plugin = try InstalledPlugins.find(identifier, in: "eg-fifths.lv2") else { return }
        #expect(plugin.events == [.midiIn, .midiOut])
        let fifths = try Sounding(plugin)
        let instance = try #require(fifths.instance as? LV2Instance)
        try instance.send(midi: [0x90, 60, 100])
        try instance.send(midi: [0x80, 60, 0])
        fifths.rest()
        #expect(instance.takeMIDI() == [[0x90, 60, 100], [0x90, 67, 100], [0x80, 60, 0], [0x80, 67, 0]])
        #expect(instance.takeMIDI() == [])
        #expect(throws: PluginError.self) { try instance.send(midi: [60]) }
        #expect(instance.close(within: 1))
    }

    @Test func `More MIDI than one call takes comes in the next ones, in order`() throws {
        let identifier = "http://lv2plug.in/plugins/eg-fifths"
        guard let plugin = try InstalledPlugins.find(identifier, in: "eg-fifths.lv2") else { return }
        let fifths = try Sounding(plugin)
        let instance = try #require(fifths.instance as? LV2Instance)
        // Each note takes 24 bytes in the input sequence of 8 KiB, and twice this in the output.
        let notes = (0..<900).map { UInt8($0 % 100) }
        for note in notes { try instance.send(midi: [0x90, note, 1]) }
        fifths.rest(frames: 64 * 12)
        let heard = instance.takeMIDI()
        #expect(heard.count <= 1800 && instance.health.lost == 0)
        let own = heard.enumerated().filter { $0.offset.isMultiple(of: 2) }.map { $0.element[1] }
        #expect(Array(own.prefix(100)) == Array(notes.prefix(100)))
        #expect(instance.close(within: 1))
    }

    @Test func `A gate of MIDI lets sound through while a note is held`() throws {
        let identifier = "http://lv2plug.in/plugins/eg-midigate"
        guard let plugin = try InstalledPlugins.find(identifier, in: "eg-midigate.lv2") else { return }
        let gate = try Sounding(plugin)
        let ones = [Float](repeating: 1, count: 64)
        #expect(gate.play(ones).allSatisfy { $0 == 0 })
        try gate.instance.send(midi: [0x90, 60, 100])
        // Requests wait, because linked instances are receiving the same requests.
        gate.instance.processor.process(frames: 64, offline: false, isDeaf: true)
        #expect((0..<64).allSatisfy { gate.instance.processor.outputs[0][$0] == 0 })
        #expect(gate.play(ones) == ones)
        try gate.instance.send(midi: [0x80, 60, 0])
        #expect(gate.play(ones).allSatisfy { $0 == 0 })
        #expect(gate.instance.close(within: 1))
    }

    @Test func `Properties of every type are set by messages and told back`() throws {
        guard let plugin = try InstalledPlugins.find(Self.params, in: "eg-params.lv2") else { return }
        let values: [(String, PropertyValue)] = [
            ("int", .number(7)), ("long", .number(8)), ("float", .number(0.25)), ("double", .number(0.125)),
            ("bool", .number(1)), ("string", .text("ear")), ("path", .path("/tmp")),
        ]
        #expect(plugin.events.contains(.patch) && plugin.hasState)
        let sounding = try Sounding(plugin)
        let instance = sounding.instance
        for (name, value) in values { try instance.set(property: "\(Self.params)#\(name)", to: value) }
        sounding.rest()
        sounding.rest()
        let told = instance.properties()
        for (name, value) in values { #expect(told["\(Self.params)#\(name)"] == value, "\(name)") }
        #expect(throws: PluginError.self) { try instance.set(property: "\(Self.params)#int", to: .text("one")) }
        #expect(throws: PluginError.self) { try instance.set(property: "\(Self.params)#none", to: .number(1)) }
        #expect(instance.close(within: 1))
    }

    @Test func `A plugin without events says so`() throws {
        guard let plugin = try InstalledPlugins.find("http://lv2plug.in/plugins/eg-amp", in: "eg-amp.lv2") else {
            return
        }
        let amp = try Sounding(plugin)
        #expect(throws: PluginError.noMIDI(identifier: plugin.identifier)) {
            try amp.instance.send(midi: [0x90, 1, 1])
        }
        #expect(throws: PluginError.self) { try amp.instance.set(property: "urn:none", to: .number(1)) }
        amp.instance.transport(TransportPosition(frame: 0, speed: 1, beatsPerMinute: 120))
        amp.rest()
        #expect(amp.instance.close(within: 1))
    }

    @Test func `A metronome follows the transport's tempo`() throws {
        let identifier = "http://lv2plug.in/plugins/eg-metro"
        guard let plugin = try InstalledPlugins.find(identifier, in: "eg-metro.lv2") else { return }
        #expect(plugin.events.contains(.time))
        let metro = try Sounding(plugin)
        // At 240 beats per minute there are four clicks a second, each after silence.
        metro.instance.transport(TransportPosition(frame: 0, speed: 1, beatsPerMinute: 240))
        let sound = metro.play([Float](repeating: 0, count: 96_000))
        let blocks = stride(from: 0, to: sound.count, by: 480).map { start in
            sound[start..<min(sound.count, start + 480)].contains { abs($0) > 1e-3 }
        }
        let clicks = zip(blocks, blocks.dropFirst()).filter { !$0 && $1 }.count
        #expect((7...8).contains(clicks))
        #expect(metro.instance.close(within: 1))
    }
}
