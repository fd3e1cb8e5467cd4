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
        do {
            let arguments = typed
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
        guard let first = arguments.first, !first.hasPrefix("-"), first != "help" else { return }
        let names = Proscenium.subcommands.compactMap { $0.configuration.commandName }
        guard !names.contains(first) else { return }
        throw Failure(.usage, "there is no command '\(first)'; there are \(names.joined(separator: ", "))")
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
