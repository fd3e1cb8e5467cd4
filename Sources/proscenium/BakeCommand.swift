import ArgumentParser
import Foundation
import Session

/// `proscenium bake`: a multichannel file with its mix parameters, and a stereo file for players that have no stage.
struct BakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bake",
        abstract: "Writes a programme with its mix parameters, and a stereo fold-down beside it.",
        discussion: """
            Examples:
              proscenium bake film.wav master.wav --dialnorm -27 --drc film-standard
              proscenium bake bed.wav master.flac --layout 7.1 --bits 24 --stereo everywhere.flac

            Channels are written as they are, in WAVE's order. FILE.json beside each file holds layout, loudness, true peak and \
            what you say of the mix; 'render' and others find it there. The fold-down (ITU-R BS.775) is lowered where its true \
            peak would exceed -1 dBTP, and says by how much.
            """)

    @Argument(help: "The programme: any format libsndfile reads.") var input: String
    @Argument(help: "Where its channels go.") var output: String
    @Option(help: ArgumentHelp("Where the stereo file goes (default: NAME.stereo.EXTENSION).", valueName: "file"))
    var stereo: String?
    @OptionGroup var source: InputFileOptions
    @Option(parsing: .unconditional, help: ArgumentHelp("Level of the dialogue, -31 to -1.", valueName: "dB"))
    var dialnorm: Int?
    @Option(help: ArgumentHelp("Dynamic range profile: \(DynamicsSettings.profileNames).", valueName: "profile"))
    var drc: String?
    @Option(help: "What it is: av or audio.") var content: ProgrammeSettings.Content?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Where its own front is on the stage, degrees.", valueName: "yaw[,pitch[,roll]]"))
    var place: String?
    @Option(help: ArgumentHelp("Spread of its sources, degrees, 0 to 180.", valueName: "degrees")) var width: Double?
    @OptionGroup(title: "Output") var written: OutputOptions
    @Flag(help: "Print what was done as JSON.") var json = false

    func validate() throws {
        if let dialnorm, !(-31 ... -1).contains(dialnorm) {
            throw ValidationError("--dialnorm must lie between -31 and -1, not \(dialnorm)")
        }
        if let drc, DynamicsSettings.profile(drc) == nil {
            throw ValidationError("--drc is one of \(DynamicsSettings.profileNames), not '\(drc)'")
        }
        if let width, !width.isFinite || !(0...180).contains(width) {
            throw ValidationError("--width must lie between 0 and 180 degrees, not \(width)")
        }
        if place != nil, angles(of: place) == nil {
            throw ValidationError("--place takes yaw[,pitch[,roll]] in degrees, not '\(place ?? "")'")
        }
    }

    /// One to three angles within their ranges; nil for anything else.
    private func angles(of text: String?) -> [Double]? {
        guard let parts = text?.split(separator: ",", omittingEmptySubsequences: false) else { return nil }
        let angles = parts.compactMap { Double($0) }
        guard angles.count == parts.count, (1...3).contains(angles.count), angles.allSatisfy(\.isFinite) else {
            return nil
        }
        let ranges = [180.0, 90, 180]
        return zip(angles, ranges).allSatisfy { abs($0) <= $1 } ? angles : nil
    }

    func run() async throws {
        let interrupt = Interrupt()
        let progress = Progress("bake")
        defer { progress.finish() }
        let dynamics = DynamicsSettings(dialnorm: dialnorm, profile: drc.flatMap { DynamicsSettings.profile($0) })
        let report = try OfflineSession.bake(
            BakeSettings(
                stage: source.stage(), input: input,
                output: output, stereo: stereo, written: written.choice, order: source.order, dynamics: dynamics,
                content: content, place: angles(of: place), width: width),
            progress: progress.until(interrupt))
        progress.finish()
        if json {
            try JSONText.print(report)
        } else {
            for line in report.lines { say(line) }
        }
    }
}
