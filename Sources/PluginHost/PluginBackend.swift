import Inserts
import Signal

/// Interface to one format of plugins. LV2 is the only one so far, but the interface is not specific to it. Identifiers
/// are URIs in LV2 and reverse-domain names in CLAP; bundles are folders in LV2 and files in CLAP.
package protocol PluginBackend: Sendable {
    /// Folders that are searched for bundles, in order.
    var searchPath: [String] { get }

    /// Returns the paths of the bundles in the search path. Reads only the names of files. May be called on any thread.
    func bundles() -> [String]

    /// Returns descriptions of a bundle's plugins. If this host refuses a plugin, its description contains the reason.
    /// Throws if the bundle itself is faulty. The plugins' code is not loaded. May be called on any thread. A faulty
    /// bundle may block or crash this call, so a scan makes it in a child process.
    func describe(bundle: String) throws(PluginError) -> [PluginDescription]

    /// Returns the identifiers of plugins, of any bundle, for which this bundle has presets. These plugins are
    /// described again when the bundle changes. Called in a child process, like `describe`.
    func presetOwners(of bundle: String) -> [String]

    /// Creates an active instance for a setup. The instance can run immediately. Loads the plugin's code, which takes
    /// up to some tens of milliseconds. May be called on any thread but the audio thread.
    func instantiate(_ plugin: PluginDescription, _ setup: PluginSetup) throws(PluginError) -> any PluginInstance
}

/// Conditions for which an instance is created.
package struct PluginSetup: Hashable, Sendable {
    /// Sampling rate.
    package var sampleRate: SampleRate
    /// Greatest number of frames in one call, and the number in nearly all calls: 64, 128 or 256.
    package var slice: Int
    /// Whether every call has exactly `slice` frames.
    package var isFixed: Bool
    /// Whether the instance runs in real time; false offline.
    package var isLive: Bool
    /// Number of frames per audio callback. The audio thread divides them into calls of at most `slice` frames. 0 means
    /// that a callback has at most `slice` frames. A plugin in a process of its own has additional latency: this
    /// number, rounded up to whole slices, and at least one slice.
    package var period: Int

    /// Longest latency that is accepted from a plugin, frames: ten seconds.
    package var longestLatency: Int { Int(10 * sampleRate.hertz) }

    /// Creates a setup; see the properties.
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

/// Value of a plugin's property. A property is a parameter that is not a control port: a file, a text, a number.
package enum PropertyValue: Hashable, Sendable, Codable {
    /// A number, or a truth value as 0 or 1.
    case number(Double)
    /// A text.
    case text(String)
    /// Absolute path of a file or folder.
    case path(String)
}

/// Instance of a plugin as the control thread uses it. `processor` processes its sound on the audio thread.
///
/// All calls except those of `processor`, `latencyFrames`, `health`, `controls()` and `readings()` are made by one
/// thread at a time, never the audio thread. They may be made while the instance processes sound.
package protocol PluginInstance: AnyObject, Sendable {
    /// Description of the plugin.
    var plugin: PluginDescription { get }
    /// Functions for the audio thread. Valid until `close`.
    var processor: PluginProcessor { get }
    /// Last reported latency, frames. It may change after the instance has run.
    var latencyFrames: Int { get }
    /// Status of the plugin's worker thread (LV2 Worker: work that is not for the audio thread), and the plugin's log.
    var health: PluginHealth { get }

    /// Returns the last requested values of all control inputs, by symbol. May be called at any time on any thread but
    /// the audio thread. The call does not wait while a state is being saved.
    func controls() -> [String: Float]
    /// Returns the values of the control outputs, by symbol.
    func readings() -> [String: Float]
    /// Sets a control. A continuous control moves linearly within `seconds`; any other control changes immediately.
    /// Throws if there is no such control, or if it does not accept the value.
    func set(_ symbol: String, to value: Float, within seconds: Double) throws(PluginError)
    /// Sets a property (patch:Set in LV2). Throws if there is no such writable property, or if the value cannot be set.
    func set(property: String, to value: PropertyValue) throws(PluginError)
    /// Returns the values of the properties that the plugin has reported, by URI.
    func properties() -> [String: PropertyValue]
    /// Sends a MIDI message to the event input. Throws if the plugin has none, or if the message does not have 1 to 3
    /// bytes or its first byte is below 128.
    func send(midi: [UInt8]) throws(PluginError)
    /// Sends the transport's position. It has no effect on plugins that do not use it.
    func transport(_ position: TransportPosition)

    /// Loads a preset, by URI or label.
    func load(preset: String) throws(PluginError)
    /// Saves the complete state into a folder: the plugin's own state, the files to which that state refers, and
    /// `controls.json` with the values of the controls and properties. The folder appears completely or not at all.
    func save(to folder: String) throws(PluginError)
    /// Restores a saved state. If the plugin's own state cannot be read, only the values in `controls.json` are
    /// restored. Throws if neither can be read, if the state belongs to another plugin, or if the plugin does not
    /// return in time.
    func restore(from folder: String) throws(PluginError)

    /// Ends and frees the instance. `seconds` limits the wait for the plugin's worker or process. Returns false if the
    /// instance cannot be freed because the plugin does not return. Its memory then remains allocated, and the instance
    /// must not be used again.
    func close(within seconds: Double) -> Bool
}

/// Position of the transport, for plugins that follow it.
package struct TransportPosition: BitwiseCopyable, Hashable, Sendable {
    /// Frame of the stream.
    package var frame: Int64
    /// 1 while the transport rolls, 0 while it is stopped.
    package var speed: Float
    /// Tempo in beats per minute; nil if unknown.
    package var beatsPerMinute: Double?

    /// Creates a position.
    package init(frame: Int64, speed: Float, beatsPerMinute: Double? = nil) {
        self.frame = frame
        self.speed = speed
        self.beatsPerMinute = beatsPerMinute
    }
}

/// Status of an instance, apart from its sound.
package struct PluginHealth: Hashable, Sendable {
    /// Seconds that the present work of the plugin's worker has taken; 0 without work.
    package var workerSeconds: Double
    /// Whether work was requested that the worker has not begun.
    package var hasWaitingWork: Bool
    /// Number of work requests and events that were lost because a queue was full.
    package var lost: Int
    /// Newest lines that the plugin has logged, at most 32, oldest first.
    package var log: [String]
    /// Number of calls whose output was late and therefore silent; 0 unless the instance is in its own process.
    package var missed: Int

    /// Creates a status.
    package init(
        workerSeconds: Double = 0, hasWaitingWork: Bool = false, lost: Int = 0, log: [String] = [], missed: Int = 0
    ) {
        self.workerSeconds = workerSeconds
        self.hasWaitingWork = hasWaitingWork
        self.lost = lost
        self.log = log
        self.missed = missed
    }
}
