import Glibc

/// Entries of a folder, and the list in the folder that names the entries that this program wrote.
///
/// A folder that the program wrote has a file `.proscenium` with the paths of all its entries. If a folder has this
/// file and only listed entries, the program wrote the folder and may replace it. Links count as entries and are never
/// followed.
struct FolderListing {
    /// Name of the file with the list.
    static let name = ".proscenium"
    /// Name of the list until it is complete.
    private static let draft = ".proscenium.new"
    private static let heading =
        "Written by proscenium, which replaces this folder as long as it holds these entries alone:"
    /// Greatest number of entries of a folder. A larger folder is neither written nor replaced.
    private static let most = 20_000
    /// Greatest nesting of folders, including the outermost one.
    private static let deepest = 16

    /// Paths relative to the folder; each folder precedes its entries.
    private(set) var entries: [String] = []
    /// Whether the folder exceeds the limits on entries or depth.
    private(set) var isTooLarge = false

    /// Reads a folder; nil if it or a folder in it cannot be read.
    init?(of folder: String) {
        guard walk(folder, "", 0) else { return nil }
    }

    private mutating func walk(_ folder: String, _ prefix: String, _ depth: Int) -> Bool {
        guard depth < Self.deepest else {
            isTooLarge = true
            return true
        }
        guard let names = Self.names(in: folder) else { return false }
        for name in names.sorted() {
            guard entries.count < Self.most else {
                isTooLarge = true
                return true
            }
            entries.append(prefix + name)
            let path = PathText.joined(folder, name)
            if WriteGate.mode(path) == S_IFDIR, !walk(path, prefix + name + "/", depth + 1) { return false }
        }
        return true
    }

    private static func names(in folder: String) -> [String]? {
        guard let stream = opendir(folder) else { return nil }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { field in
                field.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != "..", names.count <= most { names.append(name) }
        }
        return names
    }

    /// Whether the folder has no entries except a list, complete or not.
    var isBare: Bool { entries.allSatisfy { [Self.name, Self.draft].contains($0) } }

    /// Writes the list into its folder. The list's own name is left out. Returns false on failure.
    func write(to folder: String) -> Bool {
        let lines = [Self.heading] + entries.filter { $0 != Self.name }.map(Self.line)
        return Self.put(lines.joined(separator: "\n") + "\n", in: folder)
    }

    /// Marks a folder as one that the program writes, before the folder is filled. Returns false on failure.
    static func begin(in folder: String) -> Bool { put(heading + "\n", in: folder) }

    /// Replaces the list by a text in one step. If the program is interrupted, the former list stays complete.
    private static func put(_ text: String, in folder: String) -> Bool {
        let (draft, path) = (PathText.joined(folder, draft), PathText.joined(folder, name))
        return write(text, to: draft) && rename(draft, path) == 0
    }

    /// Returns the entries in a folder's list, including the list itself; nil if there is no valid list.
    static func written(in folder: String) -> Set<String>? {
        let path = PathText.joined(folder, name)
        guard WriteGate.mode(path) == S_IFREG, let text = read(path) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
        guard lines.first.map(String.init) == heading else { return nil }
        return Set(lines.dropFirst().map { entry(String($0)) }).union([name])
    }

    /// Returns an entry as a line of the list, with `%` and two hexadecimal digits for each control character and each
    /// `%`.
    private static func line(_ entry: String) -> String {
        var line = ""
        for scalar in entry.unicodeScalars {
            if scalar == "%" || scalar.value < 32 {
                let digits = String(scalar.value, radix: 16)
                line += "%" + (digits.count < 2 ? "0" : "") + digits
            } else {
                line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    private static func entry(_ line: String) -> String {
        let parts = line.split(separator: "%", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts.first ?? "")) { entry, part in
            let code = UInt8(part.prefix(2), radix: 16) ?? UInt8(ascii: "%")
            return entry + String(UnicodeScalar(code)) + part.dropFirst(2)
        }
    }

    private static func read(_ path: String) -> String? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var found = stat()
        guard fstat(file, &found) == 0, found.st_size <= 16 << 20 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(found.st_size))
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + count, $0.count - count) }
            guard got > 0 else { break }
            count += got
        }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private static func write(_ text: String, to path: String) -> Bool {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard file >= 0 else { return false }
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            written += count
        }
        // After a power failure an empty list would not show that the program wrote the folder.
        let isSynced = fsync(file) == 0
        return close(file) == 0 && written == bytes.count && isSynced
    }

    /// Removes entries, and then the folder if it is empty; returns false if the folder remains. Links are removed,
    /// their targets are not.
    static func remove(_ entries: some Sequence<String>, of folder: String) -> Bool {
        // The entries of a folder are removed before the folder.
        for entry in entries.sorted(by: >) {
            let path = PathText.joined(folder, entry)
            if WriteGate.mode(path) == S_IFDIR { rmdir(path) } else { unlink(path) }
        }
        return rmdir(folder) == 0
    }
}
