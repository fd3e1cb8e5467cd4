import Processes

/// The null sink in PipeWire, held by a child process. The sink vanishes with the child, and the child ends with this
/// program, however this program ends. Must be used by one thread.
final class SinkHolder {
    /// Keeps `pw-cli` and its connection open until standard input or `pw-cli` ends, and then kills the process group.
    /// `pw-cli` itself ignores the end of its input.
    private static let script =
        #"{ printf '%s\n' "$1"; exec sleep infinity; } | { "$0" >/dev/null 2>&1; kill -KILL 0; } & cat >/dev/null; kill -KILL 0"#

    private let child: ChildProcess

    /// Creates the sink.
    ///
    /// - Throws: `ProcessError` if the system refuses the process.
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
