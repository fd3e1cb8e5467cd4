import Foundation
import PluginHost

/// Description of a plugin as text.
enum PluginText {
    /// Returns the plugin's name, properties, controls and presets, one line each.
    static func lines(_ plugin: PluginDescription) -> [String] {
        func row(_ title: String, _ words: String) -> String? {
            words.isEmpty ? nil : "  " + title.padding(toLength: 12, withPad: " ", startingAt: 0) + words
        }
        return [plugin.name]
            + [
                row("refused", plugin.refusal ?? ""), row("URI", plugin.identifier), row("kind", plugin.kind),
                row("maker", plugin.maker), row("version", "\(plugin.version.minor).\(plugin.version.micro)"),
                row("licence", plugin.license),
                row("bundle", plugin.bundle), row("in", channels(plugin.audioInputs)),
                row("out", channels(plugin.audioOutputs)),
                row("latency", plugin.tellsLatency ? "reported while it runs" : "not reported"),
                row("blocks", plugin.needsFixedBlocks ? "all of one length" : "of any length"),
                row("features", features(plugin)), row("events", events(plugin.events)),
            ].compactMap(\.self)
            + section("controls", plugin.controls.map(line)) + section("properties", plugin.properties.map(line))
            + section("presets", plugin.presets.map { "\($0.label)  \($0.identifier)" })
    }

    private static func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : ["  \(title)"] + lines.map { "    " + $0 }
    }

    private static func channels(_ symbols: [String]) -> String {
        symbols.isEmpty ? "no channels" : "\(symbols.count): " + symbols.joined(separator: ", ")
    }

    private static func features(_ plugin: PluginDescription) -> String {
        [
            plugin.isRealTimeSafe ? "declared real-time safe" : nil,
            plugin.hasBypass ? "bypasses itself" : nil, plugin.hasState ? "saves more than its controls" : nil,
        ].compactMap(\.self).joined(separator: ", ")
    }

    private static func events(_ events: PluginEvents) -> String {
        let words: [(PluginEvents, String)] = [
            (.midiIn, "receives MIDI"), (.midiOut, "sends MIDI"), (.patch, "properties are set by messages"),
            (.time, "follows the transport"),
        ]
        return words.filter { events.contains($0.0) }.map(\.1).joined(separator: ", ")
    }

    private static func line(_ control: PluginControl) -> String {
        func value(_ number: Float) -> String { String(format: "%g", number) }
        let unit = control.unit.isEmpty ? "" : " " + control.unit
        let range = value(control.range.lowerBound) + "…" + value(control.range.upperBound) + unit
        let choices = control.choices.map { "\(value($0.value)) \($0.label)" }.joined(separator: ", ")
        let takes =
            switch control.kind {
            case .continuous: range + (control.isLogarithmic ? ", logarithmic" : "")
            case .whole: range + ", whole numbers"
            case .toggle: "off or on (0, 1)"
            case .choice: "one of " + choices
            case .trigger: "acts when set to \(value(control.range.upperBound))"
            }
        let named = control.kind == .choice || choices.isEmpty ? "" : " (\(choices))"
        return "\(control.symbol)  \(control.name): \(takes)\(named); default \(value(control.initial))"
    }

    private static func line(_ property: PluginProperty) -> String {
        "\(property.identifier)  \(property.label): \(property.takes)" + (property.isWritable ? "" : ", read only")
    }
}
