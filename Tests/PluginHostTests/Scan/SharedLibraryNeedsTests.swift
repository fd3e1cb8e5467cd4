import Foundation
import SoundFixtures
import Testing

@testable import PluginHost

/// Symbols that a shared library needs, as its file tells them.
@Suite struct SharedLibraryNeedsTests {
    /// Symbols of other libraries, and their versions: 0 and 1 are no version, 0x8000 hides one from later links.
    private static let symbols: [(name: String, version: UInt16)] = [
        ("proscenium_planted_nowhere", 1), ("proscenium_planted_versioned", 2), ("proscenium_planted_hidden", 0x8003),
        ("proscenium_planted_local", 0), ("malloc", 1),
    ]

    /// A section of a file: its type, the section that it refers to, and its content.
    private struct Section {
        let type: UInt32, link: UInt32
        let content: [UInt8]
    }

    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    /// Returns a shared library (ELF, 64 bits) that is linked with the C library and refers to the symbols.
    ///
    /// - Parameter count: number of bytes of the table of versions; nil: there is no such table.
    private static func library(versions count: Int?) -> Data {
        var names: [UInt8] = [0]
        func place(of name: String) -> Int {
            defer { names += Array(name.utf8) + [0] }
            return names.count
        }
        // The first symbol of a table is none.
        var table = [UInt8](repeating: 0, count: 24)
        var (relocations, versions): ([UInt8], [UInt8]) = ([], bytes(UInt16(0)))
        for (index, symbol) in symbols.enumerated() {
            table += bytes(UInt32(place(of: symbol.name)))
            // A global function that is in no section of this file.
            table += [0x12, 0, 0, 0]
            table += [UInt8](repeating: 0, count: 16)
            relocations += bytes(UInt64(8 * index))
            relocations += bytes(UInt64(index + 1) << 32 | 7)
            relocations += bytes(UInt64(0))
            versions += bytes(symbol.version)
        }
        var linking = bytes(UInt64(1)) + bytes(UInt64(place(of: "libc.so.6")))
        linking += [UInt8](repeating: 0, count: 16)
        var sections = [
            Section(type: 0, link: 0, content: []), Section(type: 3, link: 0, content: names),
            Section(type: 11, link: 1, content: table), Section(type: 6, link: 1, content: linking),
            Section(type: 4, link: 2, content: relocations),
        ]
        if let count {
            sections.append(Section(type: 0x6fff_ffff, link: 2, content: Array(versions.prefix(count))))
        }
        return file(sections)
    }

    /// Returns the file of sections: its header, their contents, and their table.
    private static func file(_ sections: [Section]) -> Data {
        var (contents, headers): ([UInt8], [UInt8]) = ([], [])
        for section in sections {
            headers += bytes(UInt32(0))
            headers += bytes(section.type)
            headers += [UInt8](repeating: 0, count: 16)
            headers += bytes(UInt64(64 + contents.count))
            headers += bytes(UInt64(section.content.count))
            headers += bytes(section.link)
            headers += [UInt8](repeating: 0, count: 20)
            contents += section.content
        }
        var head: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]
        head += [UInt8](repeating: 0, count: 33)
        head += bytes(UInt64(64 + contents.count))
        head += [UInt8](repeating: 0, count: 10)
        head += bytes(UInt16(64))
        head += bytes(UInt16(sections.count))
        head += bytes(UInt16(0))
        return Data(head + contents + headers)
    }

    private static func needs(versions count: Int?) throws -> SharedLibraryNeeds {
        let scratch = try Scratch()
        try library(versions: count).write(to: URL(fileURLWithPath: scratch("planted.so")))
        return try #require(SharedLibraryNeeds(contentsOf: scratch("planted.so")))
    }

    @Test func `A symbol with a version is not missing`() throws {
        let needs = try Self.needs(versions: 12)
        #expect(needs.libraries == ["libc.so.6"])
        #expect(needs.symbols == ["proscenium_planted_nowhere", "proscenium_planted_local", "malloc"])
        #expect(needs.missing == ["proscenium_planted_nowhere", "proscenium_planted_local"])
    }

    /// Four bytes have the version of the first symbol alone.
    @Test(arguments: [nil, 0, 4, 5] as [Int?])
    func `A symbol that the table of versions leaves out has none`(count: Int?) throws {
        let needs = try Self.needs(versions: count)
        #expect(needs.symbols == Self.symbols.map(\.name))
        #expect(needs.missing == Array(needs.symbols.dropLast()))
    }
}
