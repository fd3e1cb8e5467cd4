import ArgumentParser
import Foundation
import HeadTracking
import Offline
import Rendering
import SoundFixtures
import Soundstage
import Stages
import Testing
import Trackers

@testable import Session
@testable import proscenium

/// The options, keys and pages that come from the table of parameters.
@Suite struct ParameterOptionsTests {
    private func run(_ words: String...) throws -> RunCommand {
        try #require(try Proscenium.parseAsRoot(["run"] + words) as? RunCommand)
    }

    @Test func everyChoiceIsAnOptionOfRunRenderAndPreview() {
        // Each help text is long, and takes half a second.
        let (run, preview, render) = (
            RunCommand.helpMessage(), PreviewCommand.helpMessage(), RenderCommand.helpMessage()
        )
        for parameter in Parameter.all {
            #expect(run.contains("--\(parameter.id) <") == isOption(parameter), "\(parameter.id)")
            // Only a live session has ports besides those of the stage.
            let isPreviewed = isOption(parameter) && !(parameter.group == .monitor && parameter.isChoice)
            #expect(preview.contains("--\(parameter.id) <") == isPreviewed, "\(parameter.id)")
            let isRendered = isPreviewed && parameter.group != .tracking
            #expect(render.contains("--\(parameter.id) <") == isRendered)
        }
    }

    /// `--layout`, `--hrtf`, `--room`, `--headphone-eq`, `--upmix` and `--mono` are separate options, not from the
    /// table.
    private func isOption(_ parameter: Parameter) -> Bool {
        parameter.isChoice || ["layout", "hrtf", "room", "headphone-eq", "upmix", "mono"].contains(parameter.id)
    }

    @Test func whatIsSaidReachesTheSettings() throws {
        let command = try run(
            "--gain", "-3", "--lfe-gain=4", "--limiter", "off", "--slice", "128", "--room-early", "40", "--level", "-6",
            "--place",
            "-30,10", "--upmix-centre", "0.25", "--dialnorm", "-27", "--yaw-pull", "0", "--follow", "1,0,0.5")
        let stage = try command.stage.settings()
        #expect((stage.gain, stage.lfeGain, stage.slice) == (-3, 4, 128))
        #expect(stage.limiter == .off && stage.room.early == 40)
        #expect(stage.programmes.changes["level"] == .numbers([-6]))
        #expect(stage.programmes.changes["place"] == .numbers([-30, 10, 0]))
        #expect(stage.programmes.upmix.amounts.centre == 0.25 && stage.programmes.dynamics.dialnorm == -27)
        let choices = command.tracking.settings.options.choices
        #expect(choices.yawPull == 0 && choices.follow == SIMD3(1, 0, 0.5))
    }

    /// One row of the table as the options of a command: a parser of all rows takes a third of a second for each value.
    private enum OneRow: ParameterRows {
        @TaskLocal static var row = Parameter.all[0]
        static var rows: [Parameter] { [row] }
    }

    @Test func everyValueOutOfRangeIsRefusedWithWhatIsTaken() throws {
        for parameter in Parameter.all where parameter.isChoice {
            try OneRow.$row.withValue(parameter) {
                for value in [
                    "nonsense", parameter.numbers.map { "\($0.range.upperBound + 1)" }.joined(separator: ","),
                ]
                where !value.isEmpty {
                    let error = try #require(throws: (any Error).self) {
                        try ParameterOptions<OneRow>.parse(["--\(parameter.id)", value])
                    }
                    #expect(
                        ParameterOptions<OneRow>.message(for: error)
                            .contains("--\(parameter.id) takes \(parameter.takes)"))
                }
            }
        }
        #expect(throws: (any Error).self) { try run("--gain", "loud") }
    }

    @Test func formerOptionsMeanTheirSuccessors() throws {
        #expect(try run("--width", "0.5").stage.settings().programmes.upmix.amounts.width == 0.5)
        let bake = try #require(
            try Proscenium.parseAsRoot(["bake", "a.wav", "b.wav", "--width", "30"]) as? BakeCommand)
        #expect(bake.choices.changes["source-width"] == .numbers([30]))
        #expect(!RunCommand.helpMessage().contains("--width"))
    }

    @Test(arguments: BakeRows.rows) func `A parameter of 'bake' is written into the metadata`(_ row: Parameter) throws {
        let value = row.words.first ?? row.numbers.map { "\($0.range.lowerBound)" }.joined(separator: ",")
        let words = ["bake", "a.wav", "b.wav", "--\(row.option)=\(value)"]
        let bake = try #require(try Proscenium.parseAsRoot(words) as? BakeCommand)
        let none = ProgrammeMetadata()
        #expect(try bake.settings().metadata(over: none) != none)
    }

    @Test func everyOptionOfEveryCommandMayStandInTheConfigFile() throws {
        let folder = try Scratch()
        let json =
            #"{"hold": "20ms", "stereo-rendition": "on", "connect-in": "physical", "overwrite": "off", "bits": 24}"#
        try Data(json.utf8).write(to: URL(fileURLWithPath: folder("session.json")))
        let words = ["run", "--session", folder.path]
        let recipe = try Defaults.recipe(for: words, asks: false) { _ in }
        #expect(recipe.values == ["hold": ["20ms"], "stereo-rendition": ["true"], "connect-in": ["physical"]])
        let command = try #require(try Defaults.parse(words, asks: false) { _ in } as? RunCommand)
        #expect(command.renditions.hold == "20ms" && command.renditions.stereoRendition)
        #expect(command.stream.connectIn == "physical")
    }
}
