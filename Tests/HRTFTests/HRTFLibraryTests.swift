import Foundation
import Geometry
import Testing

@testable import HRTF

@Suite struct HRTFLibraryTests {
    private let library = HRTFLibrary(folders: [Sources.catalogue], userDefault: "/nowhere/default.sofa")

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
        let plain = HRTFLibrary.standard(environment: ["HOME": "/home/ear"], executable: "/usr/x/bin/proscenium")
        #expect(plain.userDefault == "/home/ear/.local/share/proscenium/hrtf/default.sofa")
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
        #expect(throws: HRTFError.self) { try HRTFLibrary(folders: ["/nowhere"], userDefault: "").sets() }
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
