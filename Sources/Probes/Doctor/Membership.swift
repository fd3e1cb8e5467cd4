import Foundation

/// Groups of the user, and the limits that files give a group.
enum Membership {
    /// Names of the user's groups according to the system's list.
    static var listed: Set<String> {
        guard let entry = getpwuid(geteuid()) else { return [] }
        var count = Int32(256)
        var numbers = [gid_t](repeating: 0, count: Int(count))
        getgrouplist(entry.pointee.pw_name, entry.pointee.pw_gid, &numbers, &count)
        return Set(numbers.prefix(Int(max(0, count))).compactMap(name))
    }

    /// Returns the name of a group; nil if it has none.
    static func name(of number: gid_t) -> String? { getgrgid(number).map { String(cString: $0.pointee.gr_name) } }

    /// Whether `limits.conf` or a file in `limits.d` gives a group real-time priority. `root`: folder of both,
    /// `/etc/security` except in tests.
    static func hasRealTimeLimits(group: String, root: String = "/etc/security") -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/limits.d")) ?? []
        let files = names.filter { $0.hasSuffix(".conf") }.map { "\(root)/limits.d/\($0)" } + [root + "/limits.conf"]
        return files.contains { file in
            let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
            return text.split(separator: "\n").contains { line in
                let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
                return words.count == 4 && words[0] == "@" + group && words[2] == "rtprio" && (Int(words[3]) ?? 0) > 0
            }
        }
    }
}
