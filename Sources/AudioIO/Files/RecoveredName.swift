import Glibc
import Takes

/// What a take that was cut off is called when it is recovered: `ears-recovered.wav` of `ears.wav`, by the next free
/// number where there is such a file.
///
/// A text beside a recording keeps its place beside it: `ears.wav.markers.txt` becomes
/// `ears-recovered.wav.markers.txt`, with the number that the recording has got, or will get.
enum RecoveredName {
    /// Takes a name that no file has, by an empty file that the caller replaces.
    static func claim(for path: String) throws(TakeError) -> String {
        guard let (recording, rest) = text(path) else { return try TakeName.claim(marked(path, 1)) }
        let isCutOff = access(recording + ".part", F_OK) == 0
        var number = 1
        // Its recording comes up under the first free name, or has come up under the last that is there.
        while number < 10_000, access(marked(recording, number + (isCutOff ? 0 : 1)), F_OK) == 0 { number += 1 }
        while number < 10_000 {
            let name = marked(recording, number) + rest
            let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 {
                close(descriptor)
                return name
            }
            guard errno == EEXIST else { throw .system(path: path, code: errno) }
            number += 1
        }
        throw .exists(path: path)
    }

    private static func marked(_ path: String, _ number: Int) -> String {
        let name = TakeName.marked(path, "-recovered")
        return number == 1 ? name : TakeName.numbered(name, number)
    }

    /// The recording that a text is beside, and what the text's name has more; nil where it is none.
    private static func text(_ path: String) -> (recording: String, rest: String)? {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        for dot in path.indices.reversed() where path[dot] == "." && dot > start {
            let name = path[..<dot]
            if name[start...].contains("."), SoundFileFormat(path: String(name)) != nil {
                return (String(name), String(path[dot...]))
            }
        }
        return nil
    }
}
