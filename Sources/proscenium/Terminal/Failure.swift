import IMU
import Loading
import PluginHost
import Racks
import Session

/// Reason of the program's failure: its class, and a sentence with a remedy.
struct Failure: Error {
    /// Exit codes, a stable interface for scripts.
    enum Fault: Int32 {
        case input = 1
        case usage = 2
        case environment = 3
        case interrupted = 130
    }

    /// Class of the failure.
    let fault: Fault
    /// Message to the user; empty if it was printed already.
    let message: String

    init(_ fault: Fault, _ message: String) {
        self.fault = fault
        self.message = message
    }

    /// Classifies an error of any module.
    init(_ error: any Error) {
        if let failure = error as? Failure {
            self = failure
        } else if let error = error as? SessionError {
            let fault: Fault =
                switch error.fault {
                case .input: .input
                case .usage: .usage
                case .environment: .environment
                case .interrupted: .interrupted
                }
            let line = error.remedy.map { ShellLine(["proscenium"] + $0.applied(to: TypedWords.all)).text }
            self.init(fault, error.description + (line.map { "; this works: \($0)" } ?? ""))
        } else if let error = error as? TrackerError {
            let fault: Fault =
                switch error.fault {
                case .input: .input
                case .usage: .usage
                case .environment: .environment
                }
            self.init(fault, error.description)
        } else if let error = error as? PluginError {
            self.init(SessionError(error))
        } else {
            self.init(.environment, String(describing: error))
        }
    }
}
