import Takes

extension MotionRecording {
    /// A change of a plugin's controls during the session.
    package struct PluginChange: Hashable, Sendable, Codable {
        /// Name of the plugin in commands.
        package var name: String
        /// Approximate frame of the change since stream time 0.
        package var frame: Int
        /// Values of the controls that were set, by symbol.
        package var controls: [String: Float]
        /// Whether the sound bypassed the plugin; nil if this is unchanged.
        package var bypass: Bool?

        /// Creates a change.
        package init(name: String, frame: Int, controls: [String: Float] = [:], bypass: Bool? = nil) {
            (self.name, self.frame, self.controls, self.bypass) = (name, frame, controls, bypass)
        }
    }

    /// State of a plugin's controls.
    package struct PluginState: Hashable, Sendable {
        /// Values of the controls, by symbol.
        package var controls: [String: Float]
        /// Whether the sound bypasses the plugin.
        package var isBypassed: Bool

        /// Creates a state.
        package init(controls: [String: Float], isBypassed: Bool) {
            (self.controls, self.isBypassed) = (controls, isBypassed)
        }

        /// Returns the change to this state from another one, which may be unknown; nil if both are equal.
        func change(of name: String, from before: PluginState?, frame: Int) -> PluginChange? {
            guard self != before else { return nil }
            return PluginChange(
                name: name, frame: frame, controls: controls.filter { before?.controls[$0.key] != $0.value },
                bypass: before?.isBypassed == isBypassed ? nil : isBypassed)
        }
    }
}

/// Line for a plugin's change.
struct PluginLine: Codable {
    var plugin: MotionRecording.PluginChange
}

extension MotionLine {
    /// Returns the line for a plugin's change; empty if a value is not finite, which no control accepts.
    static func plugin(_ change: MotionRecording.PluginChange) -> String {
        guard change.controls.values.allSatisfy(\.isFinite) else { return "" }
        return PluginLine(plugin: change).jsonLine + "\n"
    }
}
