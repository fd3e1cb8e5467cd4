/// Search for cycles in the references between elements.
enum ReferenceCircle {
    /// Returns the identifiers of a cycle, with the first one repeated at the end; nil if there is no cycle. Follows
    /// each reference at most once.
    static func find(_ references: [String: [String]]) -> [String]? {
        enum Mark { case open, done }
        var marks: [String: Mark] = [:]
        for start in references.keys.sorted() where marks[start] == nil {
            // No recursion is used, because a chain of references may be as long as the file.
            var way: [(id: String, next: Int)] = [(start, 0)]
            marks[start] = .open
            while let (id, next) = way.last {
                guard let target = references[id].flatMap({ $0.indices.contains(next) ? $0[next] : nil }) else {
                    marks[id] = .done
                    way.removeLast()
                    continue
                }
                way[way.count - 1].next += 1
                switch marks[target] {
                case .done: break
                case .open:
                    let first = way.firstIndex { $0.id == target } ?? 0
                    return way[first...].map(\.id) + [target]
                case nil:
                    marks[target] = .open
                    way.append((target, 0))
                }
            }
        }
        return nil
    }
}
