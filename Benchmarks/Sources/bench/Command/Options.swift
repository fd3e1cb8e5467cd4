/// The options of the command line.
struct Options {
    var isQuick = false
    var oursOnly = false
    var isList = false
    /// Whether no cell is measured: the report then describes the machine alone, for groups of other programs.
    var isNone = false
    /// Prefixes of the ids of the cells to measure; empty: all cells.
    var only: [String] = []
    var revision = "unknown"
    var output: String?
    /// File that keeps FFTW's plans between runs.
    var wisdom: String?
    /// Path of VQF's library; nil if it was not built.
    var vqf: String?
    /// Folder for the compared output of the contenders, `ID-CONTENDER.f32`.
    var results: String?
    /// Turns per contender.
    var rounds = 12
    /// Turns alternating with another process; nil: this process measures alone.
    var lockstep: Lockstep?
    /// Lengthening of the product's steps, percent.
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

    /// Returns whether the options select a cell.
    func wants(_ plan: CellPlan) -> Bool {
        !isNone && (!isQuick || plan.isQuick) && (only.isEmpty || only.contains { plan.id.hasPrefix($0) })
    }
}

/// Reason why a request or a cell is refused, as text for the user.
struct Refusal: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
