import AbsentPlaces
import CHDF5
import CHDF5Driver
import Foundation
import Glibc
import Testing

@testable import SOFA

/// HDF5 reads nothing outside a file, whatever addresses the file contains.
@Suite struct DriverTests {
    /// Returns the positions of `pattern` in `bytes`.
    private func places(of pattern: Data, in bytes: Data) -> [Int] {
        var found: [Int] = []
        var rest = 0..<bytes.count
        while let next = bytes.range(of: pattern, in: rest) {
            found.append(next.lowerBound)
            rest = next.upperBound..<bytes.count
        }
        return found
    }

    /// Addresses of the parts of a group in the oldest format, damaged in three ways: undefined (all ones), beyond the
    /// end of the file, and so high that adding a length overflows to 0.
    @Test(arguments: ["TREE", "HEAP", "SNOD"], [UInt64.max, 1 << 40, UInt64.max - 8])
    func anAddressOutsideTheFileIsRefusedInWords(_ signature: String, _ address: UInt64) throws {
        // With a user block, addresses count from the end of the block.
        for userBlock in [0, 512] {
            let path = try Draft().write(userBlock: userBlock)
            defer { Draft.remove(path) }
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            var changed = 0
            for target in places(of: Data(signature.utf8), in: bytes) {
                let said = withUnsafeBytes(of: UInt64(target - userBlock).littleEndian) { Data($0) }
                for place in places(of: said, in: bytes) {
                    bytes.replaceSubrange(
                        place..<place + 8, with: withUnsafeBytes(of: address.littleEndian) { Data($0) })
                    changed += 1
                }
            }
            try #require(changed > 0)
            try bytes.write(to: URL(fileURLWithPath: path))
            #expect(complaint(path) != nil)
        }
    }

    /// The tree of a group has no address: HDF5's own driver would copy from an invalid one.
    @Test func aTreeWithoutAnAddressIsRefusedInWords() throws {
        let corpus = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("FuzzTests/Corpus/sofa/undefined-tree.sofa")
        let reason = try #require(complaint(corpus.path)?.reason)
        #expect(reason.contains("outside the file"), "\(reason)")
    }

    /// The error names the unknown version: "superblock" in HDF5's message must not be taken for a lock.
    @Test func anUnknownFormatIsNoLock() throws {
        let path = try Draft().write()
        defer { Draft.remove(path) }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[8] = 9
        try bytes.write(to: URL(fileURLWithPath: path))
        guard case .corrupt(_, let detail) = complaint(path) else {
            Issue.record("\(String(describing: complaint(path)))")
            return
        }
        #expect(detail.contains("superblock"))
    }

    @Test func aFileThatBecomesShorterIsRefusedInWords() throws {
        let path = try Draft().write()
        defer { Draft.remove(path) }
        let file = try HDF5File(path: path)
        try #require(truncate(path, 600) == 0)
        #expect(throws: SOFAError.self) { try file.doubles("Data.IR", most: HDF5File.largestCount) }
    }

    @Test func whatIsNoFileIsNoFile() throws {
        HDF5Errors.silence()
        let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-" + UUID().uuidString).path
        try #require(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        #expect(chdf5_driver_open(pipe) < 0)
        #expect(chdf5_driver_open(FileManager.default.temporaryDirectory.path) < 0)
        #expect(chdf5_driver_open("/dev/null") < 0)
        #expect(chdf5_driver_open(AbsentPlace.path("all.sofa")) < 0)
    }

    /// Two handles of one file share a descriptor, as with HDF5's own driver; the last one closes it.
    @Test func filesAreSharedAndClosed() throws {
        let path = try Draft().write()
        defer { Draft.remove(path) }
        func open() -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count { number in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")) == path
            } ?? -1
        }
        do {
            let (first, second) = (try HDF5File(path: path), try HDF5File(path: path))
            #expect(try first.shape(of: "Data.IR") == second.shape(of: "Data.IR"))
            #expect(open() == 1)
        }
        #expect(open() == 0)
    }
}
