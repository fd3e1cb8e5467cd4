import CLilv
import CPlugins

/// Ports of one plugin, and the reasons why this host cannot support them.
struct LV2Ports: Sendable {
    /// Ports in the order of their indices.
    private(set) var ports: [LV2Port] = []
    /// Faults of the ports, and ports of kinds that this host does not support.
    private(set) var faults: [String] = []

    /// Reads the ports of a plugin. `rate`: sampling rate in hertz, for ranges that scale with it.
    init(_ reader: LV2World.Reader, _ plugin: OpaquePointer, rate: Double) {
        faults = LV2PortFaults.find(reader, plugin)
        guard faults.isEmpty else { return }
        for index in 0..<lilv_plugin_get_num_ports(plugin) {
            guard let port = lilv_plugin_get_port_by_index(plugin, index) else { continue }
            let view = LV2PortView(reader: reader, plugin: plugin, port: port)
            let symbol = view.symbol
            guard let role = view.role(rate: rate) else {
                faults.append("its port '\(symbol)' is of a kind this host does not have (\(view.classes))")
                continue
            }
            ports.append(
                LV2Port(index: Int(index), symbol: symbol, role: role, designation: view.designation))
        }
    }

    /// Returns the symbols of all ports of a role.
    func symbols(_ role: LV2Port.Role) -> [String] { ports.filter { $0.role == role }.map(\.symbol) }

    /// Controls that can be set, in order: all but the free-wheeling control, which the host sets.
    var controls: [PluginControl] {
        ports.compactMap { port in
            guard case .control(let control) = port.role, port.designation != .freeWheeling else { return nil }
            return control
        }
    }

    /// Kinds of events that the event inputs accept, and MIDI if an event output sends it.
    var events: PluginEvents {
        ports.reduce(into: []) { events, port in
            switch port.role {
            case .eventsIn(let kinds, _):
                events.formUnion(kinds.subtracting(.midiOut))
            case .eventsOut(let kinds, _):
                if kinds.contains(.midiOut) { events.insert(.midiOut) }
            default: break
            }
        }
    }
}
