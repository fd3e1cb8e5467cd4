import Glibc

/// Libraries and symbols that a shared library needs, read from its file (ELF) without loading it.
struct SharedLibraryNeeds {
    /// Names of the libraries that it is linked with.
    private(set) var libraries: [String] = []
    /// Names of the symbols of other libraries to which its relocations refer. Weak symbols, symbols with a version,
    /// and variables of threads are left out.
    private(set) var symbols: [String] = []

    /// A section of the file: its type, place, size, and the section to which it refers.
    private struct Section {
        let type: UInt32
        let offset: UInt64
        let size: UInt64
        let link: Int
    }

    /// Types of sections. `end` and `needed` are tags in the section for dynamic linking.
    private static let (relocations, linking, symbolTable): (UInt32, UInt32, UInt32) = (4, 6, 11)
    /// Type of the section with the versions of symbols.
    private static let versioning: UInt32 = 0x6fff_ffff
    private static let (end, needed): (UInt64, UInt64) = (0, 1)
    /// Longest section that is read, bytes.
    private static let most: UInt64 = 64 << 20

    /// Reads a file. Returns nil unless it is a 64-bit ELF file with readable tables, and both it and this machine are
    /// little-endian.
    init?(contentsOf path: String) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // The mark of ELF, 64 bits, least significant byte first.
        guard let head = Self.read(file, at: 0, count: 64), head.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]),
            UInt16(1).littleEndian == 1
        else { return nil }
        let (offset, size, count) = (
            Self.number(head, 40) as UInt64, Self.number(head, 58) as UInt16, Self.number(head, 60) as UInt16
        )
        guard size == 64, let table = Self.read(file, at: offset, count: 64 * UInt64(count)) else { return nil }
        let sections = (0..<Int(count)).map { index in
            Section(
                type: Self.number(table, 64 * index + 4), offset: Self.number(table, 64 * index + 24),
                size: Self.number(table, 64 * index + 32), link: Int(Self.number(table, 64 * index + 40) as UInt32))
        }
        func content(_ index: Int?) -> [UInt8]? {
            guard let index, sections.indices.contains(index) else { return nil }
            return Self.read(file, at: sections[index].offset, count: sections[index].size)
        }
        guard let linking = sections.firstIndex(where: { $0.type == Self.linking }),
            let entries = content(linking), let names = content(sections[linking].link),
            let place = sections.firstIndex(where: { $0.type == Self.symbolTable }),
            let all = content(place), let symbolNames = content(sections[place].link)
        else { return nil }
        for at in stride(from: 0, through: entries.count - 16, by: 16) {
            let (tag, value) = (Self.number(entries, at) as UInt64, Self.number(entries, at + 8) as UInt64)
            if tag == Self.end { break }
            guard tag == Self.needed else { continue }
            guard let name = Self.text(names, at: value) else { return nil }
            libraries.append(name)
        }
        let versions = content(sections.firstIndex { $0.type == Self.versioning })
        var used: Set<Int> = []
        for index in sections.indices where sections[index].type == Self.relocations && sections[index].link == place {
            guard let rows = content(index) else { return nil }
            for at in stride(from: 0, through: rows.count - 24, by: 24) {
                used.insert(Int((Self.number(rows, at + 8) as UInt64) >> 32))
            }
        }
        for index in used.sorted() {
            let at = 24 * index
            guard at + 24 <= all.count else { return nil }
            let (kind, section) = (all[at + 4], Self.number(all, at + 6) as UInt16)
            // Only global symbols that the file does not define are kept, except variables of threads.
            guard kind >> 4 == 1, section == 0, kind & 15 != 6 else { continue }
            // A symbol with a version is left out. A library had it when this file was linked, but `dlsym` does not
            // find versions that a library keeps for older files only.
            if let versions, 2 * index + 2 <= versions.count,
                (Self.number(versions, 2 * index) as UInt16) & 0x7fff > 1
            {
                continue
            }
            guard let name = Self.text(symbolNames, at: UInt64(Self.number(all, at) as UInt32)) else { return nil }
            symbols.append(name)
        }
    }

    /// Symbols that no loaded library provides. Empty if one of the needed libraries is not loaded yet, because loading
    /// it here would run its code.
    var missing: [String] {
        var handles: [UnsafeMutableRawPointer] = []
        defer { for handle in handles { dlclose(handle) } }
        for library in libraries {
            guard let handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD) else { return [] }
            handles.append(handle)
        }
        return symbols.filter { name in
            // Without a handle the program itself and its libraries are searched.
            dlsym(nil, name) == nil && !handles.contains { dlsym($0, name) != nil }
        }
    }

    /// Returns bytes of the file; nil if they exceed `most` or cannot all be read.
    private static func read(_ file: Int32, at offset: UInt64, count: UInt64) -> [UInt8]? {
        guard count <= most, offset <= UInt64(Int64.max) - count else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        var done = 0
        while done < bytes.count {
            let got = bytes.withUnsafeMutableBytes {
                pread(file, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(offset) + off_t(done))
            }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }

    /// Returns the number at an offset. All its bytes must be within `bytes`.
    private static func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ bytes: [UInt8], _ place: Int
    ) -> Number {
        bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: Number.self) }
    }

    /// Returns the text that begins at an offset in a table; nil if it does not end in the table.
    private static func text(_ bytes: [UInt8], at place: UInt64) -> String? {
        guard place < UInt64(bytes.count) else { return nil }
        let rest = bytes[Int(place)...]
        guard let end = rest.firstIndex(of: 0) else { return nil }
        return String(decoding: rest[..<end], as: UTF8.self)
    }
}
