import Foundation
import SoundFixtures
import Testing

@testable import Gate

/// Folders are written as a whole, and never replace files or folders of other programs.
@Suite struct StateFolderTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Writes a folder with `files`.
    private func write(_ path: String, _ files: [String: String]) throws {
        let folder = try StateFolder(path)
        for (name, text) in files {
            let file = URL(fileURLWithPath: folder.draft + "/" + name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        try folder.finish()
    }

    /// Files below the scratch folder, with their contents.
    private var contents: [String: String] {
        let all = FileManager.default.enumerator(atPath: scratch.path)?.compactMap { $0 as? String } ?? []
        return Dictionary(
            uniqueKeysWithValues: all.compactMap { name in
                (try? String(contentsOfFile: scratch(name), encoding: .utf8)).map { (name, $0) }
            }.filter { !$0.0.hasSuffix(".proscenium") })
    }

    private func make(_ name: String, _ text: String) throws {
        let file = URL(fileURLWithPath: scratch(name))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    @Test func `A new folder, an empty one and its own are written, and nothing else is left beside`() throws {
        try write(scratch("new"), ["a": "1", "sub/b %\n": "2"])
        #expect(contents == ["new/a": "1", "new/sub/b %\n": "2"])
        try write(scratch("new"), ["c": "3"])
        #expect(contents == ["new/c": "3"])
        try FileManager.default.createDirectory(atPath: scratch("empty"), withIntermediateDirectories: true)
        try write(scratch("empty"), ["d": "4"])
        #expect(contents == ["new/c": "3", "empty/d": "4"])
        #expect(scratch.contents == ["empty", "new"])
    }

    @Test func `A folder that holds anything else stays as it is`() throws {
        try make("mine/audio/take1.wav", "precious")
        try write(scratch("ours"), ["a": "1"])
        try make("ours/deep/note.txt", "precious")
        try make("file", "precious")
        try FileManager.default.createSymbolicLink(atPath: scratch("link"), withDestinationPath: scratch("ours"))
        let before = contents
        for name in ["mine", "ours", "file", "link", "mine/", "mine/audio/..", "mine/.", "."] {
            #expect(throws: StateFolder.Failure.self, "\(name)") { try write(scratch(name), ["x": "y"]) }
            StateFolder.remove(scratch(name))
            #expect(contents == before, "\(name)")
        }
        #expect(throws: StateFolder.Failure.self) { try StateFolder("") }
        #expect(throws: StateFolder.Failure.self) { try StateFolder("~") }
        #expect(throws: StateFolder.Failure.self) { try StateFolder(scratch("no/such/parent")) }
    }

    @Test func `What was put there while it was written is not lost`() throws {
        try write(scratch("ours"), ["a": "1"])
        let folder = try StateFolder(scratch("ours"))
        try make("ours/late.txt", "precious")
        #expect(throws: StateFolder.Failure.self) { try folder.finish() }
        #expect(contents.values.contains("precious"))
    }

    @Test func `A draft that was cut off goes with the next attempt, and one that is not ours stays`() throws {
        try cutOff("a")
        try make(".b.partial/mine", "precious")
        try write(scratch("a"), ["x": "1"])
        try write(scratch("b"), ["y": "2"])
        #expect(contents == ["a/x": "1", "b/y": "2", ".b.partial/mine": "precious"])
    }

    /// Leaves a draft, like a process that ends while it writes the draft.
    private func cutOff(_ name: String) throws {
        let cut = try StateFolder(scratch(name))
        try Data("half".utf8).write(to: URL(fileURLWithPath: cut.draft + "/half"))
    }

    @Test func `A draft that is being written stays, and another attempt has a draft of its own`() throws {
        let first = try StateFolder(scratch("a"))
        try Data("1".utf8).write(to: URL(fileURLWithPath: first.draft + "/x"))
        let second = try StateFolder(scratch("a"))
        #expect(second.draft != first.draft)
        StateFolder.remove(scratch("a"))
        try first.finish()
        second.abandon()
        #expect(contents == ["a/x": "1"])
        #expect(scratch.contents == ["a"])
    }

    @Test func `A draft that was cut off goes with its folder`() throws {
        try write(scratch("a"), ["x": "1"])
        try cutOff("a")
        StateFolder.remove(scratch("a"))
        #expect(scratch.contents.isEmpty)
        try cutOff("b")
        StateFolder.remove(scratch("b"))
        #expect(scratch.contents.isEmpty)
    }

    @Test func `A folder of an earlier version is replaced where its writer knows it`() throws {
        try make("old/chains.json", "{}")
        #expect(throws: StateFolder.Failure.self) { try StateFolder(scratch("old")) }
        let folder = try StateFolder(scratch("old")) { _, entries in entries == ["chains.json"] }
        try folder.finish()
        #expect(contents.isEmpty)
    }

    @Test func `Links in a folder are removed with it, and what they lead to stays`() throws {
        try make("elsewhere/file", "precious")
        let folder = try StateFolder(scratch("ours"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.draft + "/link", withDestinationPath: scratch("elsewhere"))
        try folder.finish()
        StateFolder.remove(scratch("ours"))
        #expect(contents == ["elsewhere/file": "precious"])
    }
}
