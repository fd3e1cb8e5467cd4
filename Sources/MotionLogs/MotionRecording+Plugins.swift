import Takes

extension MotionRecording {
    /// What was asked of a plugin while the session played.
    package struct PluginChange: Hashable, Sendable, Codable {
        /// The name by which commands know it.
        package var name: String
        /// Frames since stream time 0, from about which on it was asked.
        package var frame: Int
        /// Values of the controls that were set, by symbol.
        package var controls: [String: Float]
        /// Whether sound passed it; nil: as before.
        package var bypass: Bool?

        /// A change; see the properties.
        package init(name: String, frame: Int, controls: [String: Float] = [:], bypass: Bool? = nil) {
            (self.name, self.frame, self.controls, self.bypass) = (name, frame, controls, bypass)
        }
    }

    /// All that is asked of a plugin.
    package struct PluginState: Hashable, Sendable {
        /// Values of its controls, by symbol.
        package var controls: [String: Float]
        /// Whether sound passes it.
        package var isBypassed: Bool

        /// A state; see the properties.
        package init(controls: [String: Float], isBypassed: Bool) {
            (self.controls, self.isBypassed) = (controls, isBypassed)
        }

        /// What leads here from another state, or from nothing known; nil where both are alike.
        func change(of name: String, from before: PluginState?, frame: Int) -> PluginChange? {
            guard self != before else { return nil }
            return PluginChange(
                name: name, frame: frame, controls: controls.filter { before?.controls[$0.key] != $0.value },
                bypass: before?.isBypassed == isBypassed ? nil : isBypassed)
        }
    }
}

/// The line of what was asked of a plugin.
struct PluginLine: Codable {
    var plugin: MotionRecording.PluginChange
}

extension MotionLine {
    /// What was asked of a plugin; empty where a value is not finite, which no control takes.
    static func plugin(_ change: MotionRecording.PluginChange) -> String {
        guard change.controls.values.allSatisfy(\.isFinite) else { return "" }
        return PluginLine(plugin: change).jsonLine + "\n"
    }
}
