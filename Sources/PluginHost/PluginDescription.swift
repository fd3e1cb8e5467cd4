/// Description of a plugin, which is read before its code is loaded.
package struct PluginDescription: Hashable, Sendable, Codable {
    /// Identifier in chains; in LV2 the plugin's URI.
    package var identifier: String
    /// Display name.
    package var name: String
    /// Name of the manufacturer; empty if it is not stated.
    package var maker: String
    /// Most specific class of the plugin: "Equaliser", "Limiter".
    package var kind: String
    /// Licence, as an address or a word; empty if it is not stated.
    package var license: String
    /// Path of the plugin's bundle.
    package var bundle: String
    /// Symbols of the audio (or CV) inputs, in order.
    package var audioInputs: [String]
    /// Symbols of the audio (or CV) outputs, in order.
    package var audioOutputs: [String]
    /// Controls that can be set, in order.
    package var controls: [PluginControl]
    /// Properties: parameters that are not ports.
    package var properties: [PluginProperty]
    /// Presets, in the order of their labels.
    package var presets: [PluginPreset]
    /// Kinds of events that the plugin uses.
    package var events: PluginEvents
    /// Whether the plugin reports its latency.
    package var tellsLatency: Bool
    /// Whether the plugin has a bypass control (LV2: lv2:enabled).
    package var hasBypass: Bool
    /// Whether the plugin declares that it never locks or allocates while it processes sound.
    package var isRealTimeSafe: Bool
    /// Whether the plugin needs blocks of constant length.
    package var needsFixedBlocks: Bool
    /// Whether the plugin has state other than its controls.
    package var hasState: Bool
    /// Reason why this host cannot run the plugin (a missing feature or a fault); nil if it can.
    package var refusal: String?
    /// Symbol of the control that bypasses the plugin when it is 0; nil without such a control.
    package var bypassSymbol: String? = nil
    /// Version; of two plugins with the same identifier the newer one is used.
    package var version = PluginVersion()
}

/// Version of a plugin.
package struct PluginVersion: Hashable, Comparable, Sendable, Codable {
    /// Increases when ports are added.
    package var minor: Int
    /// Increases with other changes; odd during development.
    package var micro: Int

    /// Creates a version; 0.0 if the plugin states none.
    package init(minor: Int = 0, micro: Int = 0) {
        self.minor = minor
        self.micro = micro
    }

    package static func < (earlier: Self, later: Self) -> Bool {
        (earlier.minor, earlier.micro) < (later.minor, later.micro)
    }
}

/// Control of a plugin.
package struct PluginControl: Hashable, Sendable, Codable {
    /// Kind of values of a control.
    package enum Kind: String, Sendable, Codable {
        /// Any value in the range.
        case continuous
        /// Whole numbers in the range.
        case whole
        /// Off at or below 0, on above 0.
        case toggle
        /// Only the values of `choices`.
        case choice
        /// Acts when it is set, then returns to its initial value.
        case trigger
    }
    /// Name in commands.
    package var symbol: String
    /// Display name.
    package var name: String
    /// Unit as it is written after a number: "dB", "Hz". Empty if there is none.
    package var unit: String
    /// Least and greatest value.
    package var range: ClosedRange<Float>
    /// Initial value.
    package var initial: Float
    /// Kind of values.
    package var kind: Kind
    /// Whether the control's scale is logarithmic.
    package var isLogarithmic: Bool
    /// Values with names.
    package var choices: [PluginChoice]
    /// Display name of the group to which the control belongs; nil without a group.
    package var group: String?
}

/// Value with a name.
package struct PluginChoice: Hashable, Sendable, Codable {
    /// Value.
    package var value: Float
    /// Display name.
    package var label: String
}

/// Preset of a plugin.
package struct PluginPreset: Hashable, Sendable, Codable {
    /// Identifier; in LV2 the preset's URI.
    package var identifier: String
    /// Display name.
    package var label: String
}

/// Parameter of a plugin that is not a port.
package struct PluginProperty: Hashable, Sendable, Codable {
    /// Identifier; in LV2 the property's URI.
    package var identifier: String
    /// Display name.
    package var label: String
    /// Type of the property's values: "number", "text" or "path"; for other types the name of the type.
    package var takes: String
    /// Whether the property can be set as well as read.
    package var isWritable: Bool
}

/// Kinds of events that a plugin uses.
package struct PluginEvents: OptionSet, BitwiseCopyable, Hashable, Sendable, Codable {
    package let rawValue: Int
    /// Creates a set from its bits.
    package init(rawValue: Int) { self.rawValue = rawValue }
    /// MIDI input.
    package static let midiIn = PluginEvents(rawValue: 1)
    /// MIDI output.
    package static let midiOut = PluginEvents(rawValue: 2)
    /// Messages that set properties.
    package static let patch = PluginEvents(rawValue: 4)
    /// Position of the transport.
    package static let time = PluginEvents(rawValue: 8)
}
