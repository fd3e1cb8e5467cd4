import Gate
import Processes

/// PipeWire's graph. A child process, `pw-dump --monitor`, writes each change; nothing is polled. Must be used by one
/// thread.
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

    /// The graph as last reported.
    private(set) var graph = PipeWireGraph()
    private let child: ChildProcess
    private var lines = DumpLines()

    /// Starts the child.
    ///
    /// - Throws: `ProcessError` if the system refuses the process.
    init(_ tools: PipeWireTools) throws(ProcessError) {
        // The child's output is a pipe. Without stdbuf, a change would be written only with the next 4096 bytes.
        child = try ChildProcess(tools.path("stdbuf"), ["-oL", tools.path("pw-dump"), "-N", "-m"])
    }

    /// Waits for news, for `seconds` at most if nothing happens. Takes all changes that are ready, so that a burst is
    /// one piece of news. After `seconds` the wait for the end of a burst is over: a volume that moves without a pause
    /// must not delay other changes.
    func next(within seconds: Double) -> News {
        let ending = ContinuousClock.now + .seconds(seconds)
        var (news, patience) = (News.quiet, seconds)
        while true {
            switch child.next(within: patience) {
            case .line(let line):
                guard let objects = lines.take(line) else { continue }
                graph.take(objects)
                guard ContinuousClock.now < ending else { return .changed }
                (news, patience) = (.changed, 0.02)
            case .ended: return .gone
            case .silent:
                // If an array has begun, its remaining lines are awaited.
                guard lines.isWithin else { return news }
                patience = seconds
            }
        }
    }
}
