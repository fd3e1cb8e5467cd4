import AbsentPlaces
import CHDF5
import Foundation
import Testing

@testable import SOFA

/// Each fault has a separate error, of the expected kind, whose text contains an expected word.
@Suite struct MalformedTests {
    // MARK: Not even HDF5

    @Test(arguments: [
        ("<!DOCTYPE html><html><head><title>404</title>", "HTML"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "git lfs pull"),
        ("PK\u{3}\u{4}abc", "zip"), ("CDF\u{1}", "nccopy"), ("RIFF....WAVE", "WAV"), ("hello\n", "text file"),
        ("\u{0}\u{0}\u{0}\u{0}", "zeros"),
    ])
    func foreignFilesAreNamed(_ content: String, _ word: String) throws {
        let path = try file(Array(content.utf8))
        defer { Draft.remove(path) }
        let error = complaint(path)
        guard case .foreign = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.description.contains(word) == true && error?.description.contains(path) == true)
    }

    @Test func gzipIsNamed() throws {
        let path = try file([0x1f, 0x8b, 8, 0])
        defer { Draft.remove(path) }
        #expect(complaint(path)?.reason.contains("gunzip") == true)
    }

    @Test func missingEmptyAndFoldersAreTold() throws {
        let nowhere = AbsentPlace.path("all.sofa")
        #expect(complaint(nowhere) == .missing(path: nowhere))
        let path = try file([])
        defer { Draft.remove(path) }
        #expect(complaint(path) == .empty(path: path))
        let folder = FileManager.default.temporaryDirectory.path
        #expect(complaint(folder) == .notAFile(path: folder, kind: "a folder"))
        let pipe = path + ".fifo"
        mkfifo(pipe, 0o600)
        #expect(complaint(pipe) == .notAFile(path: pipe, kind: "a pipe"))
    }

    @Test(.enabled(if: getuid() != 0, "root may read everything")) func aFileWithoutPermissionIsUnreadable() throws {
        let path = try Draft().write()
        defer { Draft.remove(path) }
        chmod(path, 0)
        guard case .unreadable = complaint(path) else {
            Issue.record("\(String(describing: complaint(path)))")
            return
        }
    }

    @Test func whatTheSystemRefusesIsUnreadableAndNotDamaged() throws {
        let folder = FileManager.default.temporaryDirectory.path
        let error = #expect(throws: SOFAError.self) { try HDF5File(path: folder) }
        guard case .unreadable(_, let reason)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("cannot be opened"))
    }

    @Test(arguments: [0.3, 0.7, 0.95])
    func halfAFileIsCutShort(_ share: Double) throws {
        let path = try Draft().write()
        defer { Draft.remove(path) }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        try bytes.prefix(Int(Double(bytes.count) * share)).write(to: URL(fileURLWithPath: path))
        switch complaint(path) {
        case .truncated, .corrupt: break
        case let other: Issue.record("\(String(describing: other))")
        }
    }

    @Test func aSignatureWithNothingBehindIsDamaged() throws {
        let path = try file([0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a] + [UInt8](repeating: 0, count: 2000))
        defer { Draft.remove(path) }
        guard case .corrupt = complaint(path) else {
            Issue.record("\(String(describing: complaint(path)))")
            return
        }
    }

    /// In a process of its own: a crash of the library fails this test alone.
    @Test func bitRotNeverCrashes() async {
        await #expect(processExitsWith: .success) {
            let path = try Draft().write()
            defer { Draft.remove(path) }
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            // A fixed linear congruential sequence: the same damage in every run.
            var state: UInt64 = 42
            let rounds = ProcessInfo.processInfo.environment["PROSCENIUM_SOAK"] == nil ? 200 : 5000
            for _ in 0..<rounds {
                var spoilt = bytes
                for _ in 0..<8 {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    spoilt[Int(state >> 33) % spoilt.count] = UInt8(truncatingIfNeeded: state >> 20)
                }
                try Data(spoilt).write(to: URL(fileURLWithPath: path))
                if let error = complaint(path) { #expect(!error.description.isEmpty) }
            }
        }
    }

    @Test func aDraftIsTheSameEveryTime() throws {
        let drafts = try (0..<2).map { _ in
            let path = try Draft().write()
            defer { Draft.remove(path) }
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        #expect(drafts[0] == drafts[1])
    }

    // MARK: HDF5, but not this convention

    @Test func otherConventionsAreNamed() throws {
        var draft = Draft()
        draft.attributes["SOFAConventions"] = "FreeFieldDirectivityTF"
        draft.attributes["DataType"] = "TF"
        #expect(try draft.complaint()?.reason.contains("directivity") == true)
        draft.attributes["SOFAConventions"] = "MyOwnHRIR"
        #expect(try draft.complaint()?.reason.contains("\"MyOwnHRIR\" is not supported") == true)
        draft = Draft()
        draft.attributes["Conventions"] = "CF-1.8"
        #expect(try draft.complaint()?.reason.contains("CF-1.8") == true)
        draft.attributes["Conventions"] = nil
        guard case .notSOFA = try draft.complaint() else { throw Unexpected() }
        draft = Draft()
        draft.attributes["SOFAConventions"] = nil
        guard case .incomplete = try draft.complaint() else { throw Unexpected() }
        draft = Draft()
        draft.attributes["DataType"] = "TF"
        guard case .unsupported = try draft.complaint() else { throw Unexpected() }
    }

    struct Unexpected: Error {}

    // MARK: Shapes and values

    /// A fault: its name, a word its error must contain, and the change of the draft.
    struct Flaw: CustomStringConvertible, Sendable {
        var description: String
        var word: String
        var spoil: @Sendable (inout Draft) -> Void
    }

    static let flaws: [Flaw] = [
        Flaw(description: "no responses", word: "Data.IR") { $0.variables["Data.IR"] = nil },
        Flaw(description: "two dimensions", word: "6×64") { $0.variables["Data.IR"]?.shape = [6, 64] },
        Flaw(description: "four dimensions", word: "6×2×32×1") { $0.variables["Data.IR"]?.shape = [6, 2, 32, 1] },
        Flaw(description: "one receiver", word: "2 receivers") { $0.variables["Data.IR"]?.shape = [6, 1, 64] },
        Flaw(description: "four receivers", word: "2 receivers") { $0.variables["Data.IR"]?.shape = [6, 4, 16] },
        Flaw(description: "receivers last", word: "2 receivers") { $0.variables["Data.IR"]?.shape = [6, 32, 2] },
        Flaw(description: "one sample", word: "two samples") { draft in
            draft.variables["Data.IR"] = ([Double](repeating: 1, count: 12), [6, 2, 1], [])
        },
        Flaw(description: "NaN", word: "NaN in measurement 1, receiver 0") {
            $0.variables["Data.IR"]?.values[70] = .nan
        },
        Flaw(description: "infinity", word: "infinity") { $0.variables["Data.IR"]?.values[70] = -.infinity },
        Flaw(description: "fill value", word: "fill value") { $0.variables["Data.IR"]?.values[9] = 9.96921e36 },
        Flaw(description: "silence", word: "silent") { draft in
            draft.variables["Data.IR"]?.values = [Double](repeating: 0, count: 384)
        },
        Flaw(description: "a deaf ear", word: "right ear") { draft in
            for m in 0..<6 { for i in 0..<32 { draft.variables["Data.IR"]?.values[64 * m + 32 + i] = 0 } }
        },
        Flaw(description: "no rate", word: "SamplingRate") { $0.variables["Data.SamplingRate"] = nil },
        Flaw(description: "zero rate", word: "768000") { $0.variables["Data.SamplingRate"]?.values = [0] },
        Flaw(description: "negative rate", word: "768000") { $0.variables["Data.SamplingRate"]?.values = [-48_000] },
        Flaw(description: "rate in kilohertz", word: "kHz") { $0.variables["Data.SamplingRate"]?.values = [48] },
        Flaw(description: "rate that is no number", word: "nan") { $0.variables["Data.SamplingRate"]?.values = [.nan] },
        Flaw(description: "several rates", word: "differs") { draft in
            draft.variables["Data.SamplingRate"] = ([48_000, 48_000, 48_000, 44_100, 48_000, 48_000], [6], [])
        },
        Flaw(description: "delays of the wrong shape", word: "1×2 or 6×2") { draft in
            draft.variables["Data.Delay"] = ([0, 0, 0, 0, 0], [1, 5], [])
        },
        Flaw(description: "delays that are no numbers", word: "Delay") {
            $0.variables["Data.Delay"]?.values = [0, .nan]
        },
        Flaw(description: "endless delays", word: "one second") { $0.variables["Data.Delay"]?.values = [0, 1e9] },
        Flaw(description: "no positions", word: "SourcePosition") { $0.variables["SourcePosition"] = nil },
        Flaw(description: "too few positions", word: "6×3") { draft in
            draft.variables["SourcePosition"]?.values.removeLast(3)
            draft.variables["SourcePosition"]?.shape = [5, 3]
        },
        Flaw(description: "one position for all", word: "6×3") { draft in
            draft.variables["SourcePosition"]?.values = [0, 0, 1]
            draft.variables["SourcePosition"]?.shape = [1, 3]
        },
        Flaw(description: "positions that are no numbers", word: "measurement 1") {
            $0.variables["SourcePosition"]?.values[4] = .nan
        },
        Flaw(description: "colatitudes", word: "colatitude") { $0.variables["SourcePosition"]?.values[1] = 120 },
        Flaw(description: "an unknown type", word: "spherical harmonics") { draft in
            draft.variables["SourcePosition"]?.attributes[0].1 = "spherical harmonics"
        },
        Flaw(description: "an unknown unit", word: "furlong") { draft in
            draft.variables["SourcePosition"]?.attributes[1].1 = "degree, degree, furlong"
        },
        Flaw(description: "a source inside the head", word: "no direction") { draft in
            draft.variables["SourcePosition"] = (
                [Double](repeating: 0, count: 18), [6, 3], [("Type", "cartesian"), ("Units", "metre")]
            )
        },
    ]

    @Test(arguments: flaws)
    func everyFlawIsTold(_ flaw: Flaw) throws {
        var draft = Draft()
        flaw.spoil(&draft)
        let error = try draft.complaint()
        #expect(error?.description.contains(flaw.word) == true, "\(String(describing: error))")
    }

    // MARK: Attacks

    @Test func dataInOtherFilesIsRefused() throws {
        var draft = Draft()
        draft.variables["Data.IR"] = nil
        draft.finish = { file in
            let plan = H5Pcreate(chdf5_dataset_create())
            H5Pset_external(plan, "/etc/passwd", 0, 768)
            let space = H5Screate_simple(3, [6, 2, 8], nil)
            H5Dclose(H5Dcreate2(file, "Data.IR", chdf5_ieee_f64le(), space, 0, plan, 0))
            H5Sclose(space)
            H5Pclose(plan)
        }
        try expectRefusal(draft, "another file")
    }

    @Test func linksAreRefused() throws {
        var draft = Draft()
        draft.variables["Data.IR"] = nil
        draft.finish = { H5Lcreate_external("other.h5", "/Data.IR", $0, "Data.IR", 0, 0) }
        try expectRefusal(draft, "link")
        draft.finish = { H5Lcreate_soft("/Data.IR", $0, "Data.IR", 0, 0) }
        try expectRefusal(draft, "soft link")
    }

    @Test func virtualDatasetsAreRefused() throws {
        var draft = Draft()
        draft.variables["Data.IR"] = nil
        draft.finish = { file in
            let plan = H5Pcreate(chdf5_dataset_create())
            let space = H5Screate_simple(3, [6, 2, 32], nil)
            H5Pset_virtual(plan, space, "other.h5", "/x", space)
            H5Dclose(H5Dcreate2(file, "Data.IR", chdf5_ieee_f64le(), space, 0, plan, 0))
            H5Sclose(space)
            H5Pclose(plan)
        }
        try expectRefusal(draft, "virtual")
    }

    @Test func impossibleSizesAreRefusedBeforeAllocation() throws {
        var draft = Draft()
        draft.variables["Data.IR"] = nil
        draft.finish = { file in Self.chunked(file, shape: [1 << 38, 2, 64], chunk: [1, 2, 64]) }
        try expectRefusal(draft, "claims")
    }

    @Test func whatWasNeverWrittenIsTold() throws {
        var draft = Draft()
        draft.variables["Data.IR"] = nil
        draft.finish = { file in Self.chunked(file, shape: [6, 2, 16_384], chunk: [1, 2, 64]) }
        #expect(try draft.complaint()?.reason.contains("was never written: the file sets 1572864 bytes") == true)
    }

    /// 134 MB of zeros, which deflate (twice) by a factor of about 100 000, with or without a click at the end.
    @Test(arguments: [false, true]) func deflateBombsAreRefusedAndSilenceIsCalledSilence(hasClick: Bool) throws {
        var draft = Draft()
        let count = 32_768
        draft.variables["Data.IR"] = nil
        draft.variables["SourcePosition"] = (
            (0..<count).flatMap { k -> [Double] in [Double(k) * 0.01, 0, 1] }, [count, 3],
            [("Type", "spherical"), ("Units", "degree, degree, metre")]
        )
        draft.finish = { file in
            Self.chunked(file, shape: [hsize_t(count), 2, 256], chunk: [4096, 2, 256], deflations: 2) { dataset in
                // One chunk at a time.
                let space = H5Dget_space(dataset)
                let memory = H5Screate_simple(3, [4096, 2, 256], nil)
                var values = [Float](repeating: 0, count: 4096 * 512)
                for start in stride(from: 0, to: count, by: 4096) {
                    if hasClick, start + 4096 == count { values[values.count - 1] = 1 }
                    H5Sselect_hyperslab(space, H5S_SELECT_SET, [hsize_t(start), 0, 0], nil, [4096, 2, 256], nil)
                    H5Dwrite(dataset, chdf5_native_float(), memory, space, 0, values)
                }
                H5Sclose(space)
                H5Sclose(memory)
            }
        }
        if hasClick {
            try expectRefusal(draft, "more than 1000 times")
        } else {
            #expect(try draft.complaint()?.reason == "Data.IR is silent: all samples are 0; use another file")
        }
    }

    /// Creates a dataset in chunks, written by `fill` or not at all.
    private static func chunked(
        _ file: hid_t, shape: [hsize_t], chunk: [hsize_t], deflations: Int = 0, fill: (hid_t) -> Void = { _ in }
    ) {
        let plan = H5Pcreate(chdf5_dataset_create())
        H5Pset_chunk(plan, 3, chunk)
        for _ in 0..<deflations { H5Pset_deflate(plan, 9) }
        let space = H5Screate_simple(3, shape, nil)
        let dataset = H5Dcreate2(file, "Data.IR", chdf5_ieee_f64le(), space, 0, plan, 0)
        fill(dataset)
        H5Dclose(dataset)
        H5Sclose(space)
        H5Pclose(plan)
    }

    @Test func textWhereNumbersShouldBeIsTold() throws {
        var draft = Draft()
        draft.variables["Data.IR"] = nil
        draft.finish = { file in
            let text = H5Tcopy(chdf5_c_s1())
            H5Tset_size(text, 4)
            let space = H5Screate_simple(3, [6, 2, 4], nil)
            H5Dclose(H5Dcreate2(file, "Data.IR", text, space, 0, 0, 0))
            H5Sclose(space)
            H5Tclose(text)
        }
        #expect(try draft.complaint()?.reason.contains("text") == true)
    }

    private func expectRefusal(_ draft: Draft, _ word: String) throws {
        let error = try draft.complaint()
        guard case .refused = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.reason.contains(word) == true)
    }
}
