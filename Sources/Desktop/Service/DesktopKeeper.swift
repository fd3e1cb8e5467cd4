import Foundation
import Gate
import Loading
import Processes
import Signal

/// Maintains the desktop's sinks and their links while a session plays: creates the sinks, also after each loss of
/// PipeWire, links the sinks and the ears, and places the programs' streams, as `DesktopWiring` requests. It has a
/// thread of its own, from `init` to `end`.
package final class DesktopKeeper: Sendable {
    private let worker = Worker(name: "desktop")

    /// Longest wait for news, seconds. Within this time `end` and changed rules are noticed.
    private static let patience = 0.25
    /// Shortest and longest wait between two attempts to reach PipeWire, seconds.
    private static let pauses = 0.2...1.0

    /// State of the thread.
    private struct Keeping {
        let sinks: [DesktopSink], tools: PipeWireTools
        let tell: @Sendable (String) -> Void
        var wiring: DesktopWiring
        var file: RulesFile
        /// Holders of the sinks, by the sinks' names.
        var holders: [String: SinkHolder] = [:]

        /// Removes the sinks.
        mutating func release() {
            for holder in holders.values { holder.release() }
            holders = [:]
        }

        /// Reads the rules if their file has changed. Returns whether it has.
        mutating func readRules() -> Bool {
            switch file.news() {
            case nil: return false
            case .success(let rules)?: wiring.follow(rules)
            case .failure(let error)?: tell("\(error.description); until then it has no effect")
            }
            return true
        }
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - sink: sink of the main input.
    ///   - others: sinks of further inputs.
    ///   - file: file of the rules for the programs' streams.
    ///   - process: the session's process id.
    ///   - tell: called with messages for the user, on the thread.
    /// - Throws: `WorkerError` if the system provides no thread.
    package init(
        _ sink: DesktopSink, beside others: [DesktopSink], to output: DesktopOutput, by tools: PipeWireTools,
        rules file: RulesFile, process: Int32 = getpid(), tell: @escaping @Sendable (String) -> Void
    ) throws(WorkerError) {
        let wiring = DesktopWiring(sink, beside: others, to: output, process: Int(process))
        try worker.start { worker in
            Self.run(
                worker, Keeping(sinks: [sink] + others, tools: tools, tell: tell, wiring: wiring, file: file))
        }
    }

    /// Removes the sinks and their links; returns when they are removed, or after three seconds.
    package func end() { _ = worker.stop(within: 3) }

    private static func run(_ worker: Worker, _ first: Keeping) {
        var (keeping, pause) = (first, pauses.lowerBound)
        while !worker.isEnding {
            if let monitor = try? GraphMonitor(keeping.tools), follow(monitor, &keeping, worker) {
                pause = pauses.lowerBound
            }
            keeping.release()
            worker.rest(pause)
            pause = min(2 * pause, pauses.upperBound)
        }
    }

    /// Follows one PipeWire server until it is gone or `end` is called. Returns whether the server answered.
    private static func follow(_ monitor: GraphMonitor, _ keeping: inout Keeping, _ worker: Worker) -> Bool {
        var isDue = false
        keeping.wiring.serverCame()
        while !worker.isEnding {
            let news = monitor.next(within: patience)
            let isOther = keeping.readRules()
            switch news {
            case .gone: return !monitor.graph.isEmpty
            case .quiet where !isDue && !isOther: continue
            case .quiet, .changed: break
            }
            let graph = monitor.graph
            guard !graph.isEmpty else { continue }
            isDue = !keepSinks(&keeping, in: graph)
            for step in keeping.wiring.look(at: graph, now: Double(DispatchTime.now().uptimeNanoseconds) * 1e-9) {
                switch step {
                case .say(let words): keeping.tell(words)
                case .unlink(let id): keeping.tools.remove(id)
                case .renewSinks:
                    keeping.release()
                    for sink in keeping.sinks { keeping.holders[sink.name] = try? SinkHolder(sink, keeping.tools) }
                case .keepChannels(let stream):
                    guard !keeping.tools.keepChannels(of: stream) else { continue }
                    keeping.wiring.failed(stream: stream)
                    isDue = true
                case .place(let stream, let sink):
                    guard !keeping.tools.place(stream: stream, sink: sink) else { continue }
                    keeping.wiring.failed(placing: stream)
                    isDue = true
                case .setLevel(let sink, let level):
                    guard !keeping.tools.set(level, of: sink) else { continue }
                    keeping.wiring.failed(levelOf: sink)
                    isDue = true
                case .link(let output, let input):
                    let isMade = keeping.tools.link(output: output, input: input)
                    keeping.wiring.answered(output: output, input: input, isMade: isMade)
                    if !isMade { isDue = true }
                }
            }
            if keeping.wiring.isWaiting { isDue = true }
        }
        return true
    }

    /// Creates the missing sinks. Returns false if one of them cannot be created; another attempt is then due soon.
    private static func keepSinks(_ keeping: inout Keeping, in graph: PipeWireGraph) -> Bool {
        for sink in keeping.sinks {
            if keeping.holders[sink.name]?.holds == false { keeping.holders[sink.name] = nil }
            guard keeping.holders[sink.name] == nil else { continue }
            // An existing sink of that name was left by a process that was killed.
            for left in graph.sinks where left.node.name == sink.name { keeping.tools.remove(left.id) }
            keeping.holders[sink.name] = try? SinkHolder(sink, keeping.tools)
        }
        return keeping.holders.count == keeping.sinks.count
    }
}
