import Foundation
import Loading
import Testing

@testable import Desktop

@Suite struct StreamRulesFileTests {
    /// Calls `body` with a folder that exists as long as it runs.
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/desktop-rules-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func write(_ text: String, in folder: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: StreamRules.path(in: folder)), options: .atomic)
    }

    private func refusal(in folder: String) -> String {
        do throws(SessionError) {
            return "read: \(try StreamRules(in: folder).page)"
        } catch { return error.description }
    }

    @Test func rulesAreReadAsTheyWereWritten() throws {
        try withFolder { folder in
            #expect(try StreamRules(in: folder) == StreamRules())
            var rules = StreamRules()
            try rules.set(usual: .upmix)
            try rules.set(role: "Game", to: .plain)
            try rules.set(application: "Käse \"x\"", to: .past)
            try rules.set(application: "Zoom", to: .own, place: -30.5, level: 2)
            // The folder of the state is made.
            try rules.write(in: folder + "/state")
            #expect(try StreamRules(in: folder + "/state") == rules)
            #expect(
                rules.lines == [
                    "Käse \"x\": past", "Zoom: own (input 'zoom'), place -30.5°, level 2 dB", "role Game: plain",
                    "default: upmix",
                ])
            // Without a rule there is no file.
            try StreamRules().write(in: folder + "/state")
            #expect(!FileManager.default.fileExists(atPath: StreamRules.path(in: folder + "/state")))
            try StreamRules().write(in: folder + "/state")
        }
    }

    /// Texts of files, and words of the reason for which each is refused.
    static let faulty: [(String, String)] = [
        ("", "unexpected end"), ("[]", "must be an object"), (#"{"version": 2}"#, "version must be 1"),
        ("{}", "version must be 1"), (#"{"version": 1, "rules": []}"#, "rules is unknown"),
        (#"{"version": 1, "default": "own"}"#, "default must be one of"),
        (#"{"version": 1, "default": 3}"#, "default must be one of"),
        (#"{"version": 1, "roles": {}}"#, "roles must be a list"),
        (role(#""role": "Music""#), "roles[0].way is missing"),
        (role(#""role": "", "way": "past""#), "roles[0].role must be a text"),
        (#"{"version": 1, "applications": [7]}"#, "applications[0] must be an object"),
        (applications(#""application": "a\u001bb", "way": "past""#), "a name in one line"),
        (applications(#""application": "a", "way": "loud""#), "applications[0].way must be one of"),
        (applications(#""application": "a", "way": "own""#), "applications[0].input is missing"),
        (applications(#""application": "a", "way": "past", "place": 3"#), "place is only possible with the way own"),
        (applications(#""application": "a", "way": "own", "input": "main""#), "16 letters and digits"),
        (applications(#""application": "a", "way": "own", "input": "x,role=direct""#), "16 letters and digits"),
        (applications(#""application": "a", "way": "own", "input": "a", "place": 1e9"#), "outside -360…360 degrees"),
        (applications(#""application": "a", "way": "own", "input": "a", "level": "9""#), "must be a number (dB)"),
        (
            applications(#""application": "a", "way": "past""#, #""application": "A", "way": "past""#),
            "applications[1].application has a rule already"
        ),
        (
            applications(
                #""application": "a", "way": "own", "input": "x""#, #""application": "b", "way": "own", "input": "x""#),
            "applications[1].input belongs to another application"
        ),
    ]

    private static func role(_ members: String) -> String { #"{"version": 1, "roles": [{\#(members)}]}"# }

    private static func applications(_ members: String...) -> String {
        #"{"version": 1, "applications": [\#(members.map { "{\($0)}" }.joined(separator: ", "))]}"#
    }

    @Test(arguments: StreamRulesFileTests.faulty)
    func aFileOfAnotherFormIsRefusedWithThePlace(_ text: String, _ reason: String) throws {
        try withFolder { folder in
            try write(text, in: folder)
            let words = refusal(in: folder)
            #expect(words.contains(reason) && words.hasSuffix("proscenium desktop rule --clear"), "\(words)")
        }
    }

    @Test func tooManyRulesAreRefused() throws {
        try withFolder { folder in
            let many = (0...StreamRules.most).map { #"{"role": "r\#($0)", "way": "past"}"# }.joined(separator: ",")
            try write(#"{"version": 1, "roles": [\#(many)]}"#, in: folder)
            #expect(refusal(in: folder).contains("0 to 200 entries"))
            let own = (0..<6).map { #"{"application": "a\#($0)", "way": "own", "input": "a\#($0)"}"# }
            try write(#"{"version": 1, "applications": [\#(own.joined(separator: ","))]}"#, in: folder)
            #expect(refusal(in: folder).contains("at most 5 applications"))
        }
    }

    @Test func aPipeOrAFolderIsNoFileOfRules() throws {
        try withFolder { folder in
            let path = StreamRules.path(in: folder)
            #expect(mkfifo(path, 0o600) == 0)
            #expect(refusal(in: folder).contains("not a regular file"))
            try StreamRules.remove(in: folder)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(refusal(in: folder).contains("not a regular file"))
            #expect(throws: SessionError.self) { try StreamRules.remove(in: folder) }
        }
    }

    @Test func aSessionReadsTheFileOnceForEachChange() throws {
        try withFolder { folder in
            var file = RulesFile(in: folder)
            var read = try file.news()?.get()
            #expect(read == StreamRules())
            read = try file.news()?.get()
            #expect(read == nil)
            var rules = StreamRules()
            try rules.set(usual: .upmix)
            try rules.write(in: folder)
            read = try file.news()?.get()
            #expect(read == rules)
            read = try file.news()?.get()
            #expect(read == nil)
            try write("{", in: folder)
            guard case .failure(let error)? = file.news() else { return #expect(Bool(false)) }
            #expect(error.description.contains("unexpected end"))
            read = try file.news()?.get()
            #expect(read == nil)
            try StreamRules().write(in: folder)
            read = try file.news()?.get()
            #expect(read == StreamRules())
        }
    }
}
