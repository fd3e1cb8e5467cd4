import CHDF5
import Foundation
import Testing

@testable import SOFA

@Suite("Files from strangers") struct UntrustedTests {
    /// In HDF5's newest format all but the responses have checksums: a flipped byte is damage, never a missing part.
    @Test("damaged metadata are told as damage, whichever byte it is") func damage() throws {
        let path = try Draft().write(isLatest: true)
        defer { Draft.remove(path) }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var told = 0
        for place in stride(from: 0, to: bytes.count, by: 3) {
            var spoilt = bytes
            spoilt[place] ^= 0x24
            try spoilt.write(to: URL(fileURLWithPath: path))
            switch complaint(path) {
            case .notSOFA, .incomplete: Issue.record("byte \(place): \(complaint(path)!)")
            case .corrupt: told += 1
            default: break
            }
        }
        #expect(told > bytes.count / 30)
    }

    @Test("a group in a variable's place is told as one") func group() throws {
        var draft = Draft()
        draft.variables["Data.IR"] = nil
        draft.finish = { H5Gclose(H5Gcreate2($0, "Data.IR", 0, 0, 0)) }
        #expect(try draft.complaint()?.reason.contains("is a group") == true)
    }

    @Test("links that run in circles are refused") func circles() throws {
        var draft = Draft()
        draft.variables["Data.IR"] = nil
        draft.finish = { file in
            H5Lcreate_soft("/other", file, "Data.IR", 0, 0)
            H5Lcreate_soft("/Data.IR", file, "other", 0, 0)
        }
        guard case .refused = try draft.complaint() else { return #expect(Bool(false)) }
    }

    @Test("a chunk far larger than its variable is refused") func chunks() throws {
        var draft = Draft()
        let values = draft.variables["Data.IR"]!.values
        draft.variables["Data.IR"] = nil
        draft.finish = { file in
            let space = H5Screate_simple(3, [6, 2, 32], [hsize_t.max, hsize_t.max, hsize_t.max])
            let plan = H5Pcreate(chdf5_dataset_create())
            H5Pset_chunk(plan, 3, [1 << 10, 2, 1 << 11])
            H5Pset_deflate(plan, 9)
            let dataset = H5Dcreate2(file, "Data.IR", chdf5_ieee_f64le(), space, 0, plan, 0)
            H5Dwrite(dataset, chdf5_native_double(), 0, 0, 0, values)
            H5Dclose(dataset)
            H5Sclose(space)
            H5Pclose(plan)
        }
        let error = try draft.complaint()
        #expect(error?.reason.contains("chunks") == true, "\(String(describing: error))")
    }

    /// In a process of its own, whose peak memory is this reader's alone. 24 576 directions of 2 × 512 samples: 101 MB
    /// in single precision; in the file doubles, deflated, in chunks of 16 MB.
    @Test("reading takes no more than three times what is read") func memory() async {
        await #expect(processExitsWith: .success) {
            let count = 24_576
            var draft = Draft()
            draft.variables["Data.IR"] = nil
            draft.variables["SourcePosition"] = (
                (0..<count).flatMap { [Double($0) * 0.01, 0, 1] }, [count, 3],
                [("Type", "spherical"), ("Units", "degree, degree, metre")]
            )
            draft.finish = { file in
                let space = H5Screate_simple(3, [hsize_t(count), 2, 512], nil)
                let plan = H5Pcreate(chdf5_dataset_create())
                H5Pset_chunk(plan, 3, [2048, 2, 512])
                H5Pset_deflate(plan, 1)
                let dataset = H5Dcreate2(file, "Data.IR", chdf5_ieee_f64le(), space, 0, plan, 0)
                // Noise of 16 bits, a block at a time.
                var state: UInt32 = 1
                for start in stride(from: 0, to: count, by: 2048) {
                    let block = (0..<(2048 * 1024)).map { _ -> Float in
                        state = state &* 1_664_525 &+ 1_013_904_223
                        return Float(state >> 16) / 65_536 - 0.5
                    }
                    let memory = H5Screate_simple(3, [2048, 2, 512], nil)
                    H5Sselect_hyperslab(space, H5S_SELECT_SET, [hsize_t(start), 0, 0], nil, [2048, 2, 512], nil)
                    H5Dwrite(dataset, chdf5_native_float(), memory, space, 0, block)
                    H5Sclose(memory)
                }
                H5Dclose(dataset)
                H5Sclose(space)
                H5Pclose(plan)
            }
            let path = try draft.write()
            defer { Draft.remove(path) }
            let before = UntrustedTests.peakBytes()
            let set = try FreeFieldHRIR(contentsOf: path)
            let played = 4 * set.responses.count
            #expect(played == 4 * count * 1024)
            #expect(UntrustedTests.peakBytes() - before < 3 * played, "\(UntrustedTests.peakBytes() - before)")
        }
    }

    /// Returns the peak memory of this process, bytes.
    static func peakBytes() -> Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = line.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return 0 }
        return kilobytes * 1024
    }
}
