import Inserts
import Signal

/// Interface to one format of plugins. LV2 is the only one so far, but nothing here is specific to it: identifiers are
/// URIs in LV2 and reverse-domain names in CLAP, bundles are folders in LV2 and files in CLAP.
package protocol PluginBackend: Sendable {
    /// Folders searched for bundles, in order.
    var searchPath: [String] { get }

    /// Returns the paths of the bundles under the search path. Reads only names of files. Any thread.
    func bundles() -> [String]

    /// Returns descriptions of a bundle's plugins, each with the reason for its refusal, if any. Throws faults of the
    /// bundle itself. Loads no plugin's code. Any thread; a bundle may block or crash this, so a scan does it in a
    /// child process.
    func describe(bundle: String) throws(PluginError) -> [PluginDescription]

    /// Returns the identifiers of plugins, of any bundle, for which this bundle has presets: when it changes, they are
    /// described again. In a child process, as `describe`.
    func presetOwners(of bundle: String) -> [String]

    /// Makes an active instance for a setup, ready to run. Loads the plugin's code and takes up to some tens of
    /// milliseconds. Any thread but the audio thread.
    func instantiate(_ plugin: PluginDescription, _ setup: PluginSetup) throws(PluginError) -> any PluginInstance
}

/// Conditions for which an instance is made.
package struct PluginSetup: Hashable, Sendable {
    /// Sampling rate.
    package var sampleRate: SampleRate
    /// Most frames in one call, and their number in nearly all calls: 64, 128 or 256.
    package var slice: Int
    /// Whether every call has exactly `slice` frames.
    package var isFixed: Bool
    /// Whether the instance runs in real time; false offline.
    package var isLive: Bool
    /// Frames that the audio thread makes per callback, in several calls; 0: at most one slice. An instance in a
    /// process of its own adds this latency.
    package var period: Int

    /// Longest latency accepted from a plugin, frames: ten seconds.
    package var longestLatency: Int { Int(10 * sampleRate.hertz) }

    /// Makes a setup; see the properties.
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

/// Value of a plugin's property (a parameter that is no control port: a file, a text, a number).
package enum PropertyValue: Hashable, Sendable, Codable {
    /// A number, or a truth value as 0 or 1.
    case number(Double)
    /// A text.
    case text(String)
    /// Absolute path of a file or folder.
    case path(String)
}

/// Instance of a plugin, from the side of the control thread. `processor` processes its sound on the audio thread.
///
/// All calls but those of `processor` and `controls()` come from one thread at a time, never the audio thread; they may
/// come while the instance sounds.
package protocol PluginInstance: AnyObject, Sendable {
    /// Description of the plugin.
    var plugin: PluginDescription { get }
    /// Functions for the audio thread. Valid until `close`.
    var processor: PluginProcessor { get }
    /// Last reported latency, frames. It may change after the instance has run.
    var latencyFrames: Int { get }
    /// Status of its worker and its log.
    var health: PluginHealth { get }

    /// Returns the last requested values of all control inputs, by symbol. Any thread but the audio thread, at any
    /// time; does not wait for a state that is being saved.
    func controls() -> [String: Float]
    /// Returns the values of the control outputs, by symbol.
    func readings() -> [String: Float]
    /// Sets a control. A continuous control moves linearly within `seconds`; a switch, a choice or a whole number
    /// changes at once. Throws where there is no such control or the value is outside its range.
    func set(_ symbol: String, to value: Float, within seconds: Double) throws(PluginError)
    /// Sets a property (LV2: patch:Set).
    func set(property: String, to value: PropertyValue) throws(PluginError)
    /// Returns the values of the properties that the plugin has reported, by URI.
    func properties() -> [String: PropertyValue]
    /// Sends a MIDI message of 1 to 3 bytes to the event input; throws without one.
    func send(midi: [UInt8]) throws(PluginError)
    /// Sends the transport's position; no effect on plugins that do not use it.
    func transport(_ position: TransportPosition)

    /// Loads a preset, by URI or label.
    func load(preset: String) throws(PluginError)
    /// Saves the complete state into a new folder: a bundle, files it uses, and `controls.json`. The folder appears
    /// complete or not at all.
    func save(to folder: String) throws(PluginError)
    /// Restores a saved state; only the controls where the bundle is missing or unreadable.
    func restore(from folder: String) throws(PluginError)

    /// Ends and frees the instance. False where it cannot be freed because its worker does not return: its memory then
    /// stays, and must not be used again.
    func close(within seconds: Double) -> Bool
}

/// Position of the transport, for plugins that follow it.
package struct TransportPosition: BitwiseCopyable, Hashable, Sendable {
    /// Frame of the stream.
    package var frame: Int64
    /// 1 while the transport rolls, 0 while it stands.
    package var speed: Float
    /// Tempo in beats per minute; nil: unknown.
    package var beatsPerMinute: Double?

    /// Makes a position.
    package init(frame: Int64, speed: Float, beatsPerMinute: Double? = nil) {
        self.frame = frame
        self.speed = speed
        self.beatsPerMinute = beatsPerMinute
    }
}

/// Status of an instance beside its sound.
package struct PluginHealth: Hashable, Sendable {
    /// Seconds that the present piece of work has taken; 0 without one.
    package var workerSeconds: Double
    /// Requests for work and events lost to a full queue.
    package var lost: Int
    /// Newest lines that the plugin wrote, at most 32, oldest first.
    package var log: [String]
    /// Calls whose output was late and thus silent; only of an instance in a process of its own.
    package var missed: Int

    /// Makes a status.
    package init(workerSeconds: Double = 0, lost: Int = 0, log: [String] = [], missed: Int = 0) {
        self.workerSeconds = workerSeconds
        self.lost = lost
        self.log = log
        self.missed = missed
    }
}
