import CHDF5
import CHDF5Driver
import Foundation
import Glibc
import Testing

@testable import SOFA

/// How HDF5 reads a file: nothing outside it, whatever addresses it holds.
@Suite struct DriverTests {
    /// Where `pattern` stands in `bytes`.
    private func places(of pattern: Data, in bytes: Data) -> [Int] {
        var found: [Int] = []
        var rest = 0..<bytes.count
        while let next = bytes.range(of: pattern, in: rest) {
            found.append(next.lowerBound)
            rest = next.upperBound..<bytes.count
        }
        return found
    }

    /// Addresses of what groups of the oldest format consist of, and what they may be damaged to: undefined (all ones), beyond the
    /// end, and so near the highest that adding a length begins again at 0.
    @Test(arguments: ["TREE", "HEAP", "SNOD"], [UInt64.max, 1 << 40, UInt64.max - 8])
    func anAddressOutsideTheFileIsRefusedInWords(_ signature: String, _ address: UInt64) throws {
        let path = try Draft().write()
        defer { Draft.remove(path) }
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var changed = 0
        for target in places(of: Data(signature.utf8), in: bytes) {
            let said = withUnsafeBytes(of: UInt64(target).littleEndian) { Data($0) }
            for place in places(of: said, in: bytes) {
                bytes.replaceSubrange(place..<place + 8, with: withUnsafeBytes(of: address.littleEndian) { Data($0) })
                changed += 1
            }
        }
        try #require(changed > 0)
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(complaint(path) != nil)
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
        #expect(chdf5_driver_open(FileManager.default.temporaryDirectory.path) < 0)
        #expect(chdf5_driver_open("/dev/null") < 0)
        #expect(chdf5_driver_open("/nowhere/at-all.sofa") < 0)
    }

    /// Two handles of one file are one file, as with HDF5's own driver; descriptors are given back.
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
