import CHDF5
import Foundation
import Testing

@testable import SOFA

@Suite("Texts of variable length, whose heap the library trusts") struct VariableTextTests {
    private static let citation = "a citation of variable length"

    /// Returns a valid file with a text of variable length and `others` texts of fixed length.
    private static func draft(others: Int, text: String = Self.citation) -> Draft {
        var draft = Draft()
        draft.finish = { file in
            for index in 0..<others {
                try? HDF5Writer(file: file, path: "").attribute("Note \(index)", "of fixed length, the \(index)th")
            }
            let type = H5Tcopy(chdf5_c_s1())
            H5Tset_size(type, -1)
            let space = H5Screate(H5S_SCALAR)
            let attribute = H5Acreate2(file, "References", type, space, 0, 0)
            text.withCString { text in
                var pointer: UnsafePointer<CChar>? = text
                _ = H5Awrite(attribute, type, &pointer)
            }
            H5Aclose(attribute)
            H5Sclose(space)
            H5Tclose(type)
        }
        return draft
    }

    /// Compact in the object header, in a heap of one block, and in one of several blocks with an index of two levels.
    @Test(arguments: [(0, false), (0, true), (12, true), (100, true), (300, true)])
    func areReadWhereverTheyAreKept(others: Int, isLatest: Bool) throws {
        let path = try Self.draft(others: others).write(isLatest: isLatest)
        defer { Draft.remove(path) }
        let file = try HDF5File(path: path)
        #expect(try file.text("References") == Self.citation)
        if others > 0 { #expect(try file.text("Note \(others - 1)") == "of fixed length, the \(others - 1)th") }
    }

    /// An earlier version cut them after 64 KiB.
    @Test(arguments: [65_536, 65_537, 1 << 20]) func areReadInFull(count: Int) throws {
        let text = String(repeating: "x", count: count - 1) + "y"
        let path = try Self.draft(others: 0, text: text).write()
        defer { Draft.remove(path) }
        #expect(try HDF5File(path: path).text("References") == text)
    }

    /// Found by fuzzing: libhdf5 1.10 copies as many bytes as the heap's object claims, beyond the heap and the buffer.
    @Test(arguments: [0, 12]) func areRefusedWhereTheirHeapHoldsAnythingElse(others: Int) throws {
        let path = try Self.draft(others: others).write(isLatest: true)
        defer { Draft.remove(path) }
        let valid = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let heap = try #require(valid.indices.first { valid[$0...].starts(with: Array("GCOL".utf8)) })
        // Offsets in the heap: sixteen bytes of header, then the object's index, reference count and length.
        let changes: [(place: Int, bytes: [UInt8])] = [
            (24, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]), (24, [0, 0, 1, 0]), (24, [200]), (16, [7]),
            (8, [16, 0]),
            (8, [0, 0, 0, 0, 1]), (0, [0]),
        ]
        for change in changes {
            var bytes = valid
            bytes.replaceSubrange(
                (heap + change.place)..<(heap + change.place + change.bytes.count), with: change.bytes)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            let file = try HDF5File(path: path)
            #expect(throws: SOFAError.self, "\(change)") { _ = try file.text("References") }
            #expect(try file.text("Title") == "draft")
        }
    }
}
