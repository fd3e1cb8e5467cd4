import ArgumentParser
import Foundation
import Loading
import Session
import Takes

/// `proscenium demo follow`: runs head tracking on recorded packets, in stream time instead of the machine's time.
///
/// The decoders, clocks, filters and forecasts are those of a live session; only the time comes from the stream. The
/// poses are therefore the same on every machine, even on one too busy for real time.
struct DemoFollowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "follow",
        abstract: "Computes poses from recorded packets by head tracking, for 'render --poses'.",
        discussion: """
            Packets are rows "seconds,hexadecimal bytes": the time of arrival in stream time, and the bytes that the tracker sent.

            Example: proscenium demo follow poses.csv --head osc:9000 --head-packets head.csv --seconds 60
            """, shouldDisplay: false)

    @Argument(help: "File for the poses: t,w,x,y,z, one row for every 128 frames.") var output: String
    @OptionGroup var former: OverwriteOption
    @Option(help: "Head tracker that sent the packets, as in 'run --head'.") var head: String
    @Option(help: "File of the head tracker's packets.") var headPackets: String
    @Option(help: "Device tracker that sent the packets, as in 'run --device'.") var device: String = "none"
    @Option(help: "File of the device tracker's packets.") var devicePackets: String?
    @Option(help: "Length of the stream in seconds.") var seconds: Double
    @Option(help: "Stream time in seconds at which the head's direction becomes the front.") var recentreAt: Double?
    @Option(help: "The JACK server's sample rate in hertz.") var rate: Double = 48_000
    @Option(help: "Frames per period of the simulated driver.") var period: Int = 256

    func validate() throws {
        guard seconds.isFinite, seconds > 0, seconds <= 3600 else {
            throw ValidationError("--seconds must lie between 0 and 3600")
        }
        guard (8000...192_000).contains(rate) else { throw ValidationError("--rate must lie between 8000 and 192000") }
        guard (16...8192).contains(period) else { throw ValidationError("--period must lie between 16 and 8192") }
        guard (device == "none") == (devicePackets == nil) else {
            throw ValidationError("--device and --device-packets go together")
        }
    }

    func run() throws {
        let replacement = try former.settle([output], keeping: [headPackets, devicePackets])
        var ride = PacketRide(rate: rate, period: period, recentreAt: recentreAt)
        try ride.add(head, PacketLog(contentsOf: headPackets), toHead: true)
        if let devicePackets { try ride.add(device, PacketLog(contentsOf: devicePackets), toHead: false) }
        let text = try ride.poses(seconds: seconds)
        do throws(TakeError) {
            try UnnamedFile.write(Data(text.utf8), to: output, replaces: replacement.covers(output))
        } catch {
            throw SessionError(error)
        }
    }
}
