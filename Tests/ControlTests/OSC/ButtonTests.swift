import Desk
import DoorFixtures
import Foundation
import Gate
import HeadTracking
import Loading
import OSC
import Racks
import Synchronization
import Testing

@testable import Control

/// Commands from buttons: 1 when the button is pressed, 0 when it is released.
@Suite struct ButtonTests {
    /// Arguments of a pressed button. Each command of the table is also tested without an argument.
    private static let pressed: [OSCArgument] = [.int32(1), .int64(1), .float(1), .double(1), .boolean(true)]
    private static let released: [OSCArgument] =
        [.int32(0), .int64(0), .float(0), .float(-0.0), .double(0), .boolean(false)]
    private static let others: [[OSCArgument]] = [
        [.int32(2)], [.float(2)], [.float(0.5)], [.int32(-1)], [.double(-1)], [.float(.nan)], [.double(.nan)],
        [.double(.infinity)],
        [.string("x")], [.string("")], [.null], [.blob([1])], [.timeTag(.immediately)], [.float(1), .float(1)],
        [.float(0), .float(0)], [.float(1), .string("x")],
    ]

    private static func address(_ word: Command) -> String {
        ControlWire.prefix + word.id.replacing("NAME", with: "amp")
    }

    private static func request(_ word: Command, _ arguments: [OSCArgument]) -> Result<
        ControlRequest, ControlWire.Unusable
    > {
        ControlRequest.read(OSCMessage(address(word), arguments))
    }

    /// Session commands of the table's commands without an argument.
    private static let bare: [String: SessionCommand] = [
        "recentre": .recentre(.yaw), "recentre/yaw": .recentre(.yaw), "recentre/full": .recentre(.full),
        "recentre/reset": .recentre(.reset), "start": .start(frame: nil), "status": .status, "picture": .picture,
        "loudness": .loudness(reset: false), "loudness/reset": .loudness(reset: true), "undo": .history(.undo),
        "redo": .history(.redo), "quit": .quit, "resume": .playback(.resume),
        "record/start": .record(.start(file: nil)),
        "record/stop": .record(.stop), "record/marker": .record(.marker(name: nil)),
        "surface/cancel": .surface(.cancel),
        "plugin": .plugin(.list), "plugin/known": .plugin(.known), "plugin/NAME/about": .plugin(.about("amp")),
        "plugin/NAME/remove": .plugin(.remove("amp")), "plugin/NAME/restart": .plugin(.restart("amp")),
        "skip": .preview(.skip(1)),
        "calibrate/start": .calibration(.start(.head, seconds: CalibrationCommand.usualSeconds)),
        "calibrate/step": .calibration(.step), "calibrate/accept": .calibration(.accept),
        "calibrate/cancel": .calibration(.cancel),
        "measure/begin": .measurement(.begin), "measure/repeat": .measurement(.again),
        "measure/skip": .measurement(.skip), "measure/stop": .measurement(.stop),
    ]
    /// Commands that switch a state on and off.
    private static let states: [String: @Sendable (Bool?) -> SessionCommand] = [
        "record": { .record(.turn(on: $0)) }, "pause": { .preview(.pause($0)) }, "loop": { .preview(.loop($0)) },
        "plugin/NAME/bypass": { .plugin(.bypass("amp", $0)) },
    ]
    /// Commands that need an argument.
    private static let telling: Set = [
        "watch", "token", "interrupt/begin", "interrupt/end", "surface/learn", "plugin/add", "plugin/save",
        "plugin/load", "plugin/describe",
        "plugin/NAME/move", "plugin/NAME/replace", "plugin/NAME/preset", "plugin/NAME/midi", "plugin/NAME/set", "seek",
        "seek-by", "gain-by",
    ]

    @Test func `Every word of the table is of one kind`() {
        for word in Command.rows(of: .desk) {
            let isOfDoor = ["subscribe", "unsubscribe"].contains(word.id)
            let kinds = [
                Self.bare[word.id] != nil, Self.states[word.id] != nil, Self.telling.contains(word.id), isOfDoor,
            ]
            #expect(kinds.count { $0 } == 1, "\(word.id)")
        }
    }

    @Test(arguments: Command.rows(of: .desk).filter { bare[$0.id] != nil })
    func `A pressed button does what the bare command does, and a released one nothing`(_ word: Command) throws {
        let command = try #require(Self.bare[word.id])
        for arguments in [[]] + Self.pressed.map({ [$0] }) {
            #expect(try Self.request(word, arguments).get() == .command(command), "\(word.id) \(arguments)")
        }
        for argument in Self.released {
            #expect(try Self.request(word, [argument]).get() == .nothing, "\(word.id) \(argument)")
        }
    }

    @Test(arguments: Command.rows(of: .desk).filter { bare[$0.id] != nil })
    func `What no button says is refused by name, unless it is an argument of the command`(_ word: Command) {
        for arguments in Self.others {
            if Self.proper[word.id]?.contains(arguments) == true {
                #expect(throws: Never.self) { try Self.request(word, arguments).get() }
                continue
            }
            let error = #expect(throws: ControlWire.Unusable.self, "\(word.id) \(arguments)") {
                try Self.request(word, arguments).get()
            }
            let name = word.id.replacing("NAME", with: "amp")
            #expect(error?.reason.hasPrefix("\(name) takes nothing") == true, "\(error?.reason ?? "")")
        }
    }

    /// Arguments among `others` that are valid for commands with an optional argument: a JACK frame, a number of files,
    /// names of a file and a marker.
    private static let proper: [String: [[OSCArgument]]] = [
        "start": [[.int32(2)], [.int32(-1)], [.double(-1)]],
        "skip": [[.int32(2)], [.float(2)], [.int32(-1)], [.double(-1)]],
        "record/start": [[.string("x")]], "record/marker": [[.string("x")]],
    ]

    @Test(arguments: Command.rows(of: .desk).filter { states[$0.id] != nil })
    func `A state follows a button, and turns over where nothing is said`(_ word: Command) throws {
        let turned = try #require(Self.states[word.id])
        for arguments in [[], [OSCArgument.string("toggle")]] {
            #expect(try Self.request(word, arguments).get() == .command(turned(nil)))
        }
        for argument in Self.pressed + [.string("on"), .string("1"), .string("true")] {
            #expect(try Self.request(word, [argument]).get() == .command(turned(true)), "\(word.id) \(argument)")
        }
        for argument in Self.released + [.string("off"), .string("0"), .string("false")] {
            #expect(try Self.request(word, [argument]).get() == .command(turned(false)), "\(word.id) \(argument)")
        }
        for arguments in Self.others {
            let error = #expect(throws: ControlWire.Unusable.self, "\(word.id) \(arguments)") {
                try Self.request(word, arguments).get()
            }
            let name = word.id.replacing("NAME", with: "amp")
            #expect(error?.reason.hasPrefix("\(name) takes nothing, 'on', 'off' or 'toggle'") == true)
        }
    }

    /// A button bound to such a command by mistake must not save a folder called 1.
    @Test(arguments: Command.rows(of: .desk).filter { telling.contains($0.id) })
    func `A command that has to be told something is refused by name where a button asks for it`(_ word: Command)
        throws
    {
        let name = word.id.replacing("NAME", with: "amp")
        for arguments in [[]] + (Self.pressed + Self.released).map({ [$0] }) {
            // These commands take a number.
            if ["watch", "seek", "seek-by", "gain-by", "plugin/NAME/move", "plugin/NAME/midi"].contains(word.id),
                arguments.first?.number != nil
            {
                continue
            }
            // The doors check these commands' arguments themselves.
            if case .door = word.kind { continue }
            let error = #expect(throws: ControlWire.Unusable.self, "\(word.id) \(arguments)") {
                try Self.request(word, arguments).get()
            }
            #expect(error?.reason.hasPrefix("\(name) takes ") == true, "\(error?.reason ?? "")")
        }
    }

    @Test func `Subscribing goes by a button as well`() throws {
        for word in ["subscribe", "unsubscribe"] {
            let address = ControlWire.prefix + word
            for argument in Self.pressed {
                #expect(try ControlRequest.read(OSCMessage(address, [argument])).get() == .ofDoor(OSCMessage(address)))
            }
            for argument in Self.released {
                #expect(try ControlRequest.read(OSCMessage(address, [argument])).get() == .nothing)
            }
        }
    }

    /// The numbers 0 and 1 are the values of a button, so the frames 0 and 1 are sent as texts.
    @Test func `The first frames of JACK's clock go as texts, and all others as numbers, over JSON too`() throws {
        for frame in [0, 1, 2, 4_800_000, 2_147_483_648, UInt32.max] as [UInt32] {
            let message = ControlMessages.message(for: .start(frame: frame))
            #expect(try ControlRequest.read(message).get() == .command(.start(frame: frame)))
            let text = JSONValue.list(message.arguments.map(JSONValue.init)).line
            guard case .list(let list)? = JSONValue(parsing: text) else { Issue.record("\(text)"); continue }
            let said = OSCMessage(message.address, list.compactMap(\.argument))
            #expect(try ControlRequest.read(said).get() == .command(.start(frame: frame)), "\(text)")
        }
        for argument in [
            OSCArgument.int64(4_294_967_296), .int64(-1), .double(1e300), .double(2.5), .string("-1"), .float(7),
        ] {
            #expect(throws: ControlWire.Unusable.self) {
                try ControlRequest.read(OSCMessage("/proscenium/start", [argument])).get()
            }
        }
    }

    /// In an earlier version a released button undid a second time, and ended the session.
    @Test(.timeLimit(.minutes(10))) func `At every door a button acts once`() async throws {
        let asked = Mutex<[SessionCommand]>([])
        let desk = SessionDesk()
        desk.commands.serve { command in
            asked.withLock { $0.append(command) }
            return .done
        }
        let doors = try await EveryDoor(desk)
        for name in EveryDoor.names {
            for (word, command) in [
                ("undo", SessionCommand.history(.undo)), ("recentre", .recentre(.yaw)), ("quit", .quit),
                ("record/start", .record(.start(file: nil))), ("plugin/amp/remove", .plugin(.remove("amp"))),
            ] {
                asked.withLock { $0 = [] }
                for number in [1.0, 0.0] {
                    let answer = try await doors.ask(name, word, number)
                    #expect(
                        answer.contains("done") && !answer.contains("refused"), "\(name): \(word) \(number): \(answer)")
                }
                #expect(asked.withLock { $0 } == [command], "\(name): \(word)")
                let answer = try await doors.ask(name, word, 2)
                #expect(answer.contains("\(word) takes nothing"), "\(name): \(answer)")
                #expect(asked.withLock { $0 } == [command], "\(name): \(word)")
            }
        }
        await doors.close()
    }
}
