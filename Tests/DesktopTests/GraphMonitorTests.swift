import Foundation
import Testing

@testable import Desktop

@Suite(.timeLimit(.minutes(1))) struct GraphMonitorTests {
    /// Returns stubs of PipeWire's tools: `pw-dump` runs a script, the other tools do nothing.
    private func tools(dumping script: String, in folder: String) throws -> PipeWireTools {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let forwarding = #"exec "$@""#
        let others = ["pw-cli", "pw-link", "pw-metadata", "pw-jack", "sh", "setsid"].map { ($0, forwarding) }
        for (name, words) in others + [("stdbuf", "shift\n" + forwarding), ("pw-dump", script)] {
            let path = folder + "/" + name
            try "#!/bin/sh\n\(words)\n".write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        }
        return try PipeWireTools(searching: folder)
    }

    @Test func changesThatDoNotPauseAreToldMeanwhile() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/desktop-monitor-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let sink = #"{"id": 100, "type": "PipeWire:Interface:Node", "info": {"props": {"node.name": "phones"}}}"#
        // Several times as long as the test's patience, so that a wait for a pause ends too.
        let endless = "for i in $(seq 2000000); do printf '%s\\n' '[' '\(sink)' ']'; done"
        let monitor = try GraphMonitor(try tools(dumping: endless, in: folder))
        for _ in 0..<50 where monitor.graph.isEmpty { _ = monitor.next(within: 0.1) }
        guard case .changed = monitor.next(within: 1) else {
            Issue.record("no change was told")
            return
        }
        guard case .changed = monitor.next(within: 1) else {
            Issue.record("the changes have ended before they were told")
            return
        }
        #expect(monitor.graph.nodes[100]?.name == "phones")
    }

    @Test func aServerThatEndsIsGone() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/desktop-monitor-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let monitor = try GraphMonitor(try tools(dumping: "exit 1", in: folder))
        guard case .gone = monitor.next(within: 5) else {
            Issue.record("the end was not told")
            return
        }
        #expect(monitor.graph.isEmpty)
    }
}
