/// What came of trying a plugin.
package struct PluginTrialReport: Hashable, Sendable, Codable {
    /// How it ended.
    package enum Verdict: String, Sendable, Codable, CaseIterable {
        /// It runs here.
        case ok
        /// This host lacks what it requires, or its description is wrong; its code was not loaded.
        case refused
        /// It was loaded and did not do what it should.
        case failed
        /// It ended the program that tried it.
        case crashed
        /// It did not return.
        case hung
    }

    /// The plugin.
    package var identifier: String
    /// Its name, for people.
    package var name: String
    /// The bundle it comes from, by path.
    package var bundle: String
    /// How it ended.
    package var verdict: Verdict
    /// Why it is not ok; nil where it is.
    package var reason: String?
    /// The last thing it was to do.
    package var stage: PluginTrialStage?
    /// What was measured before it ended.
    package var figures = PluginTrialFigures()
    /// What it wrote: to the host's log, and on standard error.
    package var words: [String] = []

    /// A report of no measurement yet.
    package init(_ plugin: PluginSummary, _ verdict: Verdict, reason: String? = nil) {
        identifier = plugin.identifier
        name = plugin.name
        bundle = plugin.bundle
        self.verdict = verdict
        self.reason = reason
    }
}

/// What a plugin is to do in a trial, in this order.
package enum PluginTrialStage: String, Sendable, Codable {
    /// Make an instance of itself.
    case instantiate
    /// Run on noise.
    case noise
    /// Run on silence.
    case silence
    /// Save what it keeps.
    case save
    /// Take it back.
    case restore
    /// End.
    case close
}

/// What was measured of a plugin in a trial.
package struct PluginTrialFigures: Hashable, Sendable, Codable {
    /// Nanoseconds of a processor that a slice of noise takes: the middle one of all, and what 99 of 100 are below.
    package var median: Int?
    package var percentile99: Int?
    /// Nanoseconds that the middle slice of silence takes.
    package var silentMedian: Int?
    /// Frames by which it says its output is later.
    package var latencyFrames: Int?
    /// Greatest absolute sample that came out.
    package var peak: Float?
    /// Bytes it saved.
    package var savedBytes: Int?

    /// Nothing yet.
    package init() {}
}
