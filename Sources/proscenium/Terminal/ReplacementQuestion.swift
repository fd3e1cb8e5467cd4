import Foundation
import Session
import Takes

/// Asks whether files may be replaced.
struct ReplacementQuestion {
    /// Where the answer is read.
    var keyboard: Int32 = STDIN_FILENO
    /// Shows the question.
    var show: (String) -> Void = { LineOutput.standardError.write($0) }
    /// Names that a question tells one by one.
    private static let few = 3

    /// Asks for those outputs that are files already; where there is nobody to ask, or the answer is no, that is an
    /// error.
    func settle(_ outputs: [String]) throws(SessionError) -> Replacement {
        let former = Replacement.nothing.obstacles(among: outputs)
        guard let first = former.first else { return .nothing }
        guard Terminal.isOurs(keyboard) else { throw SessionError(TakeError.exists(path: first)) }
        let names = former.prefix(Self.few).joined(separator: ", ")
        let more = former.count > Self.few ? " and \(former.count - Self.few) more" : ""
        show(
            former.count == 1
                ? "\(names) is there already. Replace it? [y/N] "
                : "\(names)\(more) are there already. Replace them? [y/N] ")
        guard ["y", "yes"].contains(answer().lowercased()) else {
            throw SessionError(.usage, "\(names)\(more): left as \(former.count == 1 ? "it is" : "they are")")
        }
        return Replacement(former)
    }

    /// The next line of the keyboard, without what follows it; empty at its end.
    private func answer() -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < 256 {
            let count = read(keyboard, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { break }
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self).trimmingCharacters(in: .whitespaces)
    }
}
