import Foundation
import Geometry
import HRTF
import Signal

/// One row of the report.
struct Cell: Codable {
    let sources: Int
    let slice: Int
    let taps: Int
    let sampleRate: Double
    let field: String
    let timings: [Timing]
    let agreements: [Agreement]
}

/// Everything one run says.
struct BenchReport: Codable {
    let machine: Machine
    let cells: [Cell]
}

/// `stage-bench [--quick] [--ours] [--revision NAME] [--output FILE]`: measures the stage beside its peers, as JSON.
///
/// `--quick` leaves out most cells; `--ours` measures no peers (for comparing revisions).
@main
struct Bench {
    static func main() {
        do {
            try run()
        } catch {
            FileHandle.standardError.write(Data("stage-bench: \(error)\n".utf8))
            exit(1)
        }
    }

    static func run() throws {
        var words = CommandLine.arguments.dropFirst()
        var (quick, alone, revision, output) = (false, false, "unknown", String?.none)
        while let word = words.popFirst() {
            switch word {
            case "--quick": quick = true
            case "--ours": alone = true
            case "--revision": revision = words.popFirst() ?? revision
            case "--output": output = words.popFirst()
            default: throw PeerRefusal(description: "unknown option \(word)")
            }
        }
        let machine = Machine(revision: revision)
        var cells: [Cell] = []
        for (name, field) in try fields(quick: quick) {
            for slice in quick ? [64] : [64, 128, 256] {
                for sources in quick ? [6, 12] : [2, 6, 12, 16, 32, 64] {
                    let work = Workload(sources: sources, slice: slice, fieldName: name, field: field)
                    let cell = try measure(work, alone: alone)
                    cells.append(cell)
                    progress(cell)
                }
            }
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(BenchReport(machine: machine, cells: cells))
        if let output {
            try data.write(to: URL(fileURLWithPath: output), options: .atomic)
        } else {
            print(String(decoding: data, as: UTF8.self))
        }
    }

    /// The filters measured with: Debian's KEMAR as it is played, and a sphere at rates that make it longer.
    static func fields(quick: Bool) throws -> [(String, FilterField)] {
        let (kemar, report) = try FilterField.load(HRTFSelection("kemar"), sampleRate: .studio)
        var fields = [("\(report.name), 48 kHz", kemar)]
        for hertz in quick ? [] : [96_000.0, 192_000] {
            guard let rate = SampleRate(hertz: hertz) else { continue }
            fields.append(("sphere, \(Int(hertz / 1000)) kHz", .sphere(sampleRate: rate)))
        }
        return fields
    }

    static func measure(_ work: Workload, alone: Bool) throws -> Cell {
        let programme = Programme(channels: work.sources, slice: work.slice)
        var contenders: [any Contender] = [
            try StageContender(work, programme, moving: false), try StageContender(work, programme, moving: true),
            InterpolationContender(work),
        ]
        var agreements: [Agreement] = []
        if !alone {
            agreements = [
                agreement(
                    of: try FFTWContender(work, programme, .still),
                    with: try StageContender(work, programme, moving: false), work),
                agreement(
                    of: try ZitaContender(work, programme), with: try StageContender(work, programme, moving: false),
                    work),
                agreement(
                    of: try FFTWContender(work, programme, .fresh),
                    with: try StageContender(work, programme, moving: true), work),
            ]
            contenders += [
                try FFTWContender(work, programme, .still), try ZitaContender(work, programme),
                try FFTWContender(work, programme, .table), try FFTWContender(work, programme, .fresh),
            ]
        }
        return Cell(
            sources: work.sources, slice: work.slice, taps: work.taps, sampleRate: work.field.sampleRate.hertz,
            field: work.fieldName, timings: Interleaved().measure(contenders, work), agreements: agreements)
    }

    /// One line per cell on standard error.
    static func progress(_ cell: Cell) {
        let figures = cell.timings.map {
            "\($0.name) \($0.moving ? "turning" : "still") \(String(format: "%.2f", $0.nanosecondsPerFrameAndSource))"
        }
        let head = "\(cell.sources) sources, slice \(cell.slice), \(cell.taps) taps: "
        FileHandle.standardError.write(Data((head + figures.joined(separator: "; ") + " ns/frame/source\n").utf8))
    }
}
