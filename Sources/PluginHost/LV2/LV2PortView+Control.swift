import CLilv
import CPlugins

extension LV2PortView {
    /// Returns the description of a control input at a sampling rate in hertz.
    func control(rate: Double) -> PluginControl {
        let choices = self.choices
        let kind = self.kind(choices: choices)
        let (range, initial) = values(kind: kind, choices: choices, rate: rate)
        let name = LV2World.Reader.text(taking: lilv_port_get_name(plugin, port))
        return PluginControl(
            symbol: symbol, name: name.isEmpty ? symbol : name, unit: unit, range: range, initial: initial, kind: kind,
            isLogarithmic: has(URIs.portProps + "logarithmic"), choices: choices, group: group)
    }

    /// Name of the port's group (pg:group), or else the group's label or symbol; nil without a group, or if the group
    /// has none of these.
    private var group: String? {
        let group = reader.withNode(URIs.portGroups + "group") { lilv_port_get(plugin, port, $0) }
        guard let group else { return nil }
        defer { lilv_node_free(group) }
        let names = [URIs.core + "name", URIs.rdfs + "label", URIs.core + "symbol"].lazy.flatMap {
            reader.objects(group, $0).sorted()
        }
        return names.first { !$0.isEmpty }
    }

    private func kind(choices: [PluginChoice]) -> PluginControl.Kind {
        if has(URIs.portProps + "trigger") { return .trigger }
        if has(URIs.core + "toggled") { return .toggle }
        if has(URIs.core + "enumeration"), !choices.isEmpty { return .choice }
        return has(URIs.core + "integer") ? .whole : .continuous
    }

    /// Returns range and initial value. A limit that the plugin does not state is 0 (lower) or 1 (upper), extended to
    /// contain the choices and the default. The initial value is the default within the range; without a default, the
    /// lower limit.
    private func values(
        kind: PluginControl.Kind, choices: [PluginChoice], rate: Double
    ) -> (range: ClosedRange<Float>, initial: Float) {
        var nodes: (initial: OpaquePointer?, least: OpaquePointer?, greatest: OpaquePointer?) = (nil, nil, nil)
        lilv_port_get_range(plugin, port, &nodes.initial, &nodes.least, &nodes.greatest)
        defer { [nodes.initial, nodes.least, nodes.greatest].forEach { lilv_node_free($0) } }
        let scale: Float = has(URIs.core + "sampleRate") ? Float(rate) : 1
        // Multiples of the sample rate beyond the largest float are limited to the largest float.
        func scaled(_ number: Float) -> Float {
            max(-.greatestFiniteMagnitude, min(.greatestFiniteMagnitude, number * scale))
        }
        let given = Self.number(nodes.initial).map(scaled)
        let known = choices.map(\.value) + [given].compactMap { $0 }
        var least = Self.number(nodes.least).map(scaled) ?? known.reduce(0, min)
        var greatest = Self.number(nodes.greatest).map(scaled) ?? known.reduce(1, max)
        if kind == .toggle { (least, greatest) = (min(least, 0), max(greatest, 1)) }
        if least > greatest { swap(&least, &greatest) }
        return (least...greatest, min(greatest, max(least, given ?? least)))
    }

    private static func number(_ node: OpaquePointer?) -> Float? {
        guard let node else { return nil }
        if lilv_node_is_bool(node) { return lilv_node_as_bool(node) ? 1 : 0 }
        guard lilv_node_is_float(node) || lilv_node_is_int(node) else { return nil }
        let number = lilv_node_as_float(node)
        return number.isFinite ? number : nil
    }

    /// Values with names, in ascending order.
    private var choices: [PluginChoice] {
        guard let points = lilv_port_get_scale_points(plugin, port) else { return [] }
        defer { lilv_scale_points_free(points) }
        var choices: [PluginChoice] = []
        var place = lilv_scale_points_begin(points)
        while !lilv_scale_points_is_end(points, place) {
            if let point = lilv_scale_points_get(points, place),
                let value = Self.number(lilv_scale_point_get_value(point))
            {
                choices.append(
                    PluginChoice(value: value, label: LV2World.Reader.text(lilv_scale_point_get_label(point))))
            }
            place = lilv_scale_points_next(points, place)
        }
        return choices.sorted { ($0.value, $0.label) < ($1.value, $1.label) }
    }

    /// Unit as it is written after a number; empty if the port states none.
    private var unit: String {
        reader.withNode(URIs.units + "unit") { predicate -> String? in
            guard let unit = lilv_port_get(plugin, port, predicate) else { return nil }
            defer { lilv_node_free(unit) }
            return reader.objects(unit, URIs.units + "symbol").first
        } ?? ""
    }
}
