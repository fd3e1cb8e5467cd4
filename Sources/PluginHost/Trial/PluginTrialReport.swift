/// Report of a plugin's trial.
package struct PluginTrialReport: Hashable, Sendable, Codable {
    /// Result of the trial.
    package enum Verdict: String, Sendable, Codable, CaseIterable {
        /// The plugin runs in this host.
        case ok
        /// The host lacks a required feature, or the description is faulty; the code was not loaded.
        case refused
        /// The plugin could not be loaded, or misbehaved.
        case failed
        /// The plugin crashed the program that tried it.
        case crashed
        /// A stage did not end in time.
        case hung
    }

    /// Identifier of the plugin.
    package var identifier: String
    /// Display name.
    package var name: String
    /// Path of the plugin's bundle.
    package var bundle: String
    /// Result of the trial.
    package var verdict: Verdict
    /// Reason for the result; nil if it is ok.
    package var reason: String?
    /// Last stage that began; nil if none has begun.
    package var stage: PluginTrialStage?
    /// Measurements until the trial ended.
    package var figures = PluginTrialFigures()
    /// Lines that the plugin wrote to the host's log or to standard error.
    package var words: [String] = []

    /// Creates a report without measurements.
    package init(_ plugin: PluginSummary, _ verdict: Verdict, reason: String? = nil) {
        identifier = plugin.identifier
        name = plugin.name
        bundle = plugin.bundle
        self.verdict = verdict
        self.reason = reason
    }
}

/// Stages of a trial, in their order.
package enum PluginTrialStage: String, Sendable, Codable {
    /// Make an instance.
    case instantiate
    /// Run on noise.
    case noise
    /// Run on silence.
    case silence
    /// Save the state.
    case save
    /// Restore the state.
    case restore
    /// Close the instance.
    case close
}

/// Measurements of a plugin in a trial.
package struct PluginTrialFigures: Hashable, Sendable, Codable {
    /// Processor time of a slice of noise, ns: median and 99th percentile.
    package var median: Int?
    package var percentile99: Int?
    /// Median processor time of a slice of silence, ns.
    package var silentMedian: Int?
    /// Reported latency, frames.
    package var latencyFrames: Int?
    /// Largest absolute sample of the output.
    package var peak: Float?
    /// Size of the saved state, bytes.
    package var savedBytes: Int?

    /// Creates empty measurements.
    package init() {}
}
