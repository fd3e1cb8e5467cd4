import Foundation
import SoundFixtures
import Stages
import Testing

/// Measured people through the program: their names, `hrtf list`, and a folder that was removed.
@Suite struct MeasuredPeopleCommandTests {
    /// The people in an answer of `hrtf list --json`.
    private struct Answer: Decodable {
        struct Person: Decodable {
            let name: String, loudspeakers: [String], looksDeg: [Double]
            let date: String?, ears: String?, room: String?, headphones: String?, folder: String?, problem: String?
        }
        let people: [Person]
    }

    private static let sweeps = """
        {"version": 1, "rate": 48000, "seconds": 5, "decay": 1, "level": -20, "synchronous": true, "loudspeakers": [
        {"name": "FL", "azimuth": 30, "elevation": 0}, {"name": "FR", "azimuth": -30, "elevation": 0}]}
        """

    /// Makes two people in a folder of data: the ears of anna, and bert, whose own folder is gone.
    private static func people(in scratch: Scratch) throws -> (folder: String, environment: [String: String]) {
        let people = scratch("data/proscenium/people")
        let folder = people + "/anna/room"
        for path in [folder, people + "/bert"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try sweeps.write(toFile: folder + "/sweeps.json", atomically: false, encoding: .utf8)
        for name in ["look_0.wav", "look_-30.wav", "look_30_bad.wav"] {
            try Data().write(to: URL(fileURLWithPath: folder + "/" + name))
        }
        let share = try #require(DataFolders.share)
        try FileManager.default.copyItem(atPath: share + "/HRTF/generated.sofa", toPath: folder + "/ears.sofa")
        try FileManager.default.createSymbolicLink(
            atPath: people + "/bert/room", withDestinationPath: scratch("gone"))
        return (folder, ["XDG_DATA_HOME": scratch("data")])
    }

    @Test func `hrtf list shows people in a group of their own`() throws {
        let scratch = try Scratch()
        let (folder, environment) = try Self.people(in: scratch)
        let json = try Run(["hrtf", "list", "--json"], environment: environment)
        #expect(json.status == 0, "\(json.complaints)")
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let found = try decoder.decode(Answer.self, from: Data(json.output.utf8)).people
        try #require(found.map(\.name) == ["anna", "bert"])
        let anna = found[0]
        #expect(anna.loudspeakers == ["FL", "FR"] && anna.looksDeg == [-30, 0] && anna.date?.isEmpty == false)
        #expect(anna.folder == folder && anna.ears == folder + "/ears.sofa")
        #expect(anna.room == nil && anna.headphones == nil)
        #expect(anna.problem?.contains("'proscenium measure me --person anna' completes") == true)
        #expect(found[1].folder == scratch("gone") && found[1].ears == nil && found[1].loudspeakers.isEmpty)
        let text = try Run(["hrtf", "list"], environment: environment).output
        let group = try #require(text.firstRange(of: "measured people:\n  anna\n    measured "))
        #expect(text[group.upperBound...].contains("FL FR, looks -30° 0°\n    choose   --hrtf anna\n"), "\(text)")
        // Without people the group is left out.
        let none = try Run(["hrtf", "list"], environment: ["XDG_DATA_HOME": scratch("nothing")])
        #expect(none.status == 0 && !none.output.contains("measured people"))
    }

    @Test func `A person's name is a set, and a removed folder is named with the line to type`() throws {
        let scratch = try Scratch()
        let (folder, environment) = try Self.people(in: scratch)
        let anna = try Run(["hrtf", "info", "anna", "--json"], environment: environment)
        #expect(anna.status == 0 && anna.output.contains(folder + "/ears.sofa"), "\(anna.complaints)")
        for (words, file) in [(["hrtf", "info", "bert"], "ears"), (["room", "info", "bert"], "room")] {
            let run = try Run(words, environment: environment)
            let said = run.complaints.joined(separator: "\n")
            #expect(run.status == 3 && run.output.isEmpty, "\(run.output)")
            #expect(said.contains(scratch("gone/\(file).sofa") + " is missing; put its folder back"), "\(said)")
            #expect(said.contains("'proscenium measure me FOLDER --person bert'"), "\(said)")
        }
        let other = try Run(["hrtf", "info", "carl"], environment: environment)
        #expect(other.status == 2 && other.complaints.joined().contains("anna"), "\(other.complaints)")
    }

    @Test(arguments: [
        ("kemar", "choose another"), ("Studio", "choose another"), ("default", "choose another"),
        ("../anna", "takes a name of letters"), ("a b", "takes a name of letters"),
    ]) func `Other names are refused before anything is measured`(name: String, reason: String) throws {
        let scratch = try Scratch()
        for command in ["me", "headphones"] {
            let run = try Run(
                ["measure", command, "--person", name], environment: ["XDG_DATA_HOME": scratch("data")],
                in: scratch.path)
            #expect(run.status == 2 && run.complaints.joined().contains(reason), "\(run.complaints)")
        }
        #expect(scratch.contents.isEmpty)
    }

    @Test func `A name of measurements in one folder is refused for another folder`() throws {
        let scratch = try Scratch()
        let (_, environment) = try Self.people(in: scratch)
        let run = try Run(["measure", "me", scratch("other"), "--person", "anna"], environment: environment)
        #expect(run.status == 2 && run.complaints.joined().contains("was measured already"), "\(run.complaints)")
        let bare = try Run(["measure", "me"], environment: environment)
        #expect(bare.status == 2 && bare.complaints.joined().contains("--person NAME"), "\(bare.complaints)")
    }
}
