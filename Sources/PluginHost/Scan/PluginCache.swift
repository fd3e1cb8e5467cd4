import Foundation
import Gate
import Signal

/// Cache of bundle records between runs, with one file for each bundle in the folder `plugins` of `CacheFolder`. A
/// record is valid as long as the bundle's files and the program that described it are unchanged. Any thread, and
/// several programs at the same time, may use the cache, because files are replaced atomically.
package struct PluginCache: Sendable {
    /// Content of the cache for a bundle.
    enum Answer {
        /// Valid record. `presets`: hash that shows whether other bundles' presets for the bundle's plugins have
        /// changed, see `PresetStamps`.
        case known(BundleRecord, presets: String)
        /// There is no record, or it belongs to another version of the files or of the program.
        case unknown
        /// The file at this path cannot be decoded.
        case broken(path: String)
    }

    /// Folder of the files.
    package let folder: String

    /// Creates a cache in a folder, which need not exist yet; nil uses the user's cache folder.
    package init(folder: String? = nil) {
        self.folder = folder ?? CacheFolder.path + "/plugins"
    }

    /// Returns the record of a bundle. `stamp`: present stamp of its files and of the program.
    func read(_ bundle: String, stamp: String) -> Answer {
        let path = path(of: bundle)
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe) else {
            return .unknown
        }
        let lines = Self.lines(of: bytes)
        guard let first = lines.first, first.starts(with: Array("stamp ".utf8)) else { return .broken(path: path) }
        guard String(decoding: first.dropFirst(6), as: UTF8.self) == stamp else { return .unknown }
        guard lines.count > 2, lines[1].starts(with: Array("presets ".utf8)),
            let head = BundleRecord.head(lines[2]), head.bundle == bundle,
            let record = BundleRecord(head, lines.dropFirst(3))
        else { return .broken(path: path) }
        return .known(record, presets: String(decoding: lines[1].dropFirst(8), as: UTF8.self))
    }

    /// Stores the record of a bundle.
    func write(_ record: BundleRecord, stamp: String, presets: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let lines = [Data("stamp \(stamp)".utf8), Data("presets \(presets)".utf8)] + record.allLines
        try Data(lines.joined(separator: [10])).write(
            to: URL(fileURLWithPath: path(of: record.head.bundle)), options: .atomic)
    }

    /// Returns the non-empty lines of a file in one pass over its bytes.
    private static func lines(of bytes: Data) -> [Data] {
        let ends = bytes.withUnsafeBytes { all in
            var (ends, place) = ([Int](), 0)
            while let base = all.baseAddress, place < all.count,
                let found = memchr(base + place, 10, all.count - place)
            {
                place = UnsafeRawPointer(found) - base + 1
                ends.append(place - 1)
            }
            return ends + [all.count]
        }
        return zip([-1] + ends, ends).filter { $1 > $0 + 1 }.map { bytes[($0 + 1)..<$1] }
    }

    private func path(of bundle: String) -> String {
        "\(folder)/\((bundle as NSString).lastPathComponent)-\(BundleStamp.name(of: bundle)).json"
    }
}
