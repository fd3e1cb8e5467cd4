import Inserts
import PluginHost

/// Status of a plugin in a chain.
package struct PluginStatus: Codable, Sendable {
    /// Name in commands.
    package let name: String
    /// Place of the chain.
    package let place: String
    /// Position in the chain, from 0.
    package let position: Int
    /// Identifier, and display name.
    package let identifier: String, title: String
    /// Number of instances for the place's channels.
    package let instances: Int
    /// Whether the plugin runs in a separate process.
    package let isIsolated: Bool
    /// Whether the user has bypassed the plugin.
    package let isBypassed: Bool
    /// Fault because of which the plugin is bypassed regardless of the user's setting; nil if there is none.
    package let fault: String?
    /// Latency of the output, frames.
    package let latency: Int
    /// Time of a run, microseconds: median, 99th percentile and maximum.
    package let median: Double, p99: Double, longest: Double
    /// Number of runs that took longer than the duration of their sound.
    package let overruns: Int
    /// Time that the plugin's worker has spent on its present job, seconds; and number of messages that were lost
    /// because a queue was full.
    package let workerSeconds: Double, lost: Int
    /// Number of calls for which a separate process did not deliver the sound in time.
    package let missed: Int
    /// Values of controls, and readings of meters, by symbol.
    package let controls: [String: Float], readings: [String: Float]
    /// Newest lines of the plugin's log.
    package let log: [String]

    /// Reads the present status of an insert.
    package init(_ insert: PluginInsert, position: Int) {
        let meter = insert.member.meter
        let first = insert.instances[0]
        name = insert.name
        place = insert.place.name
        self.position = position
        identifier = insert.request.identifier
        title = first.plugin.name
        instances = insert.instances.count
        isIsolated = insert.request.isIsolated
        isBypassed = insert.isBypassed
        fault = meter.fault.words
        latency = insert.latency
        median = meter.quantile(0.5) * 1e-3
        // A quantile is the upper end of a class of the histogram, so it is limited to the longest run.
        p99 = min(meter.quantile(0.99), Double(meter.longest)) * 1e-3
        longest = Double(meter.longest) * 1e-3
        overruns = meter.overruns
        let health = insert.instances.map(\.health)
        workerSeconds = health.map(\.workerSeconds).max() ?? 0
        lost = health.reduce(0) { $0 + $1.lost }
        missed = health.reduce(0) { $0 + $1.missed }
        controls = insert.controls
        readings = first.readings()
        log = health.flatMap(\.log)
    }
}

extension InsertFault {
    /// Fault in words; nil if there is none.
    package var words: String? {
        switch self {
        case .none: nil
        case .notANumber: "its output had samples that are infinite or not a number"
        case .runaway: "its output rose to more than 60 dB above full scale"
        case .stalled: "one run delayed the audio thread by more than 200 ms"
        case .overrun: "more than half of its runs took longer than the sound they made"
        case .gone: "its process ended or did not answer"
        case .trespassed: "it wrote impossible values into the memory that its process shares with this program"
        }
    }
}
