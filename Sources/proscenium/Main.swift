import ArgumentParser
import CRealtime
import Control
import Foundation

/// Where the program starts: completes the arguments with the user's defaults, runs the command, turns every error into
/// one plain message and the right exit code.
@main
enum Main {
    static func main() async {
        prc_settle_memory()
        // Every thread inherits it: the filters of workers and meters, too, take as long over silence as over sound.
        prc_flush_denormals()
        do {
            let arguments = typed
            if let script = CompletionScript.asked(by: arguments) { return print(script) }
            if let page = try ManualPage.asked(by: arguments) { return print(page, terminator: "") }
            try refuseUnknownCommand(arguments)
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

    /// What was typed behind the program's name. A session manager starts a program by its name alone, to run.
    static let typed: [String] = {
        let arguments = Array(CommandLine.arguments.dropFirst())
        return completed(arguments, ProcessInfo.processInfo.environment)
    }()

    /// Arguments as they are meant in an environment.
    static func completed(_ arguments: [String], _ environment: [String: String]) -> [String] {
        let isManaged = environment[NSMAddress.variable]?.isEmpty == false
        return arguments.isEmpty && isManaged ? ["run"] : arguments
    }

    /// Says that there is no such command, where the parser would speak of unexpected arguments.
    private static func refuseUnknownCommand(_ arguments: [String]) throws {
        var words = arguments[...]
        var known: [any ParsableCommand.Type] = Proscenium.subcommands
        guard let first = words.first, !first.hasPrefix("-") else { return }
        let asksHelp = first == "help"
        if asksHelp { words = words.dropFirst() }
        for word in words {
            guard !word.hasPrefix("-"), !known.isEmpty else { return }
            guard let command = known.first(where: { $0._commandName == word }) else {
                let names = known.map { $0._commandName }.joined(separator: ", ")
                throw Failure(.usage, "there is no command '\(word)'; there are \(names)")
            }
            // What stands behind a command is its own to read, unless help is asked for on one of its commands.
            guard asksHelp else { return }
            known = command.configuration.subcommands
        }
    }

    /// Prints what `error` has to say, on standard output where it is an answer (help, version), and exits.
    private static func leave(with error: any Error) -> Never {
        let code = Proscenium.exitCode(for: error)
        if code == .success {
            print(Proscenium.fullMessage(for: error))
            exit(0)
        }
        if let code = error as? ExitCode { exit(code.rawValue) }
        if code == .validationFailure {
            say(Proscenium.fullMessage(for: error))
            exit(Failure.Fault.usage.rawValue)
        }
        let failure = Failure(error)
        if !failure.message.isEmpty { say("proscenium: \(failure.message)") }
        exit(failure.fault.rawValue)
    }
}
