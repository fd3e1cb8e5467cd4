import Foundation
import Inserts
import Loading
import PluginHost
import Signal
import Synchronization

/// One plugin in a chain, with its linked instances and its settings.
///
/// Calls may come from any thread except the audio thread.
package final class PluginInsert: Sendable {
    /// Name in commands.
    package let name: String
    /// Place of the chain.
    package let place: PluginPlace
    /// Request from which the insert was created.
    package let request: PluginRequest
    /// Instances, one for each group of the place's channels. Calls of `PluginInstance` that allow one thread at a time
    /// must go through `alone` or `linked`.
    package let instances: [any PluginInstance]
    /// Description of the plugin.
    package var plugin: PluginDescription { instances[0].plugin }
    /// Lock for calls of the instances, because commands, automatic saves and status queries run on several threads.
    private let turn = Mutex(())
    /// Part of the insert that the audio thread runs.
    package let member: InsertMember
    /// Values that change, under a lock because several threads use them.
    private let now: Mutex<Now>
    /// Last preset that was loaded, and the properties that were set after it.
    private let said: Mutex<Said>
    /// Latency of the buffer that collects whole slices for the plugin, frames; included in `latency`. A slice is the
    /// block that is processed at once.
    package let blocking: Int

    private struct Now {
        var latency: Int
        var isBypassed: Bool
        var knowsTransport = false
    }

    private struct Said {
        var preset: String?
        var properties: [PluginRequest.Control]
    }

    /// Duration of a control's ramp to a new value, seconds.
    package static let glide = 0.02

    /// Creates the instances of a request, with its state, preset and controls. This lasts up to some tens of
    /// milliseconds per instance. `isWhole`: whether every block that is processed will be a whole slice.
    ///
    /// - Throws: the reason why the plugin is not available at the place.
    package init(
        _ request: PluginRequest, named name: String, at place: PluginPlace, from shelf: PluginShelf,
        _ setup: PluginSetup, isWhole: Bool, endings: PluginEndings
    ) throws(SessionError) {
        do throws(PluginError) {
            let plugin = try shelf.find(request.identifier)
            if let refusal = plugin.refusal { throw .refused(identifier: request.identifier, reason: refusal) }
            guard
                let routing = InsertRouting(
                    channels: place.channels, pluginInputs: plugin.audioInputs.count,
                    pluginOutputs: plugin.audioOutputs.count)
            else {
                throw .refused(
                    identifier: request.identifier,
                    reason: "it has \(plugin.audioInputs.count) inputs and \(plugin.audioOutputs.count) outputs, and "
                        + "'\(place.name)' has \(place.channels) channels: a plugin there needs 1, 2 or \(place.channels) "
                        + "of both, or no inputs")
            }
            guard !request.isIsolated || shelf.isolated != nil else {
                throw .refused(
                    identifier: request.identifier, reason: "this program cannot run it in a process of its own")
            }
            let backend = request.isIsolated ? shelf.isolated ?? shelf.backend : shelf.backend
            var setup = setup
            setup.isFixed = isWhole || plugin.needsFixedBlocks
            let (fixed, needsBlocks) = (setup, plugin.needsFixedBlocks && !isWhole)
            let made = try PluginShelf.bounded(request.identifier, "making an instance") { () throws(PluginError) in
                var made: [any PluginInstance] = []
                do throws(PluginError) {
                    for _ in routing.inputs {
                        let instance = try backend.instantiate(plugin, fixed)
                        made.append(instance)
                        try PluginInsert.prepare(instance, as: request)
                    }
                } catch {
                    for instance in made { _ = instance.close(within: 1) }
                    throw error
                }
                // The plugin reports its latency only after a run.
                let first = made[0]
                if plugin.tellsLatency {
                    first.processor.process(frames: fixed.slice, offline: true)
                    first.processor.restart(first.processor.context)
                }
                // A live plugin settles while it runs before the sound begins.
                if !fixed.isLive {
                    for instance in made {
                        instance.processor.settle(slice: fixed.slice, sampleRate: fixed.sampleRate.hertz)
                    }
                }
                return made
            }
            instances = made
            let blocks = needsBlocks ? made.map { BlockedProcessor($0.processor, slice: fixed.slice) } : []
            blocking = needsBlocks ? fixed.slice : 0
            let latency = made[0].latencyFrames + blocking
            now = Mutex(Now(latency: latency, isBypassed: request.isBypassed))
            self.name = name
            self.place = place
            self.request = request
            said = Mutex(
                Said(
                    preset: request.preset,
                    properties: request.controls.filter { control in
                        !plugin.controls.contains { $0.symbol == control.symbol }
                    }))
            member = InsertMember(
                needsBlocks ? blocks.map(\.processor) : made.map(\.processor), routing: routing, latency: latency,
                tellsLatency: plugin.tellsLatency, sampleRate: setup.sampleRate, slice: setup.slice,
                keeping: blocks + [PluginHold(made, of: name, endings: endings)])
        } catch {
            throw SessionError(error)
        }
    }

    /// Latency that the chain compensates for, frames.
    package var latency: Int {
        get { now.withLock(\.latency) }
        set { now.withLock { $0.latency = newValue } }
    }

    /// Whether the insert is bypassed.
    package var isBypassed: Bool { now.withLock(\.isBypassed) }

    /// Bypasses the insert or ends the bypass; nil toggles.
    package func bypass(_ on: Bool?) { now.withLock { $0.isBypassed = on ?? !$0.isBypassed } }

    /// Returns whether the insert has not received a transport position yet, and marks it as informed.
    package func learnsOfTransport() -> Bool {
        now.withLock { now in
            defer { now.knowsTransport = true }
            return !now.knowsTransport
        }
    }

    /// Initialises an instance from its request, in the order state, preset, controls.
    private static func prepare(_ instance: any PluginInstance, as request: PluginRequest) throws(PluginError) {
        if let state = request.state { try instance.restore(from: state) }
        if let preset = request.preset { try instance.load(preset: preset) }
        for control in request.controls { try set(control.symbol, control.value, on: instance, within: 0) }
    }

    /// Calls the first instance, which represents all, while no other thread calls any instance.
    package func alone<Result: Sendable>(
        _ call: (any PluginInstance) throws(PluginError) -> Result
    ) throws(PluginError) -> Result {
        try turn.withLock { _ throws(PluginError) in try call(instances[0]) }
    }

    /// Calls all instances while no other thread calls any, for a change that they all apply in the same slice.
    package func linked(_ call: (any PluginInstance) throws(PluginError) -> Void) throws(PluginError) {
        try turn.withLock { _ throws(PluginError) in
            try member.together { () throws(PluginError) in
                for instance in instances { try call(instance) }
            }
        }
    }

    /// Last requested values of the controls, by symbol.
    package var controls: [String: Float] { instances[0].controls() }

    /// Properties that were set after the last preset, oldest first. A property whose file no longer exists is
    /// left out, because the plugin's state has a copy of the file.
    package var properties: [PluginRequest.Control] {
        said.withLock(\.properties).filter { set in
            let property = plugin.properties.first { $0.identifier == set.symbol || $0.word == set.symbol }
            guard let property, case .path(let path) = property.value(set.value) else { return true }
            return FileManager.default.fileExists(atPath: path)
        }
    }

    /// Sets a control or a property of all instances. `value` is a text: a number, the name of a choice, `on` or `off`,
    /// or the text or path of a property. Continuous controls reach the value in `seconds`.
    package func set(_ symbol: String, _ value: String, within seconds: Double = glide) throws(PluginError) {
        try linked { instance throws(PluginError) in try Self.set(symbol, value, on: instance, within: seconds) }
        guard !instances[0].plugin.controls.contains(where: { $0.symbol == symbol }) else { return }
        said.withLock { said in
            said.properties.removeAll { $0.symbol == symbol }
            said.properties.append(PluginRequest.Control(symbol: symbol, value: value))
        }
    }

    /// Loads a preset, by URI or label.
    package func load(preset: String) throws(PluginError) {
        try linked { instance throws(PluginError) in try instance.load(preset: preset) }
        said.withLock { $0 = Said(preset: preset, properties: []) }
    }

    private static func set(
        _ symbol: String, _ value: String, on instance: any PluginInstance, within seconds: Double
    ) throws(PluginError) {
        let plugin = instance.plugin
        if let control = plugin.controls.first(where: { $0.symbol == symbol }) {
            guard let number = control.number(value) else {
                throw .badValue(
                    identifier: plugin.identifier, symbol: symbol, value: value, takes: control.whatItTakes)
            }
            return try instance.set(symbol, to: number, within: seconds)
        }
        if let property = plugin.properties.first(where: { $0.identifier == symbol || $0.word == symbol }) {
            return try instance.set(property: property.identifier, to: property.value(value))
        }
        throw .noControl(
            identifier: plugin.identifier, symbol: symbol,
            known: plugin.controls.map(\.symbol) + plugin.properties.map(\.word))
    }

    /// Request for an insert in the present state. It is the original request with the present preset, properties and
    /// controls, without the original state if its folder no longer exists.
    package var requestNow: PluginRequest {
        var now = request
        now.name = name
        now.isBypassed = isBypassed
        if let state = now.state, !FileManager.default.fileExists(atPath: state) {
            (now.state, now.keeper) = (nil, nil)
        }
        (now.preset, now.controls) = said.withLock { ($0.preset, $0.properties) }
        now.controls += controls.sorted { $0.key < $1.key }.map {
            PluginRequest.Control(symbol: $0.key, value: String($0.value))
        }
        return now
    }
}

extension PluginControl {
    /// Converts a text: a number, the name of a choice, or for a switch or trigger on, yes, true, off, no or false.
    /// Returns nil for any other text.
    package func number(_ text: String) -> Float? {
        if let choice = choices.first(where: { $0.label.lowercased() == text.lowercased() }) { return choice.value }
        if let number = Float(text) { return number }
        guard kind == .toggle || kind == .trigger else { return nil }
        switch text {
        case "on", "yes", "true": return 1
        case "off", "no", "false": return 0
        default: return nil
        }
    }
}

extension PluginProperty {
    /// Last word of the identifier, used as a short name of the property.
    package var word: String { identifier.split { "/#:".contains($0) }.last.map(String.init) ?? identifier }

    /// Converts a text to the type of the property; for unknown types to a number if it is one, otherwise to a text.
    package func value(_ text: String) -> PropertyValue {
        switch takes {
        case "path": .path(text)
        case "text": .text(text)
        default: Double(text).map { .number($0) } ?? .text(text)
        }
    }
}
