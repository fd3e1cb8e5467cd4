import Foundation
import Gate
import Loading
import SavedSessions
import SoundFixtures
import Soundstage
import Stages
import Testing

@testable import HRTF

/// Words that may be built-in names or files, in a folder with files of those names.
@Suite struct MakingNameTests {
    private static let builtIn: [(kind: MakingName, names: [String])] = [
        (.layout, ["stereo", "7.1", "5.1.4", "ambi3"]), (.hrtf, ["default", "kemar", "KEMAR", "generated", "sadie"]),
        (.room, ["none", "studio", "living-room", "hall"]), (.headphones, ["none"]), (.surface, ["mackie"]),
    ]

    /// Returns a folder in which each built-in name is also a file or a folder, with three files of other names.
    private static func crowded() throws -> Scratch {
        let folder = try Scratch()
        let names = builtIn.flatMap(\.names)
        for (index, name) in names.enumerated() {
            if index.isMultiple(of: 2) {
                try FileManager.default.createDirectory(atPath: folder(name), withIntermediateDirectories: true)
            } else {
                try Data("{}".utf8).write(to: URL(fileURLWithPath: folder(name)))
            }
        }
        for name in ["kitchen", "my.sofa", "mine"] { try Data().write(to: URL(fileURLWithPath: folder(name))) }
        return folder
    }

    /// A folder `studio` in the working folder must not make `ctl room-name studio` fail.
    @Test func `A built-in name stays one, whatever lies in the working folder`() throws {
        let folder = try Self.crowded()
        let here = folder.path
        for (kind, names) in Self.builtIn {
            for name in names {
                #expect(kind.knows(name) && !kind.isFile(name, in: here), "\(kind) \(name)")
                #expect(kind.whole(name, in: here) == name, "\(kind) \(name)")
                #expect(kind.whole("./" + name, in: here) == folder(name), "\(kind) \(name)")
                #expect(kind.whole(folder(name), in: here) == folder(name), "\(kind) \(name)")
            }
        }
    }

    @Test func `A word that is no built-in name is a file where there is one, or where it is written as a path`() throws
    {
        let folder = try Self.crowded()
        let here = folder.path
        for kind in MakingName.allCases {
            #expect(kind.whole("kitchen", in: here) == folder("kitchen"), "\(kind)")
            #expect(kind.whole("sub/absent", in: here) == folder("sub/absent"), "\(kind)")
        }
        // A mistyped name is not a path: the session refuses it and lists the names it has.
        #expect(MakingName.room.whole("studioo", in: here) == "studioo")
        #expect(
            MakingName.layout.whole("7.2", in: here) == "7.2" && MakingName.hrtf.whole("kemarr", in: here) == "kemarr")
        #expect(MakingName.layout.whole("absent.json", in: here) == folder("absent.json"))
        #expect(MakingName.hrtf.whole("absent.sofa", in: here) == folder("absent.sofa"))
    }

    /// A file in the session's folder must not replace a built-in set of the same name.
    @Test func `A saved session resolves names as everything does`() throws {
        let folder = try Self.crowded()
        let here = folder.path
        for (option, word) in [
            ("layout", "7.1"), ("layout", "9.9"), ("hrtf", "default"), ("hrtf", ""), ("room", "studio"),
            ("room", "none"),
            ("headphone-eq", "none"), ("surface", "mackie"),
        ] {
            #expect(FileName(word, of: option, in: here) == .free, "\(option) \(word)")
        }
        let generated = try DataFolders.library.locate(.named("generated"))
        #expect(FileName("generated", of: "hrtf", in: here) == .at(generated))
        for option in SessionFiles.options {
            #expect(FileName("mine", of: option, in: here) == .at(folder("mine")), "\(option)")
            #expect(FileName("sub/absent", of: option, in: here) == .missing, "\(option)")
            #expect(FileName("./mine", of: option, in: here) == .at(folder("mine")), "\(option)")
        }
        #expect(FileName("./kemar", of: "hrtf", in: here) == .at(folder("kemar")))
        #expect(FileName("./studio", of: "room", in: here) == .at(folder("studio")))
    }

    /// In a process of its own, because the environment is the process's.
    @Test func `A measured person's name stands for the person's files, and a removed one is reported`() async throws {
        let folder = try Scratch()
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            setenv("XDG_DATA_HOME", path + "/data", 1)
            let anna = path + "/data/proscenium/people/anna"
            try FileManager.default.createDirectory(atPath: anna + "/room", withIntermediateDirectories: true)
            // A file in the working folder does not take the name.
            try Data().write(to: URL(fileURLWithPath: path + "/anna"))
            for name in ["ears.sofa", "room.sofa"] {
                try Data(name.utf8).write(to: URL(fileURLWithPath: anna + "/room/" + name))
            }
            for (kind, file) in [(MakingName.hrtf, "ears.sofa"), (MakingName.room, "room.sofa")] {
                #expect(kind.knows("anna") && !kind.isBuiltIn("anna") && kind.whole("anna", in: path) == "anna")
                #expect(kind.choices.contains("anna"), "\(kind.choices)")
                #expect(FileName("anna", of: kind.rawValue, in: path) == .at(anna + "/room/" + file))
            }
            #expect(!MakingName.headphones.knows("anna") && MakingName.headphones.choices == ["none"])
            #expect(try MakingName.room.path(of: "anna") == anna + "/room/room.sofa")
            #expect(try MakingName.room.path(of: "studio") == "studio")
            var saved = SessionDocument()
            saved.options = ["hrtf": .text("anna"), "room": .text("anna"), "layout": .text("5.1")]
            let here = SessionFiles.find(saved, in: path + "/session")
            #expect(here.options == saved.options && here.remarks.isEmpty, "\(here.remarks)")
            // First the user's folder of the measurement is gone, then the person too.
            try FileManager.default.removeItem(atPath: anna + "/room")
            try FileManager.default.createSymbolicLink(
                atPath: anna + "/room", withDestinationPath: path + "/my-room")
            let error = #expect(throws: SessionError.self) { try MakingName.room.path(of: "anna") }
            #expect(error?.description.contains("\(path)/my-room/room.sofa is missing") == true)
            for isKnown in [true, false] {
                if !isKnown { try FileManager.default.removeItem(atPath: anna) }
                #expect(MakingName.hrtf.knows("anna") == isKnown)
                let gone = SessionFiles.find(saved, in: path + "/session")
                #expect(gone.options == ["layout": .text("5.1")])
                let words = "anna is not on this machine; the session plays"
                #expect(gone.remarks == ["--hrtf \(words) with the default set", "--room \(words) without a room"])
            }
        }
        #expect(folder.contents == ["anna", "data"])
    }

    @Test func `A name that a set or a room has is none for a person`() {
        for name in ["kemar", "KEMAR", "cipic", "default", "none", "studio", "Hall"] {
            #expect(MakingName.hides(name), "\(name)")
        }
        #expect(!MakingName.hides("anna") && !MakingName.hides("stereo") && !MakingName.hides("mackie"))
    }

    /// `--hrtf default` selects the automatic set, as `ctl hrtf default` does.
    @Test func `The word for the set that is found by itself is one on the command line too`() {
        for word in [nil, "", "default"] { #expect(HRTFSelection(word) == .automatic) }
        #expect(HRTFSelection("./default") == .file("./default") && HRTFSelection("kemar") == .named("kemar"))
    }

    @Test func `Every parameter that takes a name or a file is of a kind`() {
        for parameter in Parameter.all {
            #expect((MakingName(parameter: parameter) != nil) == (parameter.text != nil), "\(parameter.id)")
        }
    }

    @Test func `A layout's file needs no ending`() throws {
        let folder = try Scratch()
        try Data(
            #"{"name": "two", "loudspeakers": [{"name": "FL", "azimuth": 30}, {"name": "FR", "azimuth": -30}]}"#.utf8
        ).write(to: URL(fileURLWithPath: folder("two")))
        #expect(try StageSettings().layout(named: folder("two")).channelCount == 2)
        let error = #expect(throws: SessionError.self) { try StageSettings().layout(named: "7.2") }
        #expect(error?.description.contains("7.1.4") == true)
    }
}
