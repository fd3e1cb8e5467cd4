import ADM

/// Descriptions of the tracks of an audio definition model, by their objects.
struct TrackWords {
    private let tracks: [DefinedTrack]
    /// Greatest number of entries in a list. Further entries are only counted.
    private static let few = 5

    /// Remedy for a file that needs a renderer for ADM.
    package static let renderFirst =
        "render it with an ADM renderer (for example EBU's ear-render) to a loudspeaker layout first"

    /// Creates descriptions of tracks.
    package init(_ tracks: [DefinedTrack]) { self.tracks = tracks }

    /// Descriptions of the tracks that cannot be played, by kind; empty for beds and sound fields.
    package var strangers: [String] {
        let kinds: [(DefinedTrack.Content, String)] = [
            (.object, "ADM objects, which are not rendered here yet"),
            (.binaural, "binaural sound (ADM), which is for two ears as it is"),
            (.matrix, "matrixed channels (ADM), which are not decoded here"),
        ]
        return kinds.compactMap { kind, words in
            let named = listed { $0.content == kind }
            return named.isEmpty ? nil : "\(words): \(named)"
        }
    }

    /// Remedy for these tracks.
    package var advice: String {
        let isBinaural = tracks.allSatisfy { $0.content == .binaural }
        return isBinaural ? "listen to it as it is, without a renderer" : Self.renderFirst
    }

    /// Returns the names of the selected tracks, as `"Dialogue" (track 11), "Crowd" (tracks 12 and 13)`; empty without
    /// any. After five names it gives the number of the others: `and 12 more`.
    package func listed(_ isMeant: (DefinedTrack) -> Bool) -> String {
        var names: [[String]] = []
        var numbers: [[String]: [Int]] = [:]
        for track in tracks where isMeant(track) {
            // A track without an object is listed by its number.
            let name = track.objects.isEmpty ? ["\(track.number)"] : track.objects
            if numbers[name] == nil { names.append(name) }
            if numbers[name]?.last != track.number { numbers[name, default: []].append(track.number) }
        }
        return Self.few(
            names.map { name in
                let numbers = numbers[name] ?? []
                let isNameless = tracks.contains { $0.number == numbers.first && $0.objects.isEmpty }
                return isNameless ? Self.numbers(numbers) : "\(Self.quoted(name)) (\(Self.numbers(numbers)))"
            })
    }

    /// Returns the name of one track.
    package static func named(_ track: DefinedTrack) -> String {
        track.objects.isEmpty ? "track \(track.number)" : "\(quoted(track.objects)) (track \(track.number))"
    }

    /// Returns the first names, and the count of the others.
    package static func few(_ words: [String]) -> String {
        words.prefix(few).joined(separator: ", ") + (words.count > few ? " and \(words.count - few) more" : "")
    }

    /// Returns `track 11`, `tracks 1 to 10`, `tracks 3 and 5 to 8` for ascending numbers.
    package static func numbers(_ numbers: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        let words = runs.flatMap { run in
            run.count > 2 ? ["\(run.lowerBound) to \(run.upperBound)"] : run.map { "\($0)" }
        }
        guard words.count > 1, words.count <= few, let last = words.last else {
            return (numbers.count == 1 ? "track " : "tracks ") + few(words)
        }
        return "tracks \(words.dropLast().joined(separator: ", ")) and \(last)"
    }

    private static func quoted(_ names: [String]) -> String {
        names.prefix(2).map { "\"\($0)\"" }.joined(separator: " and ") + (names.count > 2 ? " and others" : "")
    }
}

extension DefinedTrack {
    /// Whether the track is a loudspeaker channel.
    var isBed: Bool { if case .loudspeaker = content { true } else { false } }
}
