import AbsentPlaces
import Foundation
import Glibc
import SOFA
import Testing

@testable import HRTF

/// People measured on this machine, and their names.
@Suite struct MeasuredPeopleTests {
    /// A folder for people and measurements, removed with its last reference.
    private final class Home: Sendable {
        let path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent("people-\(UUID())").path

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var people: MeasuredPeople { MeasuredPeople(folder: path + "/data/proscenium/people") }

        /// Makes a measurement's folder with files of these names; without a source each holds its own name.
        func measure(_ folder: String, _ names: [String], from source: String? = nil) throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for name in names {
                if let source {
                    try FileManager.default.copyItem(atPath: source, toPath: folder + "/" + name)
                } else {
                    try Data(name.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
                }
            }
        }
    }

    private let home = Home()
    private var people: MeasuredPeople { home.people }

    @Test(arguments: ["anna", "Zoë", "j-2", "anna_b", "7", "音楽"])
    func `Letters and digits make a name`(name: String) { #expect(MeasuredPeople.isName(name)) }

    @Test(arguments: [
        "", ".", "..", "a/b", "/anna", "anna.sofa", "-y", "_a", "a b", "a\u{7}", "a\nb", "\u{D4E}/x", "a\u{202E}",
        String(repeating: "a", count: 65),
    ])
    func `A path, a long word, spaces and control characters are no name`(word: String) throws {
        #expect(!MeasuredPeople.isName(word))
        #expect(people.person(word, having: .room) == nil)
        #expect(try people.path(.ears, of: word) == nil)
    }

    @Test func `Without a typed folder a person has one, closed to other users`() throws {
        let folder = try people.begin(.room, of: "anna", in: nil)
        #expect(folder == people.folder + "/anna/room")
        #expect(people.all.isEmpty)
        #expect(try people.path(.ears, of: "anna") == nil)
        var found = stat()
        let status = stat(people.folder, &found)
        #expect(status == 0 && found.st_mode & 0o777 == 0o700)
        try home.measure(folder, ["sweeps.json"])
        #expect {
            try people.path(.ears, of: "anna")
        } throws: {
            "\($0)".contains("'proscenium measure me --person anna' completes")
        }
        #expect(people.all.map(\.name) == ["anna"] && people.names(having: .ears).isEmpty)
        try home.measure(folder, ["ears.sofa"])
        try people.enter(.room, of: "anna", at: folder)
        #expect(try people.path(.ears, of: "anna") == folder + "/ears.sofa")
        #expect(people.names(having: .ears) == ["anna"] && people.names(having: .room).isEmpty)
        // The same line continues there.
        #expect(try people.begin(.room, of: "anna", in: nil) == folder)
    }

    @Test func `A measurement in a typed folder gets its name once it is finished, and keeps it`() throws {
        let mine = home.path + "/my-room"
        #expect(try people.begin(.room, of: "anna", in: mine) == mine)
        #expect(!FileManager.default.fileExists(atPath: people.folder))
        try home.measure(mine, ["ears.sofa", "room.sofa"])
        for _ in 0..<2 { try people.enter(.room, of: "anna", at: mine) }
        let person = try #require(people.person("anna", having: .room))
        #expect(person.folder(of: .room) == mine && person.existing(.headphones) == nil)
        #expect(try people.path(.room, of: "anna") == person.entry(.room) + "/room.sofa")
        #expect(try people.begin(.room, of: "anna", in: mine) == mine)
        #expect(try people.begin(.room, of: "anna", in: nil) == person.entry(.room))
        #expect {
            try people.begin(.room, of: "anna", in: home.path + "/other")
        } throws: {
            "\($0)".contains("was measured already, in \(mine)")
        }
        // Headphones are a measurement of their own.
        let phones = home.path + "/phones"
        try home.measure(phones, ["headphones.sofa"])
        #expect(try people.begin(.headphones, of: "anna", in: phones) == phones)
        try people.enter(.headphones, of: "anna", at: phones)
        #expect(people.names(having: .headphones) == ["anna"] && people.all.count == 1)
    }

    @Test func `A folder that was removed is named, and another may take its place`() throws {
        let (mine, other) = (home.path + "/my-room", home.path + "/other")
        for folder in [mine, other] { try home.measure(folder, ["ears.sofa", "room.sofa"]) }
        try people.enter(.room, of: "anna", at: mine)
        try FileManager.default.removeItem(atPath: mine)
        #expect {
            try people.path(.room, of: "anna")
        } throws: {
            "\($0)".contains("\(mine)/room.sofa is missing; put its folder back")
        }
        #expect(throws: HRTFError.self) { try people.begin(.room, of: "anna", in: nil) }
        #expect(people.names(having: .room).isEmpty && people.all.count == 1)
        #expect(try people.begin(.room, of: "anna", in: other) == other)
        try people.enter(.room, of: "anna", at: other)
        #expect(people.person("anna", having: .room)?.folder(of: .room) == other)
    }

    @Test func `The library finds people by name, behind its own sets and apart from them`() async throws {
        for name in ["anna", "bert", "generated"] {
            let names = name == "bert" ? ["sweeps.json"] : ["ears.sofa"]
            try home.measure(
                people.folder + "/\(name)/room", names, from: Sources.catalogue + "/generated.sofa")
        }
        let library = HRTFLibrary(folders: [Sources.catalogue], userDefault: AbsentPlace.path(), people: people)
        #expect(try library.locate(HRTFSelection("anna")) == people.folder + "/anna/room/ears.sofa")
        #expect(try library.locate(.named("generated")) == Sources.catalogue + "/generated.sofa")
        #expect(!library.knows("anna"))
        #expect {
            try library.locate(.named("ann"))
        } throws: { error in
            guard case .unknownSet(_, let known)? = error as? HRTFError else { return false }
            return known.contains("kemar") && known.contains("anna") && !known.contains("bert")
        }
        let found = try await library.search()
        #expect(found.people.map(\.person.name) == ["anna", "bert", "generated"])
        #expect(found.people.map { $0.ears != nil } == [true, false, true])
        #expect(found.people[0].ears?.summary?.attributes["DateCreated"]?.isEmpty == false)
        #expect(!found.sets.contains { $0.path.hasPrefix(people.folder) })
    }
}
