import CHDF5
import Foundation
import Testing

@testable import SOFA

/// Attributes whose sizes are damaged are refused before the library reads what is not theirs.
@Suite struct ObjectHeaderTests {
    /// The sizes within an attribute message: what each is the size of, and where its high byte stands.
    static let sizes = [("name", 3), ("datatype", 5), ("dataspace", 7)]

    /// How a file may be laid out: headers of version 1 or 2 (attributes of version 1 or 3), a user block before it
    /// all.
    static let layouts = [(false, 0), (true, 0), (false, 512), (true, 2048)]

    /// Sets a byte of the attribute message before whose value `value` its name `name` stands.
    private func damage(_ path: String, _ name: String, before value: String, at place: Int) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let end = try #require(bytes.range(of: Data(value.utf8)))
        let start = try #require(
            bytes.range(of: Data((name + "\0").utf8), options: .backwards, in: 0..<end.lowerBound)?.lowerBound)
        // Version 3 says the name's encoding between the sizes and the name.
        let head = start - (bytes[start - 8] == 1 ? 8 : 9)
        try #require(bytes[head] == 1 || bytes[head] == 3)
        bytes[head + place] = 0xCA
        // Into the file as it is: it may be open.
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
        // As older writers leave it: a header of version 1, which has no checksum.
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

    /// Headers of version 2 carry checksums, which the library looks at when it opens the file: the damage comes after.
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

    /// The name "a", padded as version 1 does where asked.
    private static func name(isPadded: Bool) -> [UInt8] { [97, 0] + [UInt8](repeating: 0, count: isPadded ? 6 : 0) }
    /// A text of four bytes.
    private static let text: [UInt8] = [0x13, 0, 0, 0, 4, 0, 0, 0]
    /// One value, and as many as `count` says.
    private static let scalar: [UInt8] = [2, 0, 0, 0]
    private static func row(_ count: UInt8) -> [UInt8] { [2, 1, 0, 1, count, 0, 0, 0, 0, 0, 0, 0] }

    /// What the check says of a message of version 2.
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
        // No values at all.
        #expect(words(Self.text, [2, 0, 0, 2], value: 0) == nil)
        // A reference to a datatype elsewhere.
        #expect(words([3, 2] + [UInt8](repeating: 0, count: 8), Self.scalar, value: 0, flags: 1) == nil)
        // Of variable length; an array of two; an enumeration of "a" and "b"; a compound of "a".
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
        // An opaque datatype whose tag is not there; a compound without members' names.
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
