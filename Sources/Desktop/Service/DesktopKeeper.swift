import Foundation
import Gate
import Loading
import Processes
import Signal

/// Keeps the desktop's sink and its links while a session plays the sink. Makes the sink, also after each restart of
/// PipeWire, and carries out the steps of `DesktopWiring`. Runs on a thread of its own, from `init` to `end`.
package final class DesktopKeeper: Sendable {
    private let worker = Worker(name: "desktop")

    /// Longest wait for news, seconds: the time within which `end` is noticed.
    private static let patience = 0.25
    /// Shortest and longest wait between two attempts to reach PipeWire, seconds.
    private static let pauses = 0.2...1.0

    /// The thread's own values.
    private struct Keeping {
        let sink: DesktopSink, tools: PipeWireTools
        let tell: @Sendable (String) -> Void
        var wiring: DesktopWiring
        var holder: SinkHolder?
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - process: the session's process id.
    ///   - tell: called with words for the user, on the thread.
    /// - Throws: `WorkerError` if the system provides no thread.
    package init(
        _ sink: DesktopSink, to output: DesktopOutput, by tools: PipeWireTools, process: Int32 = getpid(),
        tell: @escaping @Sendable (String) -> Void
    ) throws(WorkerError) {
        let wiring = DesktopWiring(sink, to: output, process: Int(process))
        try worker.start { worker in
            Self.run(worker, Keeping(sink: sink, tools: tools, tell: tell, wiring: wiring))
        }
    }

    /// Removes the sink and its links. Returns when this is done, after three seconds at most.
    package func end() { _ = worker.stop(within: 3) }

    private static func run(_ worker: Worker, _ first: Keeping) {
        var (keeping, pause) = (first, pauses.lowerBound)
        while !worker.isEnding {
            if let monitor = try? GraphMonitor(keeping.tools), follow(monitor, &keeping, worker) {
                pause = pauses.lowerBound
            }
            keeping.holder?.release()
            keeping.holder = nil
            worker.rest(pause)
            pause = min(2 * pause, pauses.upperBound)
        }
    }

    /// Follows one PipeWire server until it is gone or `end` is called. Returns whether the server answered.
    private static func follow(_ monitor: GraphMonitor, _ keeping: inout Keeping, _ worker: Worker) -> Bool {
        var isDue = false
        keeping.wiring.serverCame()
        while !worker.isEnding {
            switch monitor.next(within: patience) {
            case .gone: return !monitor.graph.isEmpty
            case .quiet where !isDue: continue
            case .quiet, .changed: break
            }
            let graph = monitor.graph
            guard !graph.isEmpty else { continue }
            isDue = !keepSink(&keeping, in: graph)
            for step in keeping.wiring.look(at: graph, now: Double(DispatchTime.now().uptimeNanoseconds) * 1e-9) {
                switch step {
                case .say(let words): keeping.tell(words)
                case .unlink(let id): keeping.tools.remove(id)
                case .renewSink:
                    keeping.holder?.release()
                    keeping.holder = try? SinkHolder(keeping.sink, keeping.tools)
                case .keepChannels(let stream):
                    guard !keeping.tools.keepChannels(of: stream) else { continue }
                    keeping.wiring.failed(stream: stream)
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

    /// Makes the sink if it is missing. Returns whether it exists. If not, another look is due soon.
    private static func keepSink(_ keeping: inout Keeping, in graph: PipeWireGraph) -> Bool {
        if keeping.holder?.holds == false { keeping.holder = nil }
        guard keeping.holder == nil else { return true }
        // A sink of this name is left over from a process that was killed.
        for left in graph.sinks where left.node.name == keeping.sink.name { keeping.tools.remove(left.id) }
        keeping.holder = try? SinkHolder(keeping.sink, keeping.tools)
        return keeping.holder != nil
    }
}
