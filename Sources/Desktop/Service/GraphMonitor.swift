import Gate
import Processes

/// PipeWire's graph, kept up to date by a child process, `pw-dump --monitor`, that writes each change: nothing is
/// polled. One thread.
final class GraphMonitor {
    /// News of the graph.
    enum News {
        /// The graph has changed.
        case changed
        /// Nothing happened within the time.
        case quiet
        /// PipeWire is gone, or has not answered.
        case gone
    }

    /// The graph as last told.
    private(set) var graph = PipeWireGraph()
    private let child: ChildProcess
    private var lines = DumpLines()

    /// Starts the child.
    ///
    /// - Throws: where the system refuses.
    init(_ tools: PipeWireTools) throws(ProcessError) {
        // Its output is a pipe: without stdbuf it would write a change only with the next 4096 bytes.
        child = try ChildProcess(tools.path("stdbuf"), ["-oL", tools.path("pw-dump"), "-N", "-m"])
    }

    /// Waits for news, `seconds` at most. Takes all changes that are ready, so that a burst is one piece of news.
    func next(within seconds: Double) -> News {
        var (news, patience) = (News.quiet, seconds)
        while true {
            switch child.next(within: patience) {
            case .line(let line):
                guard let objects = lines.take(line) else { continue }
                graph.take(objects)
                (news, patience) = (.changed, 0.02)
            case .ended: return .gone
            case .silent:
                // Between the lines of one array, the rest is waited for.
                guard lines.isWithin else { return news }
                patience = seconds
            }
        }
    }
}
