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

    /// Rows of commands that the session carries out and for which a button has this effect. `WireRecordTests` check
    /// the command that each row makes.
    private static func rows(_ button: Command.Button) -> [Command] {
        Command.rows(of: .desk).filter { row in
            if case .door = row.kind { return false }
            return row.button == button
        }
    }

    /// Returns the command that a row makes of the arguments.
    private static func command(_ word: Command, _ arguments: [OSCArgument] = []) throws -> SessionCommand {
        guard case .command(let command) = try request(word, arguments).get() else {
            throw ControlWire.Unusable(reason: "\(word.id) makes no command")
        }
        return command
    }

    @Test(arguments: rows(.press))
    func `A pressed button does what the bare command does, and a released one nothing`(_ word: Command) throws {
        let command = try Self.command(word)
        for argument in Self.pressed {
            #expect(try Self.request(word, [argument]).get() == .command(command), "\(word.id) \(argument)")
        }
        for argument in Self.released {
            #expect(try Self.request(word, [argument]).get() == .nothing, "\(word.id) \(argument)")
        }
    }

    @Test(arguments: rows(.press))
    func `What no button says is refused by name, unless it is an argument of the command`(_ word: Command) {
        let name = word.id.replacing("NAME", with: "amp")
        for arguments in Self.others {
            switch Self.request(word, arguments) {
            case .success:
                let taking = ["start", "skip", "record/start", "record/marker"]
                #expect(taking.contains(word.id), "\(word.id) \(arguments)")
            case .failure(let error): #expect(error.reason.hasPrefix("\(name) takes nothing"), "\(error.reason)")
            }
        }
    }

    @Test(arguments: rows(.state))
    func `A state follows a button, and turns over where nothing is said`(_ word: Command) throws {
        let bare = try Self.command(word)
        #expect(try Self.command(word, [.string("toggle")]) == bare)
        let (on, off) = (try Self.command(word, [.string("on")]), try Self.command(word, [.string("off")]))
        #expect(on != off && on != bare && off != bare)
        for argument in Self.pressed + [.string("1"), .string("true")] {
            #expect(try Self.command(word, [argument]) == on, "\(word.id) \(argument)")
        }
        for argument in Self.released + [.string("0"), .string("false")] {
            #expect(try Self.command(word, [argument]) == off, "\(word.id) \(argument)")
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
    @Test(arguments: rows(.unusable))
    func `A command that has to be told something is refused by name where a button asks for it`(_ word: Command)
        throws
    {
        let name = word.id.replacing("NAME", with: "amp")
        for arguments in [[]] + (Self.pressed + Self.released).map({ [$0] }) {
            // These commands take a number.
            if ["f", "i"].contains(word.types), arguments.first?.number != nil { continue }
            let error = #expect(throws: ControlWire.Unusable.self, "\(word.id) \(arguments)") {
                try Self.request(word, arguments).get()
            }
            #expect(error?.reason.hasPrefix("\(name) takes ") == true, "\(error?.reason ?? "")")
        }
    }

    @Test func `Subscribing goes by a button as well`() throws {
        for command in [DoorCommand.subscribe, .unsubscribe] {
            let address = ControlWire.prefix + command.rawValue
            for argument in Self.pressed {
                let request = try ControlRequest.read(OSCMessage(address, [argument])).get()
                #expect(request == .ofDoor(command, OSCMessage(address)))
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
