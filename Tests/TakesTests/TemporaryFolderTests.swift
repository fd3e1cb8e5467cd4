import Foundation
import Glibc
import SoundFixtures
import Testing

@testable import Takes

@Suite struct TemporaryFolderTests {
    /// Makes a folder as a killed process leaves it. Returns its path.
    @discardableResult
    private func plant(_ path: String, isMarked: Bool = true) throws -> String {
        try FileManager.default.createDirectory(atPath: path + "/states", withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/states/x"))
        if isMarked { try Data().write(to: URL(fileURLWithPath: path + "/" + TemporaryFolder.lockName)) }
        return path
    }

    private static func name() -> String { "proscenium-\(UUID().uuidString)" }

    @Test func `A folder is made once, and goes with the last reference to it`() throws {
        let scratch = try Scratch()
        var folder: TemporaryFolder? = TemporaryFolder(in: scratch.path)
        let path = try #require(folder?.path)
        #expect(scratch.contents.isEmpty)
        for _ in 0..<2 { try folder?.make() }
        try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/x"))
        #expect(folder?.root == scratch("") + scratch.contents[0])
        #expect(path.hasPrefix(scratch("") + scratch.contents[0] + "/"))
        // A second folder has the same folder of the process, and the same lock.
        var other: TemporaryFolder? = TemporaryFolder(in: scratch.path)
        try other?.make()
        #expect(scratch.contents.count == 1)
        other = nil
        #expect(FileManager.default.fileExists(atPath: path + "/x"))
        folder = nil
        #expect(scratch.contents.isEmpty)
    }

    @Test func `A folder that cannot be made is refused`() throws {
        let scratch = try Scratch()
        let folder = TemporaryFolder(in: scratch("missing"))
        #expect(throws: TakeError.system(path: folder.root, code: ENOENT)) { try folder.make() }
    }

    @Test func `A folder that another process is still removing is awaited, and one that stays is refused`() throws {
        let scratch = try Scratch()
        let folder = TemporaryFolder(in: scratch.path)
        let root = folder.root
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        #expect(throws: TakeError.system(path: root, code: EEXIST)) { try folder.make() }
        let removal = Thread {
            usleep(20_000)
            rmdir(root)
        }
        removal.start()
        try folder.make()
        #expect(FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func `The folders of processes that are gone are removed, and nothing else`() throws {
        let scratch = try Scratch()
        let (ours, outside) = (TemporaryFolder(in: scratch.path), try Scratch())
        try ours.make()
        let stale = try plant(scratch(Self.name()))
        // A link in a stale folder goes, and its target stays.
        try FileManager.default.createSymbolicLink(atPath: stale + "/link", withDestinationPath: outside.path)
        try plant(outside("kept"))
        // A link with such a name, a folder without a lock, and folders with other names.
        let others = [Self.name(), Self.name(), "proscenium-notes", "proscenium-1000"]
        try FileManager.default.createSymbolicLink(
            atPath: scratch(others[0]), withDestinationPath: try plant(outside(Self.name())))
        try plant(scratch(others[1]), isMarked: false)
        for name in others[2...] { try plant(scratch(name)) }
        let before = outside.contents
        TemporaryFolder.removeStale(in: scratch.path)
        #expect(scratch.contents == (others + [String(ours.root.split(separator: "/").last ?? "")]).sorted())
        #expect(outside.contents == before && FileManager.default.fileExists(atPath: outside("kept/states/x")))
    }
}
