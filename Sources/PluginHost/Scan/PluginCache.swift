import Foundation
import Signal

/// What was found out of bundles, kept between runs: a file for each in `plugins` in `CacheFolder`. It is
/// believed as long as the bundle's files and the program that described it are the same. Any thread, any number of
/// programs: files appear whole.
package struct PluginCache: Sendable {
    /// What the cache knows of a bundle.
    enum Answer {
        /// `presets`: what other bundles' presets of its plugins were, see `PresetStamps`.
        case known(BundleRecord, presets: String)
        /// Nothing, or of other files.
        case unknown
        /// The file at this path cannot be understood.
        case broken(path: String)
    }

    /// Where the files are.
    package let folder: String

    /// A cache in a folder, which need not exist yet; nil: the user's own.
    package init(folder: String? = nil) {
        self.folder = folder ?? CacheFolder.path + "/plugins"
    }

    /// What is known of a bundle; `stamp` is what its files and the program are now.
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

    /// Keeps what was found out of a bundle.
    func write(_ record: BundleRecord, stamp: String, presets: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let lines = [Data("stamp \(stamp)".utf8), Data("presets \(presets)".utf8)] + record.allLines
        try Data(lines.joined(separator: [10])).write(
            to: URL(fileURLWithPath: path(of: record.head.bundle)), options: .atomic)
    }

    /// The lines of a file, empty ones left out. Takes no more than a pass over the bytes.
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
