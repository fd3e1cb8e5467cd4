import CHDF5
import Foundation
import Testing

@testable import SOFA

/// Attributes with damaged sizes are refused before the library reads beyond their bytes.
@Suite struct ObjectHeaderTests {
    /// The sizes within an attribute message: the part measured, and the offset of the size's high byte.
    static let sizes = [("name", 3), ("datatype", 5), ("dataspace", 7)]

    /// Layouts of a file: headers of version 1 or 2 (attributes of version 1 or 3), and the length of the user block.
    static let layouts = [(false, 0), (true, 0), (false, 512), (true, 2048)]

    /// Sets a byte of the attribute message with the name `name` and the value `value`.
    private func damage(_ path: String, _ name: String, before value: String, at place: Int) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let end = try #require(bytes.range(of: Data(value.utf8)))
        let start = try #require(
            bytes.range(of: Data((name + "\0").utf8), options: .backwards, in: 0..<end.lowerBound)?.lowerBound)
        // Version 3 has a byte for the name's encoding between the sizes and the name.
        let head = start - (bytes[start - 8] == 1 ? 8 : 9)
        try #require(bytes[head] == 1 || bytes[head] == 3)
        bytes[head + place] = 0xCA
        // Written in place: the file may be open.
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    @Test(arguments: layouts) func everyLayoutReads(_ isLatest: Bool, _ userBlock: Int) throws {
        let path = try Draft().write(isLatest: isLatest, userBlock: userBlock)
        defer { Draft.remove(path) }
        #expect(complaint(path) == nil)
    }

    @Test(arguments: sizes) func aDamagedSizeIsRefusedInWords(_ what: String, _ place: Int) throws {
        var draft = Draft()
        // As older writers make it: a header of version 1, which has no checksum.
        draft.variables["Data.SamplingRate"] = nil
        draft.finish = { file in
            let text = H5Tcopy(chdf5_c_s1())
            H5Tset_size(text, 5)
            let space = H5Screate(H5S_SCALAR)
            let dataset = H5Dcreate2(file, "Data.SamplingRate", chdf5_ieee_f64le(), space, 0, 0, 0)
            H5Dwrite(dataset, chdf5_native_double(), 0, 0, 0, [48_000.0])
            let attribute = H5Acreate2(dataset, "Units", text, space, 0, 0)
            H5Awrite(attribute, text, Array("hertz".utf8))
            H5Aclose(attribute)
            H5Dclose(dataset)
            H5Sclose(space)
            H5Tclose(text)
        }
        for (name, value, object) in [("Title", "draft", "the root group"), ("Units", "hertz", "Data.SamplingRate")] {
            let path = try draft.write()
            defer { Draft.remove(path) }
            #expect(complaint(path) == nil)
            try damage(path, name, before: value, at: place)
            let reason = try #require(complaint(path)?.reason)
            #expect(reason.contains("(\(object): damaged attribute header: a \(what) of 51"), "\(reason)")
            #expect(throws: SOFAError.self) { try SOFAContent(path: path) }
        }
    }

    /// Headers of version 2 have checksums, which the library checks when it opens the file: the damage comes later.
    @Test(arguments: sizes, layouts)
    func everyLayoutIsMeasured(_ size: (what: String, place: Int), _ layout: (isLatest: Bool, userBlock: Int)) throws {
        let path = try Draft().write(isLatest: layout.isLatest, userBlock: layout.userBlock)
        defer { Draft.remove(path) }
        let file = H5Fopen(path, chdf5_read_only(), 0)
        defer { H5Fclose(file) }
        #expect(try ObjectHeader(of: file, in: file).checkAttributes().isEmpty)
        try damage(path, "Title", before: "draft", at: size.place)
        let damage = #expect(throws: HeaderDamage.self) { try ObjectHeader(of: file, in: file).checkAttributes() }
        #expect(damage?.words.hasPrefix("a \(size.what) of 51") == true, "\(String(describing: damage))")
    }

    // MARK: One message

    /// The name "a"; with padding as in version 1.
    private static func name(isPadded: Bool) -> [UInt8] { [97, 0] + [UInt8](repeating: 0, count: isPadded ? 6 : 0) }
    /// Datatype of a text of four bytes.
    private static let text: [UInt8] = [0x13, 0, 0, 0, 4, 0, 0, 0]
    /// Dataspaces of one value and of `count` values.
    private static let scalar: [UInt8] = [2, 0, 0, 0]
    private static func row(_ count: UInt8) -> [UInt8] { [2, 1, 0, 1, count, 0, 0, 0, 0, 0, 0, 0] }

    /// Returns the check's words on a message of version 2; nil without a fault.
    private func words(_ type: [UInt8], _ space: [UInt8], value: Int, flags: UInt8 = 0, isShared: Bool = false)
        -> String?
    {
        let head: [UInt8] = [2, flags, 2, 0, UInt8(type.count), 0, UInt8(space.count), 0]
        return words(head + Self.name(isPadded: false) + type + space + [UInt8](repeating: 1, count: value), isShared)
    }

    private func words(_ message: [UInt8], _ isShared: Bool = false) -> String? {
        do throws(HeaderDamage) {
            _ = try AttributeMessage(
                HeaderBytes(message[...]), isShared: isShared, HeaderBytes.Widths(offset: 8, length: 8))
            return nil
        } catch {
            return error.words
        }
    }

    @Test func soundMessagesPass() {
        #expect(words(Self.text, Self.scalar, value: 4) == nil)
        #expect(words(Self.text, Self.row(3), value: 12) == nil)
        // A null dataspace, without values.
        #expect(words(Self.text, [2, 0, 0, 2], value: 0) == nil)
        // A shared datatype, stored elsewhere.
        #expect(words([3, 2] + [UInt8](repeating: 0, count: 8), Self.scalar, value: 0, flags: 1) == nil)
        // A text of variable length; an array of two; an enumeration of "a" and "b"; a compound with the member "a".
        #expect(words([0x19, 0, 0, 0, 16, 0, 0, 0] + Self.text, Self.scalar, value: 16) == nil)
        #expect(words([0x3A, 0, 0, 0, 8, 0, 0, 0, 1, 2, 0, 0, 0] + Self.text, Self.scalar, value: 8) == nil)
        let number: [UInt8] = [0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0]
        #expect(words([0x38, 2, 0, 0, 1, 0, 0, 0] + number + [97, 0, 98, 0, 1, 2], Self.scalar, value: 1) == nil)
        #expect(words([0x36, 1, 0, 0, 1, 0, 0, 0, 97, 0, 0] + number, Self.scalar, value: 1) == nil)
    }

    @Test func everyDamageHasWords() {
        #expect(words(Self.text, Self.row(3), value: 11) == "a value of 12 bytes where 11 are left")
        #expect(words(Self.text, Self.scalar, value: 4, isShared: true) == "an attribute shared with other objects")
        #expect(words(Self.text, [2, 2] + Self.row(3)[2...], value: 12) == "a number of 8 bytes where 0 are left")
        #expect(words([0x1F] + Self.text[1...], Self.scalar, value: 4) == "a datatype of the unknown class 15")
        // An opaque datatype without its tag; a compound without the names of its members.
        #expect(words([0x15, 9] + Self.text[2...], Self.scalar, value: 4) == "a field of 9 bytes where 0 are left")
        #expect(words([0x36, 9] + Self.text[2...], Self.scalar, value: 4) == "a name without an end")
        let nested = [[UInt8]](repeating: [0x19, 0, 0, 0, 16, 0, 0, 0], count: 20).flatMap { $0 }
        #expect(words(nested, Self.scalar, value: 16) == "datatypes more than 16 deep")
        #expect(words([4, 0, 0, 0, 0, 0, 0, 0]) == "an attribute of version 4")
        #expect(words([1, 0, 1, 0, 0, 0, 0, 0] + [UInt8](repeating: 97, count: 8)) == "a name without an end")
        #expect(words([]) == "a number of 1 bytes where 0 are left")
        // The parts of version 1 are padded: a name of two bytes takes eight.
        #expect(words([1, 0, 2, 0, 8, 0, 4, 0, 97, 0]) == "a name of 2 bytes where 2 are left")
    }
}
