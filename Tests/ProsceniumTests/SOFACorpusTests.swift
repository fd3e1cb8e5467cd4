import Foundation
import SoundFixtures
import Testing

/// `sofa check` and `sofa info` over every kind of file that readers meet: valid, unusual, spoilt and hostile, written
/// by h5py, netCDF4 and sofar.
@Suite("Every SOFA file is loaded or explained") struct SOFACorpusTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let python = "/usr/bin/python3"

    /// Whether Debian's Python has h5py, which writes the corpus.
    static let hasWriter: Bool = (try? run(python, ["-c", "import h5py"]).status) == 0

    private static let noWriter: Comment = "python3-h5py is not installed"
    private static let noWriters: Comment = "Scripts/python-env could not make .build/venv (it needs a network once)"

    /// Runs a program to its end and returns what it printed.
    private static func run(_ path: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["HDF5_USE_FILE_LOCKING": "FALSE"]) { $1 }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    private struct Verdict: Decodable {
        let verdict: String
        let file: String
        let reason: String
        /// The file's name without folder and ending.
        var name: String { (file as NSString).lastPathComponent.replacingOccurrences(of: ".sofa", with: "") }
    }

    private func check(_ folder: String) throws -> [Verdict] {
        let run = try Run(["sofa", "check", "--json", folder], environment: ["HDF5_USE_FILE_LOCKING": "FALSE"])
        return try JSONDecoder().decode([Verdict].self, from: Data(run.output.utf8))
    }

    @Test(
        "each of the corpus gets its verdict, for its reason", .enabled(if: hasWriter, noWriter))
    func verdicts() throws {
        let scratch = try Scratch()
        let script = Self.root.appendingPathComponent("Scripts/sofa-corpus").path
        #expect(try Self.run(Self.python, [script, scratch("corpus")]).status == 0)
        let found = try check(scratch("corpus"))
        let expected = SOFACorpus.verdicts
        #expect(Set(found.map(\.name)) == Set(expected.keys))
        // An inverse is made of measured headphones, and none of a head.
        let headphones = try #require(found.first { $0.name == "68-headphone" }).file
        let inverse = try Run("headphones", "check", headphones)
        #expect(inverse.status == 0 && !inverse.output.hasPrefix("reject"), "\(inverse.output)")
        let head = try #require(found.first { $0.verdict == "ok" }).file
        let none = try Run("headphones", "check", head)
        #expect(none.status == 1 && none.output.hasPrefix("reject\t\(head)\t"), "\(none.output)")
        for verdict in found {
            guard let (word, reason) = expected[verdict.name] else { continue }
            #expect(
                verdict.verdict == word && (reason.isEmpty || verdict.reason.contains(reason)),
                "\(verdict.name): \(verdict.verdict) \(verdict.reason)")
            // No control character of a file reaches the terminal.
            #expect(!verdict.reason.unicodeScalars.contains { $0.properties.generalCategory == .control })
            #expect((verdict.verdict == "ok") == verdict.reason.isEmpty)
        }
        // `info` reads attributes only. No file ends it, and it finds no fault in files that are ok.
        let info = try Run(
            ["sofa", "info", "--json", scratch("corpus")], environment: ["HDF5_USE_FILE_LOCKING": "FALSE"])
        let entries = try #require(
            try JSONSerialization.jsonObject(with: Data(info.output.utf8)) as? [[String: Any]])
        #expect(entries.count == found.count)
        for (entry, verdict) in zip(entries, found) where verdict.verdict == "ok" {
            #expect(entry["error"] == nil && entry["faults"] == nil, "\(verdict.name)")
        }
    }

    @Test("hostile sizes take no memory", .enabled(if: hasWriter, noWriter)) func memory() throws {
        let scratch = try Scratch()
        let script = Self.root.appendingPathComponent("Scripts/sofa-corpus").path
        #expect(try Self.run(Self.python, [script, scratch("corpus")]).status == 0)
        // Prints the peak memory of a child process, kilobytes, as counted by the kernel.
        let measure = """
            import resource, subprocess, sys
            subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            """
        func peak(_ name: String) throws -> Int {
            let output = try Self.run(
                Self.python,
                ["-c", measure, Run.program.path, "sofa", "check", scratch("corpus/\(name).sofa")])
            return try #require(Int(output.output.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
        let least = try peak("01-empty")
        for name in ["37-sixteen-tebibytes", "38-bomb", "38-large-chunk", "69-silent", "60-external-storage"] {
            #expect(try peak(name) < least + 48 << 10, "\(name)")
        }
    }

    @Test("a folder is walked, deeper ones too, and one without SOFA files is told") func folders() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch("deep/er"), withIntermediateDirectories: true)
        for name in ["deep/er/a.SOFA", "deep/b.sofa", "deep/notes.txt"] {
            try Data("no set".utf8).write(to: URL(fileURLWithPath: scratch(name)))
        }
        let run = try Run("sofa", "check", scratch("deep"))
        #expect(run.status == 1)
        let lines = run.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("reject\t") && $0.contains("text file") })
        #expect(lines.first?.contains("b.sofa") == true && lines.last?.contains("er/a.SOFA") == true)
        try FileManager.default.createDirectory(atPath: scratch("none"), withIntermediateDirectories: true)
        let none = try Run("sofa", "check", scratch("none"))
        #expect(none.status == 1 && none.output.contains("a folder"))
    }

    /// The environment of `Scripts/python-env`; nil if it cannot be made.
    private static let environment: String? = {
        let script = root.appendingPathComponent("Scripts/python-env").path
        guard let made = try? run(script, []), made.status == 0 else { return nil }
        return root.appendingPathComponent(".build/venv/bin/python").path
    }()

    @Test(
        "what netCDF4 and sofar write is played", .enabled(if: environment != nil, noWriters)
    )
    func writers() throws {
        let scratch = try Scratch()
        let script = Self.root.appendingPathComponent("Scripts/sofa-writers").path
        #expect(try Self.run(try #require(Self.environment), [script, scratch("written")]).status == 0)
        let found = try check(scratch("written"))
        #expect(found.count == 21)
        for verdict in found {
            #expect(verdict.verdict != "reject", "\(verdict.name): \(verdict.reason)")
            if verdict.name.hasSuffix("SimpleFreeFieldHRIR") { #expect(verdict.verdict == "ok", "\(verdict.reason)") }
        }
    }

    @Test(
        "what convert makes of them h5py, netCDF4, sofar and libmysofa read, and again to the same",
        .enabled(if: environment != nil, noWriters)
    )
    func readers() throws {
        let scratch = try Scratch()
        let python = try #require(Self.environment)
        func script(_ name: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
            try Self.run(python, [Self.root.appendingPathComponent("Scripts/\(name)").path] + arguments)
        }
        #expect(try script("sofa-writers", [scratch("written")]).status == 0)
        #expect(try script("sofa-corpus", [scratch("corpus")]).status == 0)
        try FileManager.default.createDirectory(atPath: scratch("new"), withIntermediateDirectories: true)
        // All files of the writers, and files of each kind from the corpus, that can be played.
        let corpus = [
            "00-valid", "20-latin", "33-one-silent", "44-cartesian", "46-radians", "53-two-shells", "54-turntable",
            "57-ears-exchanged", "69-brir", "69-brir-last",
        ].map { scratch("corpus/\($0).sofa") }
        let written = try FileManager.default.contentsOfDirectory(atPath: scratch("written")).sorted()
            .map { scratch("written/\($0)") }
        var made: [String] = []
        for path in written + corpus {
            let target = scratch("new/" + (path as NSString).lastPathComponent)
            let run = try Run(["sofa", "convert", path, target], environment: ["HDF5_USE_FILE_LOCKING": "FALSE"])
            #expect(run.status == 0, "\(run.complaints)")
            made.append(target)
        }
        let read = try script("sofa-readers", made + ["--like", scratch("written")])
        #expect(read.status == 0 && made.count == 31, "\(read.output)")
        // This program accepts the converted files, and converting them again gives the same responses.
        for verdict in try check(scratch("new")) { #expect(verdict.verdict != "reject", "\(verdict)") }
        let again = made.map { $0 + ".again.sofa" }
        for (path, target) in zip(made, again) {
            #expect(
                try Run(["sofa", "convert", path, target], environment: ["HDF5_USE_FILE_LOCKING": "FALSE"]).status == 0)
            let compare =
                "import h5py,sys;a,b=(h5py.File(p)['Data.IR'][...] for p in sys.argv[1:]);sys.exit(int((a!=b).any()))"
            #expect(try Self.run(python, ["-c", compare, path, target]).status == 0, "\(path)")
        }
    }
}
