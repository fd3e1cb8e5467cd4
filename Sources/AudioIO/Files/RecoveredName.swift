import Glibc
import Takes

/// Name of a recovered take: `ears-recovered.wav` for `ears.wav`, with the next free number if that file exists.
///
/// A text beside a recording follows the recording's name. `ears.wav.markers.txt` becomes
/// `ears-recovered.wav.markers.txt`, with the number of the recovered recording.
enum RecoveredName {
    /// Makes an empty file under a free name. The caller has to replace the file.
    static func claim(for path: String) throws(TakeError) -> String {
        guard let (recording, rest) = text(path) else { return try TakeName.claim(marked(path, 1)) }
        let isCutOff = access(recording + ".part", F_OK) == 0
        var number = 1
        // The text gets its recording's number. A recording that is not yet recovered will get the first free number; a
        // recovered one has the last number in use.
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

    /// Returns the recording that a text file belongs to, and the rest of the text's name. Returns nil if the name is
    /// not of that form.
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
