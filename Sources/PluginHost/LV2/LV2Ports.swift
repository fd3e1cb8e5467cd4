import CLilv
import CPlugins

/// The ports of one plugin, and why they cannot be served.
struct LV2Ports: Sendable {
    /// In the order of their numbers.
    private(set) var ports: [LV2Port] = []
    /// What is wrong with them, or required of them and not here.
    private(set) var faults: [String] = []

    /// Reads the ports of a plugin; those that scale with the sampling rate at `rate` hertz.
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

    /// Symbols of the ports of one role.
    func symbols(_ role: LV2Port.Role) -> [String] { ports.filter { $0.role == role }.map(\.symbol) }

    /// The controls that can be set, in order: all but those the host sets itself.
    var controls: [PluginControl] {
        ports.compactMap { port in
            guard case .control(let control) = port.role, port.designation != .freeWheeling else { return nil }
            return control
        }
    }

    /// What all event ports together carry.
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
