import Foundation
import Headphones

/// The sound files that an equaliser's text names (`Convolution:`), and where they are.
enum EqualiserResponses {
    /// What a text names, each once, in order; nothing where it is none.
    static func named(in path: String) -> [String] {
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= EqualiserText.mostBytes,
            let text = HeadphoneLoading.text(of: bytes), let read = try? EqualiserText(text, name: path)
        else { return [] }
        var seen: Set<String> = []
        return read.responses.map(\.path).filter { seen.insert($0).inserted }
    }

    /// Where a named file lies: where the text says, seen from its own folder; else where sessions keep it.
    static func place(of named: String, in path: String) -> String {
        let folder = (URL(fileURLWithPath: path).resolvingSymlinksInPath().path as NSString).deletingLastPathComponent
        let plain = named.replacing("\\", with: "/")
        let said = plain.hasPrefix("/") ? plain : folder + "/" + plain
        let kept = self.folder(of: path) + "/" + keptName(named)
        let isKept = !FileManager.default.fileExists(atPath: said) && FileManager.default.fileExists(atPath: kept)
        return isKept ? kept : said
    }

    /// The folder in which sessions keep what a text names: beside the text, or the link to it.
    static func folder(of path: String) -> String { path + ".responses" }

    /// What a named file is called there: its path, with what parts it written as in addresses, so that no two are alike.
    static func keptName(_ named: String) -> String {
        let plain = named.replacing("\\", with: "/").replacing("%", with: "%25").replacing("/", with: "%2F")
        return String(plain.suffix(200))
    }
}
