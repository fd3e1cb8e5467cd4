import Glibc

/// Hash of names, sizes and modification times of files, which shows whether they have changed.
package enum BundleStamp {
    /// Returns the stamp of all Turtle files and binaries in a bundle, to a depth of three folders; nil if the bundle
    /// cannot be read.
    package static func of(bundle: String) -> String? {
        var names: [String] = []
        guard collect(bundle, depth: 3, into: &names) else { return nil }
        var hash = Hash()
        for name in names.sorted() { hash.add(name, of: name) }
        return hash.text
    }

    /// Returns the stamp of one file, from its size and time only; empty if the file is missing.
    package static func of(file: String) -> String {
        var hash = Hash()
        return hash.add("", of: file) ? hash.text : ""
    }

    /// Returns a short name for a path. The same path always gives the same name.
    static func name(of path: String) -> String {
        var hash = Hash()
        hash.add(path.utf8)
        return hash.text
    }

    private static func collect(_ folder: String, depth: Int, into names: inout [String]) -> Bool {
        guard let stream = opendir(folder) else { return false }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".ttl") || name.hasSuffix(".so") {
                names.append(folder + "/" + name)
            } else if Int(entry.pointee.d_type) == DT_DIR, name != ".", name != "..", depth > 1 {
                _ = collect(folder + "/" + name, depth: depth - 1, into: &names)
            }
        }
        return true
    }

    /// FNV-1a hash of 64 bits (Fowler, Noll & Vo).
    private struct Hash {
        private var value: UInt64 = 0xcbf2_9ce4_8422_2325

        var text: String { String(value, radix: 16) }

        mutating func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
        }

        /// Adds a name, and the size and time of the file at a path, following links. Returns false if the file is
        /// missing.
        @discardableResult mutating func add(_ name: String, of path: String) -> Bool {
            add(name.utf8)
            var status = stat()
            guard stat(path, &status) == 0 else { return false }
            for number in [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec] {
                withUnsafeBytes(of: number) { add($0) }
            }
            return true
        }
    }
}
