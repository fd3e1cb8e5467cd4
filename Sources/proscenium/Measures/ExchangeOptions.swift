import ArgumentParser
import AudioIO
import Measurement

/// Options of a measurement that plays and records over JACK.
struct ExchangeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Connect the loudspeakers in the layout's order, or the left and right driver, to these ports: 'physical', or a list.",
            valueName: "ports"),
        completion: .list(["physical"]))
    var connectOut: String?
    @Option(
        help: ArgumentHelp(
            "Connect the microphones of the left and the right ear: 'physical', or two ports.", valueName: "ports"),
        completion: .list(["physical"]))
    var connectIn: String?
    @Option(
        help: ArgumentHelp(
            "Begin each take after this time, 0 to 60, instead of when Enter is pressed.", valueName: "s"))
    var wait: Double?
    @Option(help: ArgumentHelp("Greatest number of repetitions of a faulty take, 0 to 100.", valueName: "count"))
    var tries = 5
    @Option(
        help: ArgumentHelp(
            "Calibration of the microphones: a text of frequencies and levels. Twice: the left, then the right.",
            valueName: "file"), completion: .file())
    var calibration: [String] = []

    func validate() throws {
        if let wait, !(0...60).contains(wait) { throw ValidationError("--wait must lie between 0 and 60, not \(wait)") }
        guard (0...100).contains(tries) else {
            throw ValidationError("--tries must lie between 0 and 100, not \(tries)")
        }
        guard calibration.count <= 2 else {
            throw ValidationError("--calibration names one file for both microphones, or the left and the right")
        }
    }

    /// Throws the error of a measurement with the exit status of its cause. After a JACK error, the message says that
    /// good takes remain in the folder.
    static func failure(_ error: any Error, in folder: MeasurementFolder) throws -> Never {
        switch error {
        case let error as ResponseError:
            try ResponseError.spoken { () throws(ResponseError) -> Void in throw error }
            throw error
        case let error as JACKError:
            throw Failure(
                .environment,
                "\(error.description); good takes are kept in \(folder.path); the same command line continues with the rest"
            )
        default: throw error
        }
    }
}
