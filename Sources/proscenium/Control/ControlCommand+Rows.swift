import ArgumentParser
import Foundation
import Session

/// The rows of the table of commands that `ctl` has, and the groups that they stand in.
extension ControlCommand {
    enum Recentre: CommandRow { static let id = "recentre" }
    enum Pause: CommandRow { static let id = "pause" }
    enum Skip: CommandRow { static let id = "skip" }
    enum Resume: CommandRow { static let id = "resume" }
    enum Undo: CommandRow { static let id = "undo" }
    enum Redo: CommandRow { static let id = "redo" }
    enum Start: CommandRow { static let id = "start" }
    enum Quit: CommandRow { static let id = "quit" }

    struct Interrupt: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Asks for the stage, or gives it back: everything else is ducked or paused.",
            discussion: "Example: proscenium ctl interrupt begin navigation --duck -12",
            subcommands: [RowCommand<Begin>.self, RowCommand<End>.self])

        enum Begin: CommandRow { static let id = "interrupt/begin" }
        enum End: CommandRow { static let id = "interrupt/end" }
    }

    struct Record: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Begins and completes takes of what the stage plays, and sets markers in them.",
            discussion: """
                Examples: proscenium ctl record start take.wav; proscenium ctl record marker 'second verse';
                proscenium ctl record stop

                Nothing is replaced: where there is a take.wav, take-2.wav is recorded, and so on.
                """,
            subcommands: [RowCommand<Start>.self, RowCommand<Stop>.self, RowCommand<Marker>.self])

        enum Start: CommandRow {
            static let id = "record/start"
            static func words(_ answer: String) -> String? { RecordingStatus(json: answer)?.file ?? answer }
        }

        enum Stop: CommandRow {
            static let id = "record/stop"
            static func words(_ answer: String) -> String? {
                RecordingStatus(json: answer).map { StatusText.recording($0) } ?? answer
            }
        }

        enum Marker: CommandRow {
            static let id = "record/marker"
            static func words(_ answer: String) -> String? {
                guard let recording = RecordingStatus(json: answer) else { return answer }
                return recording.marker.map { "\($0.name) at \(StatusText.time($0.seconds)) of \(recording.file)" }
                    ?? ""
            }
        }
    }

    struct Calibrate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Finds out how a session's tracker sits, by four movements, while it plays.",
            discussion: """
                Examples: proscenium ctl calibrate start head; proscenium ctl calibrate step (four times); \
                proscenium ctl calibrate accept

                How far it has come stands under calibration/ in the state. 'tracker calibrate' does the same without a session.
                """,
            subcommands: [
                RowCommand<Start>.self, RowCommand<Step>.self, RowCommand<Accept>.self, RowCommand<Cancel>.self,
            ])

        enum Start: CommandRow { static let id = "calibrate/start" }
        enum Step: CommandRow { static let id = "calibrate/step" }
        enum Accept: CommandRow { static let id = "calibrate/accept" }
        enum Cancel: CommandRow { static let id = "calibrate/cancel" }
    }

    struct Surface: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Has the control surface of --surface learn what its controls move.",
            discussion: "Example: proscenium ctl surface learn input/main/level",
            subcommands: [RowCommand<Learn>.self, RowCommand<Cancel>.self])

        enum Learn: CommandRow { static let id = "surface/learn" }
        enum Cancel: CommandRow { static let id = "surface/cancel" }
    }

    struct Plugin: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds, removes, orders, bypasses and sets plugins while the session plays.",
            discussion: """
                Examples:
                  proscenium ctl plugin add 'ears=http://gareus.org/oss/lv2/dpl#stereo,name=limiter'
                  proscenium ctl plugin set limiter gain -3
                  proscenium ctl plugin bypass limiter

                Every change fades in 50 ms. Bypass keeps the latency. Names are shown by 'ctl plugin list'.
                """,
            subcommands: [
                List.self, RowCommand<Add>.self, RowCommand<Remove>.self, RowCommand<Move>.self,
                RowCommand<Replace>.self,
                RowCommand<Bypass>.self, RowCommand<Assign>.self, RowCommand<Preset>.self, RowCommand<Restart>.self,
                RowCommand<MIDI>.self, RowCommand<Save>.self, RowCommand<Load>.self,
            ], defaultSubcommand: List.self)

        enum Add: CommandRow { static let id = "plugin/add" }
        enum Remove: CommandRow { static let id = "plugin/NAME/remove" }
        enum Move: CommandRow { static let id = "plugin/NAME/move" }
        enum Replace: CommandRow { static let id = "plugin/NAME/replace" }
        enum Bypass: CommandRow { static let id = "plugin/NAME/bypass" }
        enum Assign: CommandRow { static let id = "plugin/NAME/set" }
        enum Preset: CommandRow { static let id = "plugin/NAME/preset" }
        enum Restart: CommandRow { static let id = "plugin/NAME/restart" }
        enum MIDI: CommandRow { static let id = "plugin/NAME/midi" }
        enum Save: CommandRow { static let id = "plugin/save" }
        enum Load: CommandRow { static let id = "plugin/load" }
    }
}

extension RecordingStatus {
    /// As a session answers; nil for another answer.
    init?(json: String) {
        guard let status = try? JSONDecoder().decode(RecordingStatus.self, from: Data(json.utf8)) else { return nil }
        self = status
    }
}
