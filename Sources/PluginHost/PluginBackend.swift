import Inserts
import Signal

/// One kind of plugin. LV2 is the one there is; nothing here is LV2's own: identifiers are URIs there and
/// reverse-domain names in CLAP, bundles are folders there and files in CLAP.
package protocol PluginBackend: Sendable {
    /// Where plugins are looked for, in order: folders that hold bundles.
    var searchPath: [String] { get }

    /// Bundles under the search path, by their paths. Touches names of files only. Any thread.
    func bundles() -> [String]

    /// Describes what a bundle holds: its plugins, each fit for this host or with the reason it is refused, and what is
    /// wrong with the bundle itself. Loads no plugin's code. Any thread; a bundle may hold this up or end the program,
    /// so a scan does it in a child process.
    func describe(bundle: String) throws(PluginError) -> [PluginDescription]

    /// Identifiers of plugins, of any bundles, of which a bundle holds presets: when it changes, they are described
    /// anew. In a child process, as `describe`.
    func presetOwners(of bundle: String) -> [String]

    /// Makes an instance that sounds as described, active and ready to run. Loads the plugin's code and takes up to
    /// some tens of milliseconds. Any thread but the audio thread.
    func instantiate(_ plugin: PluginDescription, _ setup: PluginSetup) throws(PluginError) -> any PluginInstance
}

/// What an instance is made for.
package struct PluginSetup: Hashable, Sendable {
    /// Samples per second.
    package var sampleRate: SampleRate
    /// Most frames in one call, and the number in nearly all of them: 64, 128 or 256.
    package var slice: Int
    /// Whether every call has exactly `slice` frames.
    package var isFixed: Bool
    /// Whether it runs against time; false offline.
    package var isLive: Bool
    /// Frames the audio thread makes at a time, in as many calls as it takes; 0: no more than a slice. An instance in a
    /// process of its own answers that much later.
    package var period: Int

    /// The most frames of latency that a plugin's word is taken for: ten seconds.
    package var longestLatency: Int { Int(10 * sampleRate.hertz) }

    /// A setup; see the properties.
    package init(
        sampleRate: SampleRate, slice: Int = 64, isFixed: Bool = false, isLive: Bool = true, period: Int = 0
    ) {
        self.sampleRate = sampleRate
        self.slice = slice
        self.isFixed = isFixed
        self.isLive = isLive
        self.period = period
    }
}

/// A value of a plugin's property (a parameter that is no control port: a file, a text, a number),
/// by the property's URI.
package enum PropertyValue: Hashable, Sendable, Codable {
    /// A number, or a truth as 0 or 1.
    case number(Double)
    /// A text.
    case text(String)
    /// A file or folder, by its absolute path.
    case path(String)
}

/// One instance of a plugin, from the side of the thread that controls it. Its sound is made by `processor`,
/// on the audio thread.
///
/// All calls but `processor`'s and `controls()` come from one thread at a time, never the audio thread, and may come
/// while it sounds.
package protocol PluginInstance: AnyObject, Sendable {
    /// What it is an instance of.
    var plugin: PluginDescription { get }
    /// How the audio thread runs it. Valid until `close`.
    var processor: PluginProcessor { get }
    /// Frames by which its output is later than its input, as it last said. It may say another number after it has run.
    var latencyFrames: Int { get }
    /// What it does beside sounding: its worker, its log.
    var health: PluginHealth { get }

    /// Values of all control inputs, by symbol, as last asked for. Any thread but the audio thread, at any time: it
    /// does not wait for a state that is being saved.
    func controls() -> [String: Float]
    /// What its control outputs show, by symbol.
    func readings() -> [String: Float]
    /// Sets a control; it moves there within `seconds` in a straight line where it is continuous, at once where it is a
    /// switch, a choice or a whole number. Throws where there is no such control or the value is outside its range.
    func set(_ symbol: String, to value: Float, within seconds: Double) throws(PluginError)
    /// Sets a property (LV2: patch:Set).
    func set(property: String, to value: PropertyValue) throws(PluginError)
    /// Values of the properties it has told of, by URI.
    func properties() -> [String: PropertyValue]
    /// Sends a MIDI message of 1 to 3 bytes to its event input; throws where it has none.
    func send(midi: [UInt8]) throws(PluginError)
    /// Tells it where the transport is; nothing where it does not ask.
    func transport(_ position: TransportPosition)

    /// Loads a preset, by URI or label.
    func load(preset: String) throws(PluginError)
    /// Saves all it keeps into a folder of its own that does not exist yet: a bundle, files it uses, and
    /// `controls.json`. The folder appears complete or not at all.
    func save(to folder: String) throws(PluginError)
    /// Takes back what `save` left, the controls alone where the bundle is missing or unreadable.
    func restore(from folder: String) throws(PluginError)

    /// Ends it and frees it. False where it cannot be freed because its worker does not return: it then stays in
    /// memory, and nothing of it may be used again.
    func close(within seconds: Double) -> Bool
}

/// Where the transport is, for plugins that follow it.
package struct TransportPosition: BitwiseCopyable, Hashable, Sendable {
    /// Frame of the stream.
    package var frame: Int64
    /// 1 while it rolls, 0 while it stands.
    package var speed: Float
    /// Beats per minute; nil: not known.
    package var beatsPerMinute: Double?

    /// A position.
    package init(frame: Int64, speed: Float, beatsPerMinute: Double? = nil) {
        self.frame = frame
        self.speed = speed
        self.beatsPerMinute = beatsPerMinute
    }
}

/// What an instance does beside sounding.
package struct PluginHealth: Hashable, Sendable {
    /// Seconds for which its worker has been at one piece of work; 0: it rests.
    package var workerSeconds: Double
    /// Pieces of work or events that found a queue full and were lost.
    package var lost: Int
    /// The newest lines it wrote, at most 32, oldest first.
    package var log: [String]
    /// Calls whose sound was not there in time, so that there was silence; only of an instance in a process of its own.
    package var missed: Int

    /// What is known.
    package init(workerSeconds: Double = 0, lost: Int = 0, log: [String] = [], missed: Int = 0) {
        self.workerSeconds = workerSeconds
        self.lost = lost
        self.log = log
        self.missed = missed
    }
}
