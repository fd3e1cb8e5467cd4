import AbsentPlaces
import Foundation
import Geometry
import SOFA
import Testing

@testable import HRTF

@Suite struct HRTFLibraryTests {
    private let library = HRTFLibrary(folders: [Sources.catalogue], userDefault: AbsentPlace.path("default.sofa"))

    @Test func namesAndPathsAreToldApart() {
        #expect(HRTFSelection(nil) == .automatic && HRTFSelection("") == .automatic)
        #expect(HRTFSelection("kemar") == .named("kemar"))
        #expect(HRTFSelection("mine.sofa") == .file("mine.sofa") && HRTFSelection("a/b") == .file("a/b"))
    }

    @Test func theGeneratedSetIsAlwaysThere() throws {
        #expect(try library.locate(.named("generated")) == Sources.catalogue + "/generated.sofa")
        #expect(library.known(at: Sources.catalogue + "/generated.sofa")?.name == "generated")
    }

    @Test func theUsersOwnSetStandsFirst() throws {
        let own = FileManager.default.temporaryDirectory.appendingPathComponent("own-\(UUID()).sofa").path
        #expect(FileManager.default.createFile(atPath: own, contents: Data([0])))
        defer { try? FileManager.default.removeItem(atPath: own) }
        #expect(try HRTFLibrary(folders: [], userDefault: own).locate(.automatic) == own)
        let next = try library.locate(.automatic)
        #expect(next == HRTFLibrary.systemDefault || next.hasSuffix("generated.sofa"))
    }

    @Test func theUsualPlacesFollowTheProgramAndTheUser() {
        let library = HRTFLibrary.standard(
            environment: ["HOME": "/home/ear", "XDG_DATA_HOME": "/data"], executable: "/usr/x/bin/proscenium")
        #expect(library.folders.first == "/usr/x/share/proscenium/HRTF")
        #expect(library.userDefault == "/data/proscenium/hrtf/default.sofa")
        #expect(library.people?.folder == "/data/proscenium/people")
        #expect(
            library.searchFolders.prefix(3) == [
                "/data/proscenium/hrtf", "/usr/local/share/proscenium/hrtf", "/usr/local/share/libmysofa",
            ])
        let plain = HRTFLibrary.standard(environment: ["HOME": "/home/ear"], executable: "/usr/x/bin/proscenium")
        #expect(plain.userDefault == "/home/ear/.local/share/proscenium/hrtf/default.sofa")
        let relative = HRTFLibrary.standard(
            environment: ["HOME": "/home/ear", "XDG_DATA_HOME": "data", "XDG_DATA_DIRS": "share:/opt/share"],
            executable: "/usr/x/bin/proscenium")
        #expect(relative.userDefault == plain.userDefault && relative.people?.folder == plain.people?.folder)
        #expect(
            relative.searchFolders == [
                "/home/ear/.local/share/proscenium/hrtf", "/opt/share/proscenium/hrtf", "/opt/share/libmysofa",
            ])
    }

    @Test func unknownAndAbsentSetsAreToldApart() {
        #expect {
            try library.locate(.named("komar"))
        } throws: { error in
            guard case .unknownSet(_, let known)? = error as? HRTFError else { return false }
            return known.contains("kemar") && known.contains("generated")
        }
        #expect {
            try library.locate(.named("cipic"))
        } throws: { error in
            guard case .notInstalled(_, _, let advice)? = error as? HRTFError else { return false }
            return advice.contains("https://")
        }
        #expect(throws: HRTFError.self) { try HRTFLibrary(folders: [AbsentPlace.path()], userDefault: "").sets() }
    }

    @Test func setsOnTheMachineAreFoundOnceWithWhatTheyHold() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sets-\(UUID())")
        let below = folder.appendingPathComponent("a/b")
        try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let generated = Sources.catalogue + "/generated.sofa"
        try FileManager.default.copyItem(atPath: generated, toPath: below.path + "/mine.SOFA")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/again.sofa", withDestinationPath: below.path + "/mine.SOFA")
        try Data("no SOFA".utf8).write(to: folder.appendingPathComponent("broken.sofa"))
        try Data("notes".utf8).write(to: folder.appendingPathComponent("notes.txt"))

        let found = try await library.search(alsoIn: [folder.path])
        let here = found.sets.filter { $0.path.contains(folder.lastPathComponent) }
        #expect(here.count == 2, "\(here.map(\.path))")
        let broken = try #require(here.first { $0.path.hasSuffix("broken.sofa") })
        #expect(broken.problem != nil && broken.summary == nil && broken.licence == "the file names none")
        let mine = try #require(here.first { $0.path.hasSuffix("mine.SOFA") })
        #expect(mine.summary?.directions.value?.count == GeneratedHead.directions.count)
        #expect(mine.summary?.sampleRate.value == 48_000 && mine.licence.contains("CC0") && mine.known == nil)
        #expect(mine.title == "Proscenium generated head")
        // The program's own set is found by its name in the catalogue; the result lists the folders.
        #expect(found.sets.contains { $0.known?.name == "generated" })
        #expect(found.folders.contains(Sources.catalogue) && found.folders.last == folder.path)
        // A path of a file finds that file; a path without a file is refused.
        let again = try await library.search(alsoIn: [generated])
        #expect(again.sets.filter { $0.path.hasSuffix("HRTF/generated.sofa") }.count == 1)
        await #expect(throws: HRTFError.self) { try await library.search(alsoIn: [folder.path + "/nothing"]) }
    }

    /// A room may be labelled as a head in a free field; its responses are longer than any head's.
    @Test func aRoomWithTheLabelOfAHeadIsNoSet() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("room-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let before = try await library.search(alsoIn: [folder.path])
        let directions = [0.0, 90, 180, -90].map { Direction<Head>(azimuthDegrees: $0, elevationDegrees: 0) }
        var response = [Float](repeating: 0, count: 48_000)
        response[10] = 1
        try FreeFieldHRIR(
            path: folder.path + "/room.sofa", attributes: ["Title": "Hall"], sampleRate: 48_000, sampleCount: 48_000,
            directions: directions, distances: [2, 2, 2, 2], responses: (0..<8).flatMap { _ in response },
            delays: [Double](repeating: 0, count: 8)
        ).write(to: folder.path + "/room.sofa")
        let found = try await library.search(alsoIn: [folder.path])
        #expect(found.others == before.others + 1 && found.sets.count == before.sets.count)
    }

    @Test func theCatalogueSaysOfEverySetWhatItIsAndWhereToGetIt() throws {
        let sets = try library.sets().map(\.set)
        #expect(Set(sets.map(\.name)).count == sets.count && sets.count >= 8)
        for set in sets {
            for text in [set.title, set.licence, set.citation, set.source, set.description, set.directions] {
                #expect(!text.isEmpty, "\(set.name)")
            }
        }
        let table = try String(
            contentsOfFile: Sources.catalogue + "/../Documentation/reference/hrtf-catalogue.md", encoding: .utf8)
        for set in sets { #expect(table.contains("`\(set.name)` \(set.title)") && table.contains(set.licence)) }
    }

    @Test func tablesOfDirectionsAreReadStrictly() throws {
        let table = try DirectionTable(text: "index,az_deg,el_deg,r_m\n3, 90,0,1.4\r\n4,0,-90,1\n\n", path: "t.csv")
        #expect(table.directions.count == 2 && abs(table.directions[0].unit.y - 1) < 1e-12)
        let flaws = [
            "", "az,el\n1,2\n", "index,az_deg,el_deg,r_m\n", "index,az_deg,el_deg,r_m\n1,2,3\n",
            "index,az_deg,el_deg,r_m\n1,x,3,1\n", "index,az_deg,el_deg,r_m\n1,0,91,1\n",
            "index,az_deg,el_deg,r_m\n1,nan,0,1\n",
        ]
        for text in flaws {
            #expect(throws: HRTFError.self, "\(text)") { try DirectionTable(text: text, path: "t.csv") }
        }
    }
}
