import Foundation
import Testing

@testable import proscenium

@Suite struct DefaultsTests {
    private func session(_ json: String) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("session-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(json.utf8).write(to: URL(fileURLWithPath: folder + "/session.json"))
        return folder
    }

    @Test func aSessionsOptionsComeBeforeTheUsersOwnWhichWin() throws {
        let folder = try session(#"{"layout": "5.1", "gain": -3, "slice": 128}"#)
        let complete = try Defaults.complete(["run", "--session", folder, "--gain", "2"])
        #expect(complete.first == "run" && complete.contains("--layout=5.1") && complete.contains("--slice=128"))
        #expect(!complete.contains("--gain=-3") && complete.suffix(2) == ["--gain", "2"])
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func pathsInASessionAreRelativeToItsFolder() throws {
        let folder = try session(#"{"poses": "poses.csv", "hrtf": "kemar"}"#)
        try Data("t,w,x,y,z\n0,1,0,0,0\n".utf8).write(to: URL(fileURLWithPath: folder + "/poses.csv"))
        let complete = try Defaults.complete(["render", "a.wav", "b.wav", "--session=\(folder)"])
        #expect(complete.contains("--poses=\(folder)/poses.csv") && complete.contains("--hrtf=kemar"))
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func whatOnlyTheOtherCommandKnowsIsPassedOver() throws {
        let folder = try session(#"{"head": "osc:9000"}"#)
        #expect(try !Defaults.complete(["render", "--session", folder]).contains("--head=osc:9000"))
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test(arguments: [#"{"loudness": 3}"#, #"["layout"]"#, #"{"layout": ["5.1"]}"#, "not JSON"])
    func aSessionThatCannotBeMeantIsRefused(_ json: String) throws {
        let folder = try session(json)
        #expect(throws: Failure.self) { try Defaults.complete(["run", "--session", folder]) }
        try FileManager.default.removeItem(atPath: folder)
    }

    @Test func aMissingSessionIsSaid() {
        #expect(throws: Failure.self) { try Defaults.complete(["run", "--session", "/nonexistent"]) }
    }
}
