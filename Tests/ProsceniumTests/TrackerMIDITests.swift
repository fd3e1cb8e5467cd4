import Foundation
import SoundFixtures
import Testing

/// A head tracker that sends MIDI, on a real JACK server.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TrackerMIDITests {
    private static let hasServer = FileManager.default.isExecutableFile(atPath: "/usr/bin/jackd")

    /// Runs a script with a separate server. PROGRAM and FIXTURE are the built program and fixture.
    private func beside(_ script: String) throws -> [String] {
        let products = Run.products.path
        let sandbox = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Scripts/jack-sandbox").standardized.path
        let scratch = try Scratch()
        return try TimedCommand.run(
            [sandbox, "bash", "-c", script], seconds: 500,
            environment: [
                "PROGRAM": Run.program.path, "FIXTURE": products + "/jack-fixtures",
                "XDG_STATE_HOME": scratch("state"), "TRACKED": scratch("ndjson"),
            ]
        ).lines
    }

    /// The set-up message wakes the tracker, its poses arrive, and the message is sent again when it reconnects.
    @Test(.enabled(if: hasServer, "jackd is not installed (jackd2)")) func aTrackerIsWokenAndHeard() throws {
        let lines = try beside(
            """
            "$PROGRAM" tracker probe midi:tracker --seconds 0.5 2>&1
            "$FIXTURE" headtracker "Head Tracker" & first=$!
            for _ in $(seq 200); do jack_lsp | grep -q "Head Tracker:out" && break; sleep .05; done
            "$PROGRAM" tracker list | grep midi:
            "$PROGRAM" tracker probe "midi:head track" --seconds 3 --json
            comes() { for _ in $(seq 2000); do awk "$1" "$TRACKED" && return; sleep .05; done; echo "it never came: $1"; }
            "$PROGRAM" track --head midi:tracker,supperware --format ndjson --rate 5 --seconds 400 > "$TRACKED" &
            track=$!
            comes '/"received" *: *[1-9][0-9]/ { n++ } END { exit n < 5 }'
            kill -KILL $first; wait $first
            comes '/"connection" *: *"lost/ { n++ } END { exit n < 1 }'
            "$FIXTURE" headtracker "Head Tracker" & second=$!
            comes '/"connection" *: *"lost/ { lost = 1; n = 0 } { n++ } END { exit !lost || n < 15 }'
            kill -INT $track; wait $track
            kill -KILL $second
            cat "$TRACKED"
            """)
        let all = lines.joined(separator: "\n")
        #expect(lines[0].contains("no MIDI port's name contains 'tracker'"), "\(all)")
        #expect(all.contains("midi:'Head Tracker:out'"))
        #expect(all.contains("\"format\" : \"supperware\""))
        let track = try lines.filter { $0.hasPrefix("{\"") }.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let heads = track.compactMap { $0["head"] as? [String: Any] }
        let connections = heads.compactMap { $0["connection"] as? String }
        let received = heads.compactMap { $0["received"] as? Int }
        let lost = try #require(connections.firstIndex { $0.hasPrefix("lost") }, "\(all)")
        let back = try #require(connections[lost...].firstIndex(of: "open"), "\(all)")
        #expect(received[lost] > 0)
        #expect(received[received.count - 1] > received[back] + 10)
        // The golden bytes contain a quarter turn.
        let yaws = track[..<lost].compactMap { $0["yaw"] as? Double }
        #expect(abs(abs(yaws.last ?? 0) - 90) < 1, "\(yaws)")
    }
}
