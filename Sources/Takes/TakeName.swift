import Gate
import Glibc

/// Names for takes that do not collide with other files.
package enum TakeName {
    /// Returns a numbered name. `ears.wav` and 2 give `ears-2.wav`.
    package static func numbered(_ path: String, _ number: Int) -> String { marked(path, "-\(number)") }

    /// Returns a marked name. `ears.wav` and `-x` give `ears-x.wav`.
    package static func marked(_ path: String, _ mark: String) -> String {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let name = path[slash...]
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return path + mark }
        return path[..<dot] + mark + path[dot...]
    }

    /// A number at the end of a name is the number of the take if it is in this range; a greater one is part of the
    /// name. `next` tries no number above 1 000 000 000.
    package static let numbers = 0...999_990_000
    /// Difference of the greatest and the first number that `next` tries.
    private static let reach = 9999

    /// Returns the number of a take, for example 2 for `ears-2.wav`, 1 for `ears.wav`.
    package static func number(of path: String) -> Int { mark(of: path)?.number ?? 1 }

    /// Returns the number in a name, and the name without it; nil if the name has no number within `numbers`.
    private static func mark(of path: String) -> (number: Int, first: String)? {
        guard let mark = path.firstMatch(of: #/-([0-9]+)(\.[^./]*)?$/#),
            let number = Int(mark.output.1, within: numbers)
        else { return nil }
        return (number, String(path[..<mark.range.lowerBound] + (mark.output.2 ?? "")))
    }

    /// Returns whether there is neither a file of this name nor its `.part`, which is a recording that is not complete.
    package static func isFree(_ path: String) -> Bool {
        access(path, F_OK) != 0 && access(path + ".part", F_OK) != 0
    }

    /// Returns the next free name for a take that continues another one, for example `ears-2.wav` after `ears.wav`, and
    /// `ears-3.wav` after `ears-2.wav`. By default, a name is free if neither a file nor a `.part` has it. Returns nil
    /// if none of 10 000 names is free.
    package static func next(after path: String, isFree: (String) -> Bool = isFree) -> String? {
        let (number, first) = mark(of: path) ?? (1, path)
        return (number + 1...number + 1 + reach).lazy.map { numbered(first, $0) }.first(where: isFree)
    }

    /// Reason why a recording ends if `next` finds no name.
    package static let exhaustion = "none of the next \(reach + 1) names is free"

    /// Reserves the path or its next free number with an empty file, which the caller replaces. Returns the reserved
    /// name. Throws `exists` if no name up to number 9999 is free, and `system` for any other error.
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
