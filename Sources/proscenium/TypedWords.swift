import Control
import Foundation
import NSM

/// The words of the command line.
enum TypedWords {
    /// Arguments after the program's name. A session manager starts the program without any, which means `run`.
    static let all: [String] = completed(Array(CommandLine.arguments.dropFirst()), ProcessInfo.processInfo.environment)

    /// Returns the arguments. If there are none and the environment names a session manager, returns `run`.
    static func completed(_ arguments: [String], _ environment: [String: String]) -> [String] {
        let isManaged = environment[NSMAddress.variable]?.isEmpty == false
        return arguments.isEmpty && isManaged ? ["run"] : arguments
    }
}
