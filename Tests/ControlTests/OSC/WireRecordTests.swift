import Desk
import Foundation
import Loading
import OSC
import Stages
import Testing

@testable import Control

/// The request from each address with each kind of argument, its OSC Query node, the text of each kind of reply and the
/// first messages of a subscription, compared with the stored `Records`. An unintended change of any of these texts
/// fails here. `PROSCENIUM_RECORD=1` writes the records anew.
@Suite struct WireRecordTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Records")

    /// Arguments by their names in the records.
    private static let said: [(name: String, arguments: [OSCArgument])] = [
        ("nothing", []), ("i1", [.int32(1)]), ("i0", [.int32(0)]), ("T", [.boolean(true)]), ("F", [.boolean(false)]),
        ("f.5", [.float(0.5)]), ("f-3", [.float(-3)]), ("d90", [.double(90)]), ("f1e9", [.float(1e9)]),
        ("nan", [.float(.nan)]), ("i7", [.int32(7)]), ("h7", [.int64(7)]), ("h5e9", [.int64(5_000_000_000)]),
        ("null", [.null]), ("blob", [.blob([1])]), ("''", [.string("")]), ("x", [.string("x")]),
        ("on", [.string("on")]), ("off", [.string("off")]), ("toggle", [.string("toggle")]),
        ("long", [.string(String(repeating: "x", count: 5000))]),
        ("yaw", [.string("yaw")]), ("full", [.string("full")]), ("reset", [.string("reset")]), ("'1'", [.string("1")]),
        ("device", [.string("device")]), ("device,3", [.string("device"), .float(3)]),
        ("device,100", [.string("device"), .float(100)]), ("head,x", [.string("head"), .string("x")]),
        ("n,pause", [.string("n"), .string("pause")]), ("n,pause,5", [.string("n"), .string("pause"), .float(5)]),
        ("n,duck", [.string("n"), .string("duck")]), ("n,duck,-12", [.string("n"), .string("duck"), .float(-12)]),
        ("n,duck,9", [.string("n"), .string("duck"), .float(9)]),
        ("n,duck,-12,5", [.string("n"), .string("duck"), .float(-12), .float(5)]),
        ("n,duck,-12,0", [.string("n"), .string("duck"), .float(-12), .float(0)]),
        ("n,resume", [.string("n"), .string("resume")]), ("n,no-resume", [.string("n"), .string("no-resume")]),
        ("chain", [.string("ears=urn:x,gain=3")]), ("chain,1", [.string("ears=urn:x"), .int32(1)]),
        ("chain,x", [.string("ears=urn:x"), .string("x")]), ("urn", [.string("urn:x,gain=3")]),
        ("gain,-3", [.string("gain"), .float(-3)]), ("gain,x", [.string("gain"), .string("x")]),
        ("midi", [.int32(144), .int32(60), .int32(100)]), ("i300", [.int32(300)]), ("/a/b", [.string("/a/b")]),
        ("i-1", [.int32(-1)]), ("f0,f0,f0", [.float(0), .float(0), .float(0)]), ("5.1", [.string("5.1")]),
        ("/proscenium/level", [.string("/proscenium/level")]), ("f3,f4", [.float(3), .float(4)]),
    ]

    /// Addresses after the prefix.
    private static let addresses: [String] =
        Command.rows(of: .desk).map { $0.id.replacing("NAME", with: "amp") } + ["plugin/amp/set/gain"]
        + Parameter.all.map(\.id)
        + Parameter.renamed.keys.sorted()
        + ["level", "mute", "place", "upmix", "room", "rendition"].map { "input/talk/" + $0 }
        + ["mute", "solo", "polarity", "test-noise", "level"].map { "loudspeaker/FL/" + $0 }
        + ["", "nothing", "input/talk", "input//level", "plugin/amp/nothing", "plugin//remove", "record/nothing"]

    /// A state with a value of each kind of address.
    static let values: SessionValues = [
        "mode": .word("tracked"), "input/main/level": .numbers([-3]), "loudspeaker/FL/mute": .word("off"),
        "plugin/amp/bypass": .word("off"), "plugin/amp/set/gain": .numbers([1]), "layout": .word("5.1"),
        "record": .word("off"),
    ]

    /// Returns the request that a message makes, as one line.
    private static func outcome(_ address: String, _ arguments: [OSCArgument]) -> String {
        switch ControlRequest.read(OSCMessage(ControlWire.prefix + address, arguments)) {
        // The reason ends with the argument, which is cut off here.
        case .failure(let unusable): return "refused: \(unusable.reason.split(separator: ", not '")[0])"
        case .success(.nothing): return "nothing"
        case .success(.ofDoor(_, let asked)): return "of the door: \(asked.address) \(asked.arguments.map(text))"
        case .success(.command(.set(let change))):
            return "set \(change.parameter.id) of \(change.input ?? "all"): \(change.value.written.map(short))"
        // The module of a type is left out: moving a type changes no request.
        case .success(.command(let command)):
            let module = /\b[A-Z]\w+\.(?=[A-Z])/.wordBoundaryKind(.simple)
            return short("\(command)".replacing(module, with: ""))
        }
    }

    private static func text(_ argument: OSCArgument) -> String { short(argument.written ?? "\(argument)") }

    /// Returns a text, or its length where it is long.
    private static func short(_ text: String) -> String {
        text.count > 1000 ? "\(text.count) characters" : text
    }

    private static func page() -> String {
        addresses.map { address in
            var (outcomes, by) = ([String](), [String: [String]]())
            for (name, arguments) in said {
                let outcome = outcome(address, arguments)
                if by[outcome] == nil { outcomes.append(outcome) }
                by[outcome, default: []].append(name)
            }
            let usual = outcomes.max { by[$0, default: []].count < by[$1, default: []].count }
            let lines = outcomes.map {
                "  \($0 == usual ? "else" : by[$0, default: []].joined(separator: " ")) -> \($0)"
            }
            return (["\(address):"] + lines).joined(separator: "\n")
        }.joined(separator: "\n") + "\n"
    }

    /// Compares a text with a record, line by line.
    static func compare(_ now: String, with name: String) throws {
        let file = folder.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["PROSCENIUM_RECORD"] == "1" {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try now.write(to: file, atomically: true, encoding: .utf8)
        }
        let then = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let lines = now.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == then.count)
        for (line, former) in zip(lines, then) where line != former {
            Issue.record("\(name): \(line)\nwas: \(former)")
            return
        }
    }

    @Test func `Every message means what it meant`() throws { try Self.compare(Self.page(), with: "messages.txt") }

    @Test func `OSC Query says of every address what it said`() throws {
        let state = SessionState(values: Self.values, revision: 1)
        let tree = try #require(OSCQuery.node(at: "/", in: state))
        try Self.compare(tree.page + "\n", with: "query.json")
    }
}
