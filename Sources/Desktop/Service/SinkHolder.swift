import Processes

/// The null sink in PipeWire, held by a child process: it goes with the child, and the child with this program, however
/// that ends. One thread.
final class SinkHolder {
    /// Keeps `pw-cli` and its connection open until standard input ends or `pw-cli` does; its process group ends then.
    /// `pw-cli` itself does not heed the end of its input.
    private static let script =
        #"{ printf '%s\n' "$1"; exec sleep infinity; } | { "$0" >/dev/null 2>&1; kill -KILL 0; } & cat >/dev/null; kill -KILL 0"#

    private let child: ChildProcess

    /// Makes the sink.
    ///
    /// - Throws: where the system refuses a process.
    init(_ sink: DesktopSink, _ tools: PipeWireTools) throws(ProcessError) {
        child = try ChildProcess(
            tools.path("sh"), ["-c", Self.script, tools.path("pw-cli"), "create-node adapter \(sink.properties)"])
    }

    /// Whether the child still holds the sink.
    var holds: Bool {
        if case .ended = child.next(within: 0) { return false }
        return true
    }

    /// Removes the sink.
    func release() { child.stop() }
}
