import Gate
import Glibc

/// Names of takes beside others of the same name.
package enum TakeName {
    /// `ears.wav` and 2 make `ears-2.wav`.
    package static func numbered(_ path: String, _ number: Int) -> String { marked(path, "-\(number)") }

    /// `ears.wav` and `-x` make `ears-x.wav`.
    package static func marked(_ path: String, _ mark: String) -> String {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let name = path[slash...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return path + mark }
        return path[..<dot] + mark + path[dot...]
    }

    /// Numbers of takes: what is greater is part of a name. With the places that are looked at beyond it, nine digits
    /// at most.
    package static let numbers = 0...999_990_000
    /// How many names after a take's own are looked at.
    private static let reach = 9999

    /// Which of several takes of a name it is: 2 of `ears-2.wav`, 1 of `ears.wav`.
    package static func number(of path: String) -> Int { mark(of: path)?.number ?? 1 }

    /// The number of a name, and the name without it; nil where it has none.
    private static func mark(of path: String) -> (number: Int, first: String)? {
        guard let mark = path.firstMatch(of: #/-([0-9]+)(\.[^./]*)?$/#),
            let number = Int(mark.output.1, within: numbers)
        else { return nil }
        return (number, String(path[..<mark.range.lowerBound] + (mark.output.2 ?? "")))
    }

    /// Whether no file has a name, and no take that grows or was cut off.
    package static func isFree(_ path: String) -> Bool {
        access(path, F_OK) != 0 && access(path + ".part", F_OK) != 0
    }

    /// The name of a take that goes on where another ended, and that is free (no file and no `.part` has it, unless
    /// said otherwise): `ears-2.wav` after `ears.wav`, `ears-3.wav` after that.
    package static func next(after path: String, isFree: (String) -> Bool = isFree) -> String {
        let (number, first) = mark(of: path) ?? (1, path)
        return (number + 1...number + 1 + reach).lazy.map { numbered(first, $0) }.first(where: isFree) ?? path
    }

    /// Takes a name that no file has, at the path or by the next free number, by an empty file that the caller
    /// replaces.
    package static func claim(_ path: String) throws(TakeError) -> String {
        var name = path
        for number in 2...10_000 {
            let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 {
                close(descriptor)
                return name
            }
            guard errno == EEXIST else { throw .system(path: path, code: errno) }
            name = numbered(path, number)
        }
        throw .exists(path: path)
    }
}
