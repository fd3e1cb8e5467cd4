import Capture
import Desk
import Testing

/// Commands of a capture: rows of the one table, read at its door and from its standard input.
@Suite struct CaptureCommandTests {
    private static func request(_ line: String) -> CaptureRequest? {
        if case .command(let command)? = Command.read(line: line) { command.captureRequest } else { nil }
    }

    @Test func `requests are read from lines, and what is none is not`() {
        #expect(Self.request("record") == .begin)
        #expect(Self.request("stop") == .end)
        #expect(Self.request("  marker  second verse ") == .mark("second verse"))
        #expect(Self.request("marker") == .mark(nil))
        #expect(Self.request("marker 1") == .mark("1"))
        #expect(Self.request("source a:{1,2}") == .source("a:{1,2}"))
        #expect(Self.request("orientation upside-down") == .orientation(.upsideDown))
        #expect(Self.request("rendition xy") == .rendition(.xy))
        for line in [
            "", " ", "source", "source ", "orientation sideways", "orientation", "rendition", "records", "stop now",
            "record take.wav", "status", "undo", "capture/source a:1",
        ] {
            #expect(Self.request(line) == nil, "\(line)")
        }
    }

    @Test func `The help lists the lines with their arguments`() {
        #expect(Command.lines.hasPrefix("record, stop, marker [NAME], source PORTS, orientation portrait|"))
        #expect(Command.lines.hasSuffix("|binaural"))
    }

    @Test(arguments: [
        CaptureRequest.source("a:{1,2}"), .orientation(.landscapeLeft), .rendition(.ortf),
    ]) func `What is written of a request is read as the same request`(_ request: CaptureRequest) throws {
        let (address, values) = try #require(Command.written(.capture(request)))
        #expect(Command.read(address, values, of: .capture) == .command(.capture(request)))
        #expect(Command.read(address, values) == nil, "a session has no such address")
    }

    @Test func `A capture has the commands of recordings, and none of a session's others`() {
        let marker = Command.read("record/marker", [.text("here")], of: .capture)
        #expect(marker == .command(.record(.marker(name: "here"))))
        #expect(Command.read("record/stop", [.single(0)], of: .capture) == .nothing)
        #expect(Command.read("watch", [.single(20)], of: .capture) == .door(.watch, [.single(20)]))
        let ofDoors = Command.rows(of: .capture).filter { if case .door = $0.kind { true } else { false } }
        #expect(ofDoors.map(\.id) == [DoorCommand.watch.rawValue], "the door of a capture answers no other")
        for address in ["quit", "undo", "plugin/amp/remove", "plugin/amp", "measure/begin", "seek", "level"] {
            #expect(Command.read(address, [], of: .capture) == nil, "\(address)")
        }
    }
}
