import CLilv
import CPlugins

/// Port in lilv's data. It is valid only within `LV2World.use`, which holds the lock.
struct LV2PortView {
    let reader: LV2World.Reader
    let plugin: OpaquePointer
    let port: OpaquePointer

    /// Name of the port in commands.
    var symbol: String { LV2World.Reader.text(lilv_port_get_symbol(plugin, port)) }

    /// Classes of the port as text: the last parts of their URIs. Port, InputPort and OutputPort are left out.
    var classes: String {
        LV2World.Reader.items(lilv_port_get_classes(plugin, port))
            .map { LV2World.Reader.text($0).split(whereSeparator: { "#/".contains($0) }).last.map(String.init) ?? "" }
            .filter { !["Port", "InputPort", "OutputPort"].contains($0) }.joined(separator: ", ")
    }

    /// Returns the type and use of the port; nil if this host does not support it and it is not optional.
    func role(rate: Double) -> LV2Port.Role? {
        let isInput = isA(URIs.core + "InputPort")
        let isOptional = has(URIs.core + "connectionOptional")
        guard isInput || isA(URIs.core + "OutputPort") else { return isOptional ? .unconnected : nil }
        if isA(URIs.core + "CVPort"), isOptional { return .unconnected }
        if isA(URIs.core + "AudioPort") || isA(URIs.core + "CVPort") {
            return isInput ? (isKey(isOptional: isOptional) ? .silent : .audioIn) : .audioOut
        }
        if isA(URIs.core + "ControlPort") { return isInput ? .control(control(rate: rate)) : .reading }
        if isA(URIs.atom + "AtomPort"), carriesSequences {
            return isInput
                ? .eventsIn(events(midi: .midiIn), minimumBytes: minimumBytes)
                : .eventsOut(events(midi: .midiOut), minimumBytes: minimumBytes)
        }
        return isOptional ? .unconnected : nil
    }

    /// Standard function of the port; nil if it has none that this host knows.
    var designation: LV2Port.Designation? {
        if has(URIs.core + "reportsLatency") { return .latency }
        switch value(URIs.core + "designation") {
        case URIs.core + "enabled": return .enabled
        case URIs.core + "latency": return .latency
        case URIs.core + "freeWheeling": return .freeWheeling
        case URIs.core + "control": return .control
        case URIs.time + "beatsPerMinute": return .beatsPerMinute
        default: return nil
        }
    }

    // MARK: Statements

    /// Whether the port is of a class.
    func isA(_ uri: String) -> Bool { reader.withNode(uri) { lilv_port_is_a(plugin, port, $0) } ?? false }

    /// Whether the port has a property.
    func has(_ uri: String) -> Bool { reader.withNode(uri) { lilv_port_has_property(plugin, port, $0) } ?? false }

    /// Returns the value that the plugin's files state for a predicate, as text; empty if there is none.
    func value(_ uri: String) -> String {
        reader.withNode(uri) { LV2World.Reader.text(taking: lilv_port_get(plugin, port, $0)) } ?? ""
    }

    // MARK: Sound

    /// Whether the port is a side-chain input: the port or its group states so, or the port is optional and in no
    /// group. An optional port in a group that is no side chain is the second channel of a pair.
    private func isKey(isOptional: Bool) -> Bool {
        if has(URIs.core + "isSideChain") { return true }
        let group = reader.withNode(URIs.portGroups + "group") { lilv_port_get(plugin, port, $0) }
        guard let group else { return isOptional }
        defer { lilv_node_free(group) }
        return !reader.objects(group, URIs.portGroups + "sideChainOf").isEmpty
    }

    // MARK: Events

    /// Whether the port's atoms are event sequences.
    private var carriesSequences: Bool {
        reader.withNode(URIs.atom + "bufferType") { type in
            LV2World.Reader.texts(taking: lilv_port_get_value(plugin, port, type)).contains(URIs.atom + "Sequence")
        } ?? false
    }

    /// Returns the kinds of events of the port.
    private func events(midi: PluginEvents) -> PluginEvents {
        var kinds: PluginEvents = []
        let kindsOfEvents = [
            (URIs.midiEvent, midi), (URIs.patch + "Message", .patch), (URIs.time + "Position", .time),
        ]
        for (uri, kind) in kindsOfEvents
        where reader.withNode(uri, { lilv_port_supports_event(plugin, port, $0) }) ?? false {
            kinds.insert(kind)
        }
        return kinds
    }

    /// Size of memory that the port requires at least, bytes.
    private var minimumBytes: Int {
        // No plugin needs more than 16 MiB for one block, so larger numbers are limited.
        min(max(0, Int(value(URIs.resizePort + "minimumSize")) ?? 0), 1 << 24)
    }
}
