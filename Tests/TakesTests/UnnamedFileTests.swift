import Foundation
import SoundFixtures
import Testing

@testable import Takes

/// Files that are written without a name and get it when they are complete.
@Suite struct UnnamedFileTests {
    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    @Test func `A file is replaced where that was asked for, and else left as it is`() throws {
        let scratch = try Scratch()
        let path = scratch("a.svg")
        try UnnamedFile.write(Data("one".utf8), to: path, replaces: false)
        #expect(throws: TakeError.exists(path: path)) {
            try UnnamedFile.write(Data("two".utf8), to: path, replaces: false)
        }
        #expect(try text(path) == "one")
        try UnnamedFile.write(Data("two".utf8), to: path, replaces: true)
        #expect(try text(path) == "two")
        #expect(scratch.contents == ["a.svg"])
    }

    @Test func `A file that comes up while another is made is not lost`() throws {
        let scratch = try Scratch()
        let path = scratch("a.svg")
        let file = try UnnamedFile(Data("mine".utf8), for: path, replaces: false)
        try write("theirs", path)
        #expect(throws: TakeError.exists(path: path)) { try UnnamedFile.publish([file]) }
        #expect(try text(path) == "theirs")
        #expect(scratch.contents == ["a.svg"])
    }

    @Test func `Several files get their names together or not at all`() throws {
        let scratch = try Scratch()
        try write("former", scratch("b"))
        let files = try ["a", "b", "c"].map {
            try UnnamedFile(Data("new".utf8), for: scratch($0), replaces: $0 == "b")
        }
        try write("theirs", scratch("c"))
        #expect(throws: TakeError.exists(path: scratch("c"))) { try UnnamedFile.publish(files) }
        #expect(try text(scratch("b")) == "former")
        #expect(try text(scratch("c")) == "theirs")
        #expect(scratch.contents == ["b", "c"])
        try UnnamedFile.publish(
            try ["a", "b", "c"].map { try UnnamedFile(Data("new".utf8), for: scratch($0), replaces: true) })
        #expect(
            try ["a", "b", "c"].allSatisfy { try text(scratch($0)) == "new" } && scratch.contents == ["a", "b", "c"])
    }

    @Test func `A symbolic link stays one, and what it leads to is written, and asked about`() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch("sub"), withIntermediateDirectories: true)
        symlink("sub/there", scratch("link"))
        #expect(OutputPlace(scratch("link")).occupant == .none)
        try UnnamedFile.write(Data("one".utf8), to: scratch("link"), replaces: false)
        #expect(try text(scratch("sub/there")) == "one" && OutputPlace(scratch("link")).occupant == .file)
        #expect(throws: TakeError.exists(path: scratch("link"))) {
            try UnnamedFile.write(Data("two".utf8), to: scratch("link"), replaces: false)
        }
        try UnnamedFile.write(Data("two".utf8), to: scratch("link"), replaces: true)
        var status = stat()
        #expect(lstat(scratch("link"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(try text(scratch("sub/there")) == "two")
        // A link to itself has no target.
        symlink("round", scratch("round"))
        #expect(throws: TakeError.self) { try UnnamedFile.write(Data("x".utf8), to: scratch("round"), replaces: true) }
    }

    @Test func `A take follows a link that leads to no file yet`() throws {
        let scratch = try Scratch()
        symlink("there.csv", scratch("a.csv"))
        let take = try TextTake(path: scratch("a.csv"), beginning: "t\n")
        #expect(try take.finish() == scratch("a.csv"))
        #expect(try text(scratch("there.csv")) == "t\n" && scratch.contents == ["a.csv", "there.csv"])
    }

    @Test func `Devices are written into and never asked about, folders are refused`() throws {
        let scratch = try Scratch()
        #expect(Replacement.nothing.obstacles(among: ["/dev/null", "/dev/stdout", scratch("a"), scratch.path]).isEmpty)
        try UnnamedFile.write(Data("x".utf8), to: "/dev/null", replaces: false)
        #expect(throws: TakeError.notAFile(path: scratch.path)) {
            try UnnamedFile.write(Data("x".utf8), to: scratch.path, replaces: true)
        }
        #expect(throws: TakeError.standardStream) { try UnnamedFile.write(Data("x".utf8), to: "-", replaces: true) }
        for path in ["/dev/null", scratch.path] {
            #expect(throws: TakeError.notAFile(path: path)) { try TakeFile(path: path, replaces: true) }
        }
    }

    @Test func `Agreement covers the files that were asked about and no others`() throws {
        let scratch = try Scratch()
        for name in ["a", "b"] { try write("x", scratch(name)) }
        let agreed = Replacement([scratch("a")])
        #expect(agreed.covers(scratch("a")) && !agreed.covers(scratch("b")))
        #expect(agreed.obstacles(among: [scratch("a"), scratch("b"), scratch("c")]) == [scratch("b")])
        #expect(throws: TakeError.exists(path: scratch("b"))) { try agreed.check([scratch("a"), scratch("b")]) }
        try Replacement.anything.check([scratch("a"), scratch("b")])
    }
}
