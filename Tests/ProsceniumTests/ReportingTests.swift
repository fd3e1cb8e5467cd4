import AudioIO
import Foundation
import Signal
import SoundFixtures
import Testing

/// Messages of commands after success or failure, as a user sees them.
@Suite struct ReportingTests {
    private func write(_ path: String) throws {
        let block = PlanarBlock(channels: 2, frames: 24_000)
        for frame in 0..<24_000 {
            for channel in 0..<2 { block[channel][frame] = 0.1 * Float(sin(Double(frame) * 0.13)) }
        }
        let writer = try SoundFileWriter(path: path, channels: 2, sampleRate: .studio, channelPositions: [1, 2])
        try writer.write(block, frames: 24_000)
        try writer.finish()
    }

    @Test func filesBesideABadOneAreMeasured() throws {
        let folder = try Scratch()
        try write(folder("a.wav"))
        try write(folder("b.wav"))
        let run = try Run("loudness", "--json", folder("a.wav"), folder("none.wav"), folder("b.wav"))
        #expect(run.status == 1 && run.complaints.contains { $0.contains("none.wav") })
        let found = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [[String: Any]])
        #expect(found.compactMap { $0["file"] as? String } == [folder("a.wav"), folder("b.wav")])
    }

    @Test func aReportIsJSONWhereThatIsAskedForAndLinesElsewhere() throws {
        let folder = try Scratch()
        try write(folder("in.wav"))
        let lines = try Run("process", folder("in.wav"), folder("a.wav"), "--to", "mono")
        #expect(lines.status == 0 && lines.output.isEmpty && !lines.complaints.isEmpty)
        let json = try Run("process", folder("in.wav"), folder("b.wav"), "--to", "mono", "--json")
        #expect(json.status == 0)
        #expect(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) is [String: Any])
    }

    @Test func whatIsNoRecordingIsSaidToBeNone() throws {
        let folder = try Scratch()
        let missing = try Run("recover", folder("ears.wav.part"))
        #expect(missing.status == 1 && missing.complaints.contains { $0.contains("no such file") })
        let place = try Run("recover", folder.path)
        #expect(place.status == 1 && place.complaints.contains { $0.contains("is a folder") })
    }

    @Test(arguments: [
        ["--upmix-to", "7.1"], ["--mono", "wide"], ["--upmix-latency", "live"],
        ["--upmix", "off", "--upmix-width", "0.5"],
    ]) func processSaysWhichOptionsSayNothing(_ options: [String]) throws {
        let folder = try Scratch()
        try write(folder("in.wav"))
        let run = try Run(["process", folder("in.wav"), folder("out.wav"), "--to", "5.1"] + options)
        #expect(run.status == 0 && run.complaints.contains { $0.contains("has no effect without --upmix") })
        let field = try Run("process", folder("in.wav"), folder("out.wav"), "--to", "5.1", "--to-ambisonics", "n3d")
        #expect(field.status == 2 && field.complaints.contains { $0.contains("has no effect with --to 5.1") })
    }

    @Test func nothingIsToggledBeforeItIs() throws {
        let run = try Run("render", "in.wav", "out.wav", "--mute", "toggle")
        #expect(run.status == 2 && run.complaints.contains { $0.contains("--mute takes on or off") })
    }

    @Test func aWordThatIsNeitherParameterNorCommandIsToldBoth() throws {
        let run = try Run("ctl", "stauts")
        #expect(run.status == 2)
        let said = run.complaints.joined(separator: "\n")
        #expect(said.contains("there are ") && said.contains("commands are ") && said.contains("status"))
    }

    @Test(arguments: [
        ["hrtf", "info", "generated"], ["room", "info", "studio"], ["measure", "capacity"],
    ]) func aRateIsCheckedAlikeEverywhere(_ words: [String]) throws {
        let run = try Run(words + ["--rate", "100"])
        #expect(run.status == 2 && run.complaints.contains { $0.contains("'100'") && $0.contains("--rate") })
    }

    @Test func theDemosOutputsAreForTheLiveRide() throws {
        let run = try Run("demo", "bus", "--connect-out", "physical")
        #expect(run.status == 2 && run.complaints.contains { $0.contains("are for --live") })
    }
}
