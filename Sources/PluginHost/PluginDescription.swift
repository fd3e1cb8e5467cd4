/// What is known of a plugin before its code is loaded.
package struct PluginDescription: Hashable, Sendable, Codable {
    /// The identifier by which chains name it: in LV2 its URI.
    package var identifier: String
    /// Its name, for people.
    package var name: String
    /// Who made it; empty where it does not say.
    package var maker: String
    /// What kind it is: "Equaliser", "Limiter"; the most special class it names.
    package var kind: String
    /// Licence, as an address or a word; empty where it does not say.
    package var license: String
    /// The bundle it comes from, by path.
    package var bundle: String
    /// Audio (or CV) channels that go in, by symbol, in order.
    package var audioInputs: [String]
    /// Audio (or CV) channels that come out, by symbol, in order.
    package var audioOutputs: [String]
    /// Controls that can be set, in order.
    package var controls: [PluginControl]
    /// Properties that can be set: parameters that are no ports.
    package var properties: [PluginProperty]
    /// Presets by their identifiers and labels, in the order of the labels.
    package var presets: [PluginPreset]
    /// What it does with events.
    package var events: PluginEvents
    /// Whether it says how much later its output is.
    package var tellsLatency: Bool
    /// Whether it can be bypassed by a control of its own (LV2: lv2:enabled).
    package var hasBypass: Bool
    /// Whether it promises never to lock or allocate while it sounds.
    package var isRealTimeSafe: Bool
    /// Whether it needs every block to be of one length.
    package var needsFixedBlocks: Bool
    /// Whether it saves more than its controls.
    package var hasState: Bool
    /// Why this host cannot run it: what it requires that is not here, or what is wrong with it; nil: it can.
    package var refusal: String?
    /// The control that bypasses it where it is 0, by symbol.
    package var bypassSymbol: String? = nil
    /// Which version it is: of two plugins with the same identifier the newer one stands for both.
    package var version = PluginVersion()
}

/// A plugin's version.
package struct PluginVersion: Hashable, Comparable, Sendable, Codable {
    /// Grows where ports were added.
    package var minor: Int
    /// Grows where something else was changed; odd while it is being made.
    package var micro: Int

    /// A version; 0.0 where a plugin says none.
    package init(minor: Int = 0, micro: Int = 0) {
        self.minor = minor
        self.micro = micro
    }

    package static func < (earlier: Self, later: Self) -> Bool {
        (earlier.minor, earlier.micro) < (later.minor, later.micro)
    }
}

/// A control of a plugin.
package struct PluginControl: Hashable, Sendable, Codable {
    /// What values it takes.
    package enum Kind: String, Sendable, Codable {
        /// Any value of the range.
        case continuous
        /// Whole numbers of the range.
        case whole
        /// Off at or below 0, on above.
        case toggle
        /// The values of `choices` alone.
        case choice
        /// Acts when it is set, and returns to its default.
        case trigger
    }
    /// The name by which commands know it.
    package var symbol: String
    /// Its name, for people.
    package var name: String
    /// Unit as it is written behind a number: "dB", "Hz"; empty for none.
    package var unit: String
    /// Least and greatest value.
    package var range: ClosedRange<Float>
    /// Value at first.
    package var initial: Float
    /// What values it takes.
    package var kind: Kind
    /// Whether it is heard, and shown, on a logarithmic scale.
    package var isLogarithmic: Bool
    /// Values with names.
    package var choices: [PluginChoice]
}

/// A value with a name.
package struct PluginChoice: Hashable, Sendable, Codable {
    /// The value.
    package var value: Float
    /// Its name.
    package var label: String
}

/// A preset of a plugin.
package struct PluginPreset: Hashable, Sendable, Codable {
    /// Its identifier: in LV2 its URI.
    package var identifier: String
    /// Its name, for people.
    package var label: String
}

/// A parameter of a plugin that is no port.
package struct PluginProperty: Hashable, Sendable, Codable {
    /// Its identifier: in LV2 its URI.
    package var identifier: String
    /// Its name, for people.
    package var label: String
    /// What it takes: "number", "text", "path" or, of other kinds, the type's own name.
    package var takes: String
    /// Whether it can be set, not only read.
    package var isWritable: Bool
}

/// What a plugin does with events.
package struct PluginEvents: OptionSet, BitwiseCopyable, Hashable, Sendable, Codable {
    package let rawValue: Int
    /// A set from its bits.
    package init(rawValue: Int) { self.rawValue = rawValue }
    /// It hears MIDI.
    package static let midiIn = PluginEvents(rawValue: 1)
    /// It sends MIDI.
    package static let midiOut = PluginEvents(rawValue: 2)
    /// Its properties are set by messages.
    package static let patch = PluginEvents(rawValue: 4)
    /// It wants to know where the transport is.
    package static let time = PluginEvents(rawValue: 8)
}
