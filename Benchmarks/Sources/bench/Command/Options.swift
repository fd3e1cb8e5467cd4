/// The words of the command line.
struct Options {
    var isQuick = false
    var oursOnly = false
    var isList = false
    /// No cell at all: what the machine is, for groups that are measured by other programs.
    var isNone = false
    /// Only cells whose id begins with one of these; empty: all.
    var only: [String] = []
    var revision = "unknown"
    var output: String?
    /// Where FFTW's plans are kept between runs.
    var wisdom: String?
    /// VQF's library, if it was built.
    var vqf: String?
    /// A folder for the results that were compared, `ID-CONTENDER.f32`.
    var results: String?
    /// Turns per contender.
    var rounds = 12
    /// Turn by turn with another process, instead of alone.
    var lockstep: Lockstep?
    /// Percent by which our steps are made longer.
    var planted = 0.0

    static let usage = """
        usage: bench [--list] [--quick] [--ours] [--only ID-PREFIX]... [--none] [--rounds N] [--output FILE]
                     [--revision NAME] [--wisdom FILE] [--vqf LIBRARY] [--results FOLDER] [--lockstep TURNS] [--plant PERCENT]

        --quick     the short suite          --ours   no peers
        --only      cells whose id begins so, such as moving/n16 or rooms
        --none      no cell: what is said of the machine alone
        --lockstep  ours only, one turn per line on standard input: for report/lockstep.py
        --plant     makes each step of ours longer by that much: a regression to prove a comparison with

        """

    init(_ words: [String]) throws {
        var words = words[...]
        func value(_ option: String) throws -> String {
            guard let word = words.popFirst() else { throw Refusal("\(option) wants a value\n\(Options.usage)") }
            return word
        }
        func number(_ option: String) throws -> Double {
            let word = try value(option)
            guard let number = Double(word), number >= 0 else {
                throw Refusal("\(option) wants a number ≥ 0, not '\(word)'")
            }
            return number
        }
        while let word = words.popFirst() {
            switch word {
            case "--list": isList = true
            case "--none": isNone = true
            case "--quick": isQuick = true
            case "--ours": oursOnly = true
            case "--only": only.append(try value(word))
            case "--revision": revision = try value(word)
            case "--output": output = try value(word)
            case "--wisdom": wisdom = try value(word)
            case "--results": results = try value(word)
            case "--vqf": vqf = try value(word)
            case "--rounds": rounds = max(3, Int(try number(word)))
            case "--lockstep": lockstep = Lockstep(turns: max(4, Int(try number(word))))
            case "--plant": planted = try number(word)
            default: throw Refusal("unknown option \(word)\n\(Options.usage)")
            }
        }
    }

    /// Whether a cell is asked for.
    func wants(_ plan: CellPlan) -> Bool {
        !isNone && (!isQuick || plan.isQuick) && (only.isEmpty || only.contains { plan.id.hasPrefix($0) })
    }
}

/// What cannot be done, in plain words.
struct Refusal: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
