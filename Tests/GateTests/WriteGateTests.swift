import Foundation
import SoundFixtures
import Testing

@testable import Gate

/// Paths from outside are admitted by the folder they name and the door they came through.
@Suite struct WriteGateTests {
    private let scratch: Scratch
    private let gate: WriteGate
    private let kind = WriteGate.Kind.file([".wav", ".flac"])

    init() throws {
        scratch = try Scratch()
        for folder in ["takes", "takes/live", "session", "more", "elsewhere"] {
            try FileManager.default.createDirectory(
                atPath: scratch(folder), withIntermediateDirectories: true)
        }
        gate = WriteGate(recordings: scratch("takes"), session: scratch("session"), allowed: [scratch("more")])
    }

    /// Returns a door's answer to a path. The answer names paths relative to the scratch folder.
    private func answer(_ said: String, _ origin: PathOrigin) -> String {
        do throws(PathRefusal) {
            let path = try gate.file(said, from: origin, kind)
            let root = (try? PathText.resolved(scratch("takes"))).map { String($0.dropLast(5)) } ?? ""
            return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
        } catch {
            return String(describing: error)
        }
    }

    @Test(arguments: PathOrigin.doors)
    func `A relative path begins at the folder of recordings, whatever the working folder`(door: PathOrigin) {
        #expect(answer("song.wav", door) == "takes/song.wav")
        #expect(answer("./live//song.wav", door) == "takes/live/song.wav")
        #expect(answer("live/song.FLAC", door) == "takes/live/song.FLAC")
    }

    @Test(
        arguments: PathOrigin.doors,
        [
            ("", "is empty"), ("   ", "is empty"), (".", "is empty"), ("./", "is a folder"), ("..", "'..'"),
            ("../song.wav", "'..'"), ("live/../../song.wav", "'..'"), ("~/song.wav", "'~'"), ("~", "'~'"),
            ("~root/song.wav", "'~'"), ("a\nb.wav", "control characters"), ("a\0.wav", "control characters"),
            (String(repeating: "a/", count: 2001) + "b.wav", "control characters"),
            (String(repeating: "a", count: 300) + ".wav", "control characters"),
            ("nowhere/song.wav", "there is no folder"), ("song.wav/", "is a folder"), ("live", "extensions"),
            ("song.txt", "extensions"), (".wav", "extensions"), ("session.json", "extensions"),
        ])
    func `What names no new sound file is refused in words`(door: PathOrigin, pair: (said: String, words: String)) {
        #expect(answer(pair.said, door).contains(pair.words), "\(pair.said.debugDescription)")
    }

    @Test func `From the network only the folders that were said are written to`() {
        #expect(answer(scratch("takes/a.wav"), .network) == "takes/a.wav")
        #expect(answer(scratch("session/a.wav"), .network) == "session/a.wav")
        #expect(answer(scratch("more/a.wav"), .network) == "more/a.wav")
        #expect(answer(scratch("elsewhere/a.wav"), .network).contains("--allow-write"))
        #expect(answer("/a.wav", .network).contains("--allow-write"))
        // A folder whose name merely begins with the name of an allowed one.
        try? FileManager.default.createDirectory(atPath: scratch("takes-2"), withIntermediateDirectories: true)
        #expect(answer(scratch("takes-2/a.wav"), .network).contains("--allow-write"))
    }

    @Test func `The socket of its user writes anywhere by an absolute path`() {
        #expect(answer(scratch("elsewhere/a.wav"), .socket) == "elsewhere/a.wav")
        #expect(answer(scratch("gone/a.wav"), .socket).contains("there is no folder"))
    }

    @Test func `A link out of the folders is not followed, and one at the place itself never`() throws {
        let files = FileManager.default
        try files.createSymbolicLink(atPath: scratch("takes/out"), withDestinationPath: scratch("elsewhere"))
        try files.createSymbolicLink(atPath: scratch("takes/in"), withDestinationPath: scratch("takes/live"))
        try files.createSymbolicLink(atPath: scratch("takes/a.wav"), withDestinationPath: scratch("elsewhere/a.wav"))
        #expect(answer("out/a.wav", .network).contains("--allow-write"))
        #expect(answer("in/a.wav", .network) == "takes/live/a.wav")
        for door in PathOrigin.doors { #expect(answer("a.wav", door).contains("symbolic link")) }
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func `A folder that may not be written to is refused`() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: scratch("takes/live"))
        defer { chmod(scratch("takes/live"), 0o700) }
        #expect(answer("live/a.wav", .network).contains("cannot be written"))
    }

    @Test func `The folder of recordings is made when it is first needed, and without one relative paths are refused`()
    {
        let new = WriteGate(recordings: scratch("home/Music/Proscenium"))
        #expect((try? new.file("a.wav", from: .network, kind))?.hasSuffix("home/Music/Proscenium/a.wav") == true)
        #expect(throws: PathRefusal.noRecordings("a.wav")) {
            try WriteGate(recordings: nil).file("a.wav", from: .network, kind)
        }
    }

    @Test func `What is read may lie anywhere, and begins at the folder of recordings where it is relative`() throws {
        #expect(try gate.reading("chains") == scratch("takes/chains"))
        #expect(try gate.reading("/usr/share/set.sofa") == "/usr/share/set.sofa")
        for said in ["", "../x", "~/x"] {
            #expect(throws: PathRefusal.self) { try gate.reading(said) }
        }
    }

    @Test func `The folder of recordings is in the user's folder of music`() {
        func folder(_ dirs: String?, _ environment: [String: String]) -> String? {
            RecordingsFolder.standard(environment) { $0 == "/h/.config/user-dirs.dirs" ? dirs : nil }
        }
        #expect(folder(nil, ["HOME": "/h"]) == "/h/Music/Proscenium")
        #expect(folder("# XDG\nXDG_MUSIC_DIR=\"$HOME/Musik\"\n", ["HOME": "/h"]) == "/h/Musik/Proscenium")
        #expect(folder("XDG_MUSIC_DIR=\"/data/music\"", ["HOME": "/h"]) == "/data/music/Proscenium")
        #expect(folder("XDG_MUSIC_DIR=\"$HOME/../x\"", ["HOME": "/h"]) == "/h/Music/Proscenium")
        for rest in [" ", "\t# mine", " # \"mine\""] {
            #expect(folder("XDG_MUSIC_DIR=\"$HOME/Musik\"\(rest)\n", ["HOME": "/h"]) == "/h/Musik/Proscenium")
        }
        #expect(folder("XDG_MUSIC_DIR=\"/data\"# mine\n", ["HOME": "/h"]) == "/h/Music/Proscenium")
        #expect(folder("XDG_MUSIC_DIR=\"/a\"\nXDG_MUSIC_DIR=\"/b\"\n", ["HOME": "/h"]) == "/b/Proscenium")
        #expect(folder(nil, [:]) == nil)
    }
}

extension PathOrigin {
    /// Doors of a session.
    static let doors: [PathOrigin] = [.socket, .network]
}
