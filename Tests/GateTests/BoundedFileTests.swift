import Foundation
import Gate
import SoundFixtures
import Testing

/// Files above the size limit, and files without an end.
@Suite struct BoundedFileTests {
    @Test func `A file is read whole up to its bound and refused beyond`() throws {
        let scratch = try Scratch()
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        try Data(bytes).write(to: URL(fileURLWithPath: scratch("file")))
        #expect(try BoundedFile.bytes(of: scratch("file"), most: 200_000) == bytes)
        #expect(throws: BoundedFile.Refusal.tooLong(most: 199_999)) {
            try BoundedFile.bytes(of: scratch("file"), most: 199_999)
        }
        try Data().write(to: URL(fileURLWithPath: scratch("empty")))
        #expect(try BoundedFile.bytes(of: scratch("empty"), most: 0) == [])
    }

    @Test func `A device that never ends is refused at the bound`() {
        #expect(throws: BoundedFile.Refusal.tooLong(most: 1 << 20)) {
            try BoundedFile.bytes(of: "/dev/zero", most: 1 << 20)
        }
    }

    @Test func `What the system refuses is told in its words`() throws {
        let scratch = try Scratch()
        let error = #expect(throws: BoundedFile.Refusal.self) { try BoundedFile.bytes(of: scratch("none"), most: 9) }
        #expect(error?.description == "No such file or directory")
        #expect(throws: BoundedFile.Refusal.system(code: EISDIR)) { try BoundedFile.bytes(of: scratch(""), most: 9) }
    }
}
