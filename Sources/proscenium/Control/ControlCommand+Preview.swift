import ArgumentParser
import Desk
import Session

/// Commands of `ctl` for the files that a preview plays.
extension ControlCommand {
    struct Seek: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Moves to a time in the file that a preview plays, or by a time.",
            discussion: """
                Examples: proscenium ctl seek 90; proscenium ctl seek 1:30; proscenium ctl seek +5; proscenium ctl seek -5

                A number with a sign moves from the present position; a number without one counts from the beginning.
                """)
        @OptionGroup var port: ControlPort
        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp("Seconds, or minutes and hours as 1:30; with + or - relative.", valueName: "place"))
        var places: [String]

        // A "--" before a negative number is accepted, since other programs require it.
        private var written: [String] { places.filter { $0 != "--" } }
        private var place: String { written.first ?? "" }

        func validate() throws {
            guard written.count == 1, let seconds = Self.seconds(place), SessionCommand.Player.seconds.contains(seconds)
            else {
                throw ValidationError(
                    "seek takes seconds, as 90, 1:30, +5 or -5; not '\(written.joined(separator: " "))'")
            }
        }

        /// Returns the seconds of `90`, `1:30`, `0:01:30`, each with or without a sign; nil for other text.
        static func seconds(_ text: String) -> Double? {
            let isBack = text.hasPrefix("-")
            let parts = (isBack || text.hasPrefix("+") ? text.dropFirst() : text[...]).split(
                separator: ":", omittingEmptySubsequences: false)
            var sum = 0.0
            for part in parts {
                guard part.first?.isNumber == true, let number = Double(part), number.isFinite, number >= 0 else {
                    return nil
                }
                sum = 60 * sum + number
            }
            return parts.count <= 3 ? (isBack ? -sum : sum) : nil
        }

        func run() async throws {
            let isBy = place.hasPrefix("+") || place.hasPrefix("-")
            let (row, seconds) = (isBy ? "seek-by" : "seek", Self.seconds(place) ?? 0)
            _ = try await port.ask(row, [.number(seconds)], patience: 3)
        }
    }
}
