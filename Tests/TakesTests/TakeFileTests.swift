import Foundation
import SoundFixtures
import Testing

@testable import Takes

/// Names of the files in which a take continues.
@Suite struct TakeNameTests {
    @Test func `A take goes on under the next free number`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(TakeName.next(after: folder + "/ears.wav") == folder + "/ears-2.wav")
        #expect(TakeName.next(after: folder + "/ears-2.wav") == folder + "/ears-3.wav")
        #expect(TakeName.next(after: folder + "/take-a.b") == folder + "/take-a-2.b")
        #expect(TakeName.next(after: folder + "/plain") == folder + "/plain-2")
        try Data().write(to: URL(fileURLWithPath: folder + "/ears-3.wav"))
        try Data().write(to: URL(fileURLWithPath: folder + "/ears-4.wav.part"))
        #expect(TakeName.next(after: folder + "/ears-2.wav") == folder + "/ears-5.wav")
    }

    @Test(arguments: [
        "9223372036854775807", "9223372036854775806", "9223372036854765807", "18446744073709551616",
        "99999999999999999999999999", "999990001",
    ])
    func `A number that no take has is part of the name`(number: String) {
        let name = "/x/a-\(number).wav"
        #expect(TakeName.number(of: name) == 1)
        #expect(TakeName.next(after: name, isFree: { _ in true }) == "/x/a-\(number)-2.wav")
        // Without a free name the search ends without a result: no name in use is returned.
        #expect(TakeName.next(after: name, isFree: { _ in false }) == nil)
    }

    @Test func `The greatest number has others after it`() {
        #expect(TakeName.number(of: "a-999990000.wav") == 999_990_000)
        #expect(TakeName.next(after: "a-999990000.wav", isFree: { _ in true }) == "a-999990001.wav")
        #expect(TakeName.next(after: "a-0.wav", isFree: { _ in true }) == "a-1.wav")
        #expect(TakeName.number(of: "a-01.wav") == 1 && TakeName.number(of: "a-.wav") == 1)
    }
}

@Suite struct TakeFileTests {
    @Test func aTakeGrowsBesideItsNameAndGetsItWhenItIsComplete() throws {
        let scratch = try Scratch()
        let take = try TextTake(path: scratch("a.csv"), beginning: "t\n")
        try take.append("1\n")
        #expect(scratch.contents == ["a.csv.part"])
        #expect(try String(contentsOfFile: scratch("a.csv.part"), encoding: .utf8) == "t\n1\n")
        #expect(try take.finish() == scratch("a.csv"))
        #expect(scratch.contents == ["a.csv"])
        #expect(try take.finish() == nil)
    }

    @Test func whatIsThereIsNotReplacedUnlessAskedFor() throws {
        let scratch = try Scratch()
        let path = scratch("a.csv")
        try Data("old\n".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: TakeError.exists(path: path)) { try TextTake(path: path, beginning: "new\n") }
        #expect(scratch.contents == ["a.csv"])
        let take = try TextTake(path: path, beginning: "new\n", replaces: true)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "old\n")
        try take.finish()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new\n")
    }

    @Test func aNameThatIsTakenMeanwhileLeavesTheTakeTheNextNumber() throws {
        let scratch = try Scratch()
        let take = try TextTake(path: scratch("a.csv"), beginning: "mine\n")
        for name in ["a.csv", "a-2.csv"] { try Data("other".utf8).write(to: URL(fileURLWithPath: scratch(name))) }
        #expect(try take.finish() == scratch("a-3.csv"))
        #expect(try String(contentsOfFile: scratch("a-3.csv"), encoding: .utf8) == "mine\n")
        #expect(try String(contentsOfFile: scratch("a.csv"), encoding: .utf8) == "other")
        #expect(scratch.contents == ["a-2.csv", "a-3.csv", "a.csv"])
    }

    @Test func oneNameIsRecordedOnceAtATimeAndACutOffTakeIsNotWrittenOver() throws {
        let scratch = try Scratch()
        let path = scratch("a.csv")
        let first = try TextTake(path: path, beginning: "t\n")
        #expect(throws: TakeError.beingRecorded(path: path)) { try TextTake(path: path, beginning: "t\n") }
        first.discard()
        #expect(scratch.contents.isEmpty)
        try Data("t\n1\n2".utf8).write(to: URL(fileURLWithPath: path + ".part"))
        #expect(throws: TakeError.cutOff(part: path + ".part")) { try TextTake(path: path, beginning: "t\n") }
        // An empty part file loses nothing and is replaced.
        try Data().write(to: URL(fileURLWithPath: path + ".part"))
        try TextTake(path: path, beginning: "t\n").finish()
        #expect(scratch.contents == ["a.csv"])
    }

    /// A file server may report a failed write only at closing. In a process of its own: the test closes the descriptor
    /// under the take.
    @Test func anErrorOfClosingIsToldAndTheTakeIsThere() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let take = try TakeFile(path: scratch("a.csv"))
            close(take.descriptor)
            #expect(throws: TakeError.system(path: scratch("a.csv"), code: EBADF)) { try take.complete() }
            #expect(scratch.contents == ["a.csv"])
        }
    }

    /// The error must not claim that a file holds the lines so far: there is no file.
    @Test func aTakeThatCannotBeBegunIsNotSaidToHoldAnything() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            try FullDisk.begin(atBytes: 10)
            #expect(throws: TakeError.system(path: scratch("a.csv"), code: EFBIG)) {
                try TextTake(path: scratch("a.csv"), beginning: "the first of many lines\n")
            }
            #expect(scratch.contents.isEmpty)
        }
    }

    /// In an earlier version, the lines after the failure were dropped without an error.
    @Test func `Lines after a restart that failed are refused as well`() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            try FullDisk.begin(atBytes: 10)
            let take = try TextTake(path: scratch("a.csv"), beginning: "t\n")
            let error = TakeError.system(path: scratch("a.csv"), code: EFBIG)
            #expect(throws: error) { try take.restart("the first of many lines\n") }
            #expect(scratch.contents.isEmpty)
            #expect(throws: error) { try take.append("more\n") }
            #expect(throws: error) { try take.restart("again\n") }
        }
    }

    @Test func aDroppedTakeLeavesNothing() throws {
        let scratch = try Scratch()
        do { _ = try TextTake(path: scratch("a.csv"), beginning: "t\n") }
        #expect(scratch.contents.isEmpty)
    }

    /// In a process of its own: `Unfinished` also holds the takes of other tests.
    @Test func whoLeavesInHasteCompletesWhatIsRecorded() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            let take = try TextTake(path: scratch("a.csv"), beginning: "t\n")
            Unfinished.settle()
            #expect(scratch.contents == ["a.csv"])
            // A thread that still writes finds the take complete, which is no error.
            try take.append("1\n")
            #expect(try take.finish() == nil)
        }
    }

    @Test func aFullDiskLeavesTheWholeLinesUnderTheTakesName() async {
        await #expect(processExitsWith: .success) {
            let scratch = try Scratch()
            try FullDisk.begin(atBytes: 100)
            let take = try TextTake(path: scratch("a.csv"), beginning: "beginning\n")
            let error = #expect(throws: TakeError.self) { for _ in 0..<10 { try take.append("a line of 20 bytes.\n") } }
            guard let error, case .stopped(let path, let reason) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(path == scratch("a.csv") && reason == "File too large")
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text == "beginning\n" + String(repeating: "a line of 20 bytes.\n", count: 4))
            // Later lines are refused for the same reason, not dropped.
            #expect(throws: error) { try take.append("more\n") }
            #expect(throws: error) { try take.restart("again\n") }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
        }
    }
}

/// Outputs of one command that are the same file.
@Suite struct OutputCollisionTests {
    @Test func `Two spellings of one path, existing or not, are one file`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder + "/sub", withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let other = folder + "/sub/../new.wav"
        #expect(OutputPlace.collision([folder + "/new.wav", other])?.1 == other)
        try Data().write(to: URL(fileURLWithPath: folder + "/old.wav"))
        try FileManager.default.createSymbolicLink(atPath: folder + "/link.wav", withDestinationPath: "old.wav")
        #expect(OutputPlace.collision([folder + "/link.wav", folder + "/old.wav"])?.0 == folder + "/link.wav")
        try FileManager.default.createSymbolicLink(atPath: folder + "/next.wav", withDestinationPath: "new.wav")
        #expect(OutputPlace.collision([folder + "/next.wav", folder + "/new.wav"]) != nil)
    }

    @Test func `Different files, and a device named twice, do not collide`() {
        #expect(OutputPlace.collision(["a.wav", "b.wav", "/nowhere/a.wav"]) == nil)
        #expect(OutputPlace.collision(["/dev/null", "/dev/null"]) == nil)
        #expect(OutputPlace.collision(["a.wav", "./a.wav"]) != nil)
    }
}
