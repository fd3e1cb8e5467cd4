import Foundation
import Gate

extension ListeningSheet: Codable {
    private enum Name: String, CodingKey { case format, plan, sources, programme, rounds, key }

    /// A round in the file. It has the names of its sets; in a sheet to fill in it has the names of its sound files
    /// instead.
    private struct Written: Codable {
        var round: Int
        var question: ListeningQuestion
        var ask: String?
        var answer: String?
        var kind: ListeningRound.Kind?
        var first: String?
        var second: String?
        var preferred: String?
        var seconds: Double?
        var time: String?
        var files: [String]?

        /// Encodes a missing answer as an empty string, to be filled in.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(round, forKey: .round)
            try container.encode(question, forKey: .question)
            try container.encodeIfPresent(ask, forKey: .ask)
            try container.encode(answer ?? "", forKey: .answer)
            try container.encodeIfPresent(kind, forKey: .kind)
            try container.encodeIfPresent(first, forKey: .first)
            try container.encodeIfPresent(second, forKey: .second)
            try container.encodeIfPresent(preferred, forKey: .preferred)
            try container.encodeIfPresent(seconds, forKey: .seconds)
            try container.encodeIfPresent(time, forKey: .time)
            try container.encodeIfPresent(files, forKey: .files)
        }
    }

    /// Purpose and sets of a round, hidden in a sheet to fill in.
    private struct Secret: Codable {
        var kind: ListeningRound.Kind
        var first: Int
        var second: Int
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Name.self)
        func fault(_ words: String) -> DecodingError {
            .dataCorrupted(.init(codingPath: [], debugDescription: words))
        }
        guard try container.decode(String.self, forKey: .format) == Self.format else {
            throw fault("it is of another kind or of a later version")
        }
        plan = try container.decode(ListeningPlan.self, forKey: .plan)
        sources = try container.decodeIfPresent([Source].self, forKey: .sources) ?? []
        programme = try container.decodeIfPresent(Programme.self, forKey: .programme) ?? Programme()
        let written = try container.decode([Written].self, forKey: .rounds)
        let key = try container.decodeIfPresent(String.self, forKey: .key)
        var secrets: [Secret]?
        if let key {
            guard let bytes = Data(base64Encoded: key),
                let read = try? JSONValue.decode([Secret].self, from: bytes, within: ListeningSheet.bounds),
                read.count == written.count
            else { throw fault("its key does not fit its rounds") }
            secrets = read
        }
        let names = plan.sets
        rounds = try written.enumerated().map { index, it in
            let secret = secrets?[index]
            let first = secret?.first ?? it.first.flatMap(names.firstIndex) ?? -1
            let second = secret?.second ?? it.second.flatMap(names.firstIndex) ?? -1
            let places = names.indices
            guard places.contains(first), places.contains(second), it.round == index + 1 else {
                throw fault("round \(index + 1) does not say which of its sets were compared")
            }
            let kind = secret?.kind ?? it.kind ?? .pair
            guard (kind == .same) == (first == second) else { throw fault("round \(it.round) contradicts itself") }
            let said = (it.answer ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
            let answer = ListeningAnswer(written: said)
            guard said.isEmpty || answer != nil else {
                throw fault("round \(it.round): the answer is 1, 2, u (unsure) or nothing, not '\(said)'")
            }
            var round = ListeningRound(
                number: it.round, kind: kind, first: first, second: second, question: it.question, answer: answer)
            (round.seconds, round.time) = (it.seconds, it.time)
            return round
        }
        files = key == nil ? nil : written.map { $0.files ?? [] }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        try container.encode(Self.format, forKey: .format)
        try container.encode(plan, forKey: .plan)
        try container.encode(sources, forKey: .sources)
        try container.encode(programme, forKey: .programme)
        let written = rounds.enumerated().map { index, round in
            var it = Written(round: round.number, question: round.question, answer: round.answer?.rawValue)
            (it.seconds, it.time) = (round.seconds, round.time)
            if let files {
                (it.files, it.ask) = (files[index], round.question.words)
            } else {
                (it.kind, it.first, it.second) = (round.kind, plan.sets[round.first], plan.sets[round.second])
                it.preferred = round.kind == .same ? nil : round.preferred.map { plan.sets[$0] }
            }
            return it
        }
        try container.encode(written, forKey: .rounds)
        if isToFillIn {
            let secrets = rounds.map { Secret(kind: $0.kind, first: $0.first, second: $0.second) }
            try container.encode(JSONEncoder().encode(secrets).base64EncodedString(), forKey: .key)
        }
    }
}
