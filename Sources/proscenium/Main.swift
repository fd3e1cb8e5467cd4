import ArgumentParser
import CRealtime
import Foundation
import Gate

/// Entry point of the program. Completes the arguments with the user's defaults, runs the command, and turns every
/// error into one plain message and an exit code.
@main
enum Main {
    static func main() async {
        prc_settle_memory()
        // All threads inherit this mode, so that filters of workers and meters take equal time for silence and sound.
        prc_flush_denormals()
        // A parent may have ignored this signal; the system would then not keep the status of ended children.
        signal(SIGCHLD, SIG_DFL)
        do {
            let arguments = TypedWords.all
            if let script = CompletionScript.asked(by: arguments) { return print(script) }
            if let offers = OfferedWords.asked(by: arguments) { return print(offers) }
            if let page = try ManualPage.asked(by: arguments) { return print(page, terminator: "") }
            try refuseUnknownCommand(arguments)
            try refuseLettersAsHelp(arguments)
            var command = try Defaults.parse(arguments)
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            leave(with: error)
        }
    }

    /// Throws for an unknown command. The parser would only report unexpected arguments.
    private static func refuseUnknownCommand(_ arguments: [String]) throws {
        var words = arguments[...]
        var known: [any ParsableCommand.Type] = Proscenium.subcommands
        guard let first = words.first, !first.hasPrefix("-") else { return }
        let asksHelp = first == "help"
        if asksHelp { words = words.dropFirst() }
        for word in words {
            guard !word.hasPrefix("-"), !known.isEmpty else { return }
            guard let command = known.first(where: { $0._commandName == word }) else {
                let names = known.map { $0._commandName }
                let nearest = NearestWord.among(names, for: word).map { "; the nearest is '\($0)'" } ?? ""
                let line = ForeignLine.translated(arguments).map { "; this works: \($0)" } ?? ""
                throw Failure(
                    .usage, "there is no command '\(word)'\(nearest); there are \(names.joined(separator: ", "))\(line)"
                )
            }
            // A command parses its own arguments, except a request for help on one of its subcommands.
            guard asksHelp else { return }
            known = command.configuration.subcommands
        }
    }

    /// Throws for a word such as `-hide_banner`, in which the parser reads each letter as an option: one of them is
    /// `-h`, and the command would print its help.
    private static func refuseLettersAsHelp(_ arguments: [String]) throws {
        let named = arguments.first.map { name in Proscenium.subcommands.contains { $0._commandName == name } } ?? false
        guard !named || ForeignLine.commands.contains(arguments[0]) else { return }
        for (before, word) in zip([""] + arguments, arguments.prefix { $0 != "--" })
        where word.hasPrefix("-") && !word.hasPrefix("--") && word.count > 2 && word.contains("h")
            && word.dropFirst().first?.isLetter == true && !before.hasPrefix("--") && Set(word) != Set("-yh")
        {
            let whose = named ? " of '\(arguments[0])'" : ""
            let line = ForeignLine.translated(arguments).map { "; this works: \($0)" } ?? ""
            throw Failure(.usage, "unknown option '\(word)'\(whose)\(line)")
        }
    }

    /// Prints the message of `error` and exits. Help and version go to standard output.
    private static func leave(with error: any Error) -> Never {
        let code = Proscenium.exitCode(for: error)
        if code == .success {
            print(Proscenium.fullMessage(for: error))
            exit(0)
        }
        if let code = error as? ExitCode { exit(code.rawValue) }
        if code == .validationFailure {
            say(MeantOption(TypedWords.all).told(Proscenium.fullMessage(for: error)))
            exit(Failure.Fault.usage.rawValue)
        }
        let failure = Failure(error)
        if !failure.message.isEmpty { say("proscenium: \(failure.message)") }
        exit(failure.fault.rawValue)
    }
}
