import Desk
import HeadTracking
import Racks
import Stages
import Testing

/// Columns of the table of commands.
@Suite struct CommandTableTests {
    @Test(arguments: [
        SessionCommand.recentre(.yaw), .playback(.resume), .preview(.skip(1)), .loudness(reset: true),
        .calibration(.step), .measurement(.begin), .surface(.cancel), .status, .picture, .state, .quit,
    ]) func `Quick commands are carried out in turn`(_ command: SessionCommand) throws {
        if case .inTurn = command.execution.order { return }
        Issue.record("\(command): \(command.execution.order)")
    }

    @Test func `Slow commands have lanes`() throws {
        guard case .atItsFrame = SessionCommand.start(frame: nil).execution.order,
            case .beside(.stages, isAwaited: false) = SessionCommand.plugin(.remove("amp")).execution.order,
            case .beside(.stages, isAwaited: true) = SessionCommand.history(.undo).execution.order,
            case .beside(.recordings, isAwaited: true) = SessionCommand.record(.stop).execution.order
        else {
            Issue.record("a command is in another lane")
            return
        }
        let level = SessionCommand.set(try ParameterChange("level", ["-3"], input: nil))
        let layout = SessionCommand.set(try ParameterChange("layout", ["5.1"], input: nil))
        guard case .inTurn = level.execution.order, case .beside(.stages, isAwaited: false) = layout.execution.order
        else {
            Issue.record("a parameter is in another lane")
            return
        }
    }

    @Test func `Queries and actions without a value change nothing, others do`() {
        for command: SessionCommand in [
            .status, .picture, .state, .loudness(reset: false), .loudness(reset: true), .quit, .start(frame: 4),
            .plugin(.list), .plugin(.known), .plugin(.describe("urn:a")), .plugin(.about("amp")), .plugin(.save("a")),
            .plugin(.midi("amp", [1])), .history(.redo), .measurement(.skip),
        ] { #expect(command.execution.change == .nothing, "\(command)") }
        for command: SessionCommand in [
            .plugin(.remove("amp")), .plugin(.move("amp", to: 0)), .plugin(.load("a")), .plugin(.preset("amp", "a")),
        ] { #expect(command.execution.change == .chains, "\(command)") }
        for command: SessionCommand in [
            .recentre(.full), .playback(.resume), .record(.turn(on: nil)), .plugin(.bypass("amp", nil)),
            .plugin(.set("amp", symbol: "gain", value: "1")), .plugin(.restart("amp")), .calibration(.accept),
            .surface(.learn("level")),
        ] { #expect(command.execution.change == .values, "\(command)") }
    }

    @Test func `Queries without arguments share an answer, and no other command replaces one`() {
        for (command, word): (SessionCommand, String) in [
            (.status, "status"), (.picture, "picture"), (.state, "state"), (.loudness(reset: false), "loudness"),
            (.plugin(.list), "plugin"), (.plugin(.known), "plugin/known"),
        ] { #expect(command.subject?.word == word && command.subject?.isQuestion == true) }
        for command: SessionCommand in [
            .loudness(reset: true), .plugin(.about("amp")), .plugin(.describe("urn:a")), .recentre(.yaw), .quit,
            .record(.stop), .history(.undo), .start(frame: nil),
        ] { #expect(command.subject == nil, "\(command)") }
    }

    @Test func `A blind comparison refuses the history and all commands to plugins`() {
        for row in Command.rows(of: .session) {
            let isRefused = row.execution.conditions.contains(.noBlindComparison)
            #expect(isRefused == (["undo", "redo"].contains(row.id) || row.id.hasPrefix("plugin")), "\(row.id)")
        }
    }

    @Test func `A session tells which program carries out the commands of others`() {
        for row in Command.all {
            let refusal = row.programs.refusal
            switch row.section {
            case .player: #expect(refusal?.contains("'preview'") == true)
            case .measurement:
                #expect(refusal?.contains("'measure me --panel PORT'") == true)
                #expect(refusal?.contains("'measure headphones --panel PORT'") == true)
            default: #expect((refusal?.contains("'capture'") == true) == row.id.hasPrefix("capture/"), "\(row.id)")
            }
        }
    }

    @Test func `The groups are the first words of the typed commands, and each has its help`() {
        #expect(Command.Group.all.map(\.id) == ["interrupt", "record", "surface", "plugin", "calibrate"])
        for group in Command.Group.all { #expect(!group.help.isEmpty && !group.remark.isEmpty, "\(group.id)") }
    }

    @Test func `Types, ranges and the effect of a button follow from the arguments`() throws {
        func row(_ id: String) throws -> Command { try #require(Command.at(id, of: [.desk, .capture])?.row) }
        for (id, types, button): (String, String, Command.Button) in [
            ("undo", "N", .press), ("recentre", "N", .press), ("calibrate/start", "N", .press), ("record", "T", .state),
            ("plugin/add", "s", .unusable), ("plugin/amp/set", "sf", .unusable), ("plugin/amp/move", "i", .unusable),
            ("plugin/amp/remove", "N", .press), ("interrupt/begin", "ss", .unusable), ("gain-by", "f", .unusable),
            ("capture/source", "s", .unusable), ("token", "s", .unusable), ("subscribe", "N", .press),
        ] {
            let found = try row(id)
            #expect(found.types == types && found.button == button, "\(id): \(found.types)")
        }
        #expect(try row("gain-by").ranges == [SessionCommand.Player.gains])
        #expect(try row("plugin/amp/midi").ranges == [0...255])
        #expect(try row("interrupt/begin").ranges.isEmpty)
        #expect(try row("calibrate/start").ranges.isEmpty)
    }

    @Test(arguments: Command.rows(of: .desk).filter { $0.button != .unusable })
    func `What is written of a command is read as the same command`(_ row: Command) throws {
        // A door carries out its commands itself.
        if case .door = row.kind { return }
        let address = row.id.replacing("NAME", with: "amp")
        let lists: [[CommandValue]] = row.button == .state ? [[], [.text("on")], [.text("off")]] : [[]]
        for values in lists {
            let reading = try #require(Command.read(address, values))
            guard case .command(let command) = reading else {
                Issue.record("\(address): \(reading)")
                continue
            }
            let written = try #require(Command.written(command))
            #expect(Command.read(written.address, written.values) == reading)
        }
    }

    @Test func `The error message of a command names its arguments in order`() throws {
        func said(_ id: String) throws -> String { try #require(Command.at(id)).row.refusal(at: id) }
        #expect(
            try said("plugin/add")
                == "plugin/add takes a plugin as in --plugin, then optionally a position from 0 on")
        #expect(try said("plugin/amp/set") == "plugin/amp/set takes a symbol or URI, then a number or a text")
        #expect(
            try said("recentre")
                == "recentre takes nothing or a button's 1, or 'yaw', 'full' or 'reset'; a button's 0 does nothing")
    }
}
