import Inserts
import PluginHost

/// A plugin in a chain, as the status tells of it.
package struct PluginStatus: Codable, Sendable {
    /// The name by which commands know it.
    package let name: String
    /// Where it is.
    package let place: String
    /// Its position in its chain, from 0 on.
    package let position: Int
    /// Its identifier, and its name for people.
    package let identifier: String, title: String
    /// Instances that serve the place's channels.
    package let instances: Int
    /// Whether it runs in a process of its own.
    package let isIsolated: Bool
    /// Whether sound passes it by the user's word.
    package let isBypassed: Bool
    /// Why sound passes it whatever the user says: it misbehaved; nil: it does not.
    package let fault: String?
    /// Frames by which its output is late.
    package let latency: Int
    /// Microseconds a run took, half of them and 99 of 100 at most, and the longest.
    package let median: Double, p99: Double, longest: Double
    /// Runs that took longer than the sound they made.
    package let overruns: Int
    /// Seconds its worker has been at one piece of work, and what was lost to full queues.
    package let workerSeconds: Double, lost: Int
    /// Calls whose sound did not come in time from a process of its own.
    package let missed: Int
    /// Controls, by symbol, and what its meters show.
    package let controls: [String: Float], readings: [String: Float]
    /// What it wrote last.
    package let log: [String]

    /// What an insert does at the moment.
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
        // The histogram's classes have edges; nothing took longer than the longest.
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
    /// What it was, for people; nil for nothing.
    package var words: String? {
        switch self {
        case .none: nil
        case .notANumber: "it gave samples that are no numbers"
        case .runaway: "its output grew beyond 60 dB over full scale"
        case .stalled: "one run held the audio thread up for more than 200 ms"
        case .overrun: "more than half of its runs took longer than the sound they made"
        case .gone: "its process ended or did not answer"
        case .trespassed: "it wrote over the memory that its process shares with this program"
        }
    }
}
