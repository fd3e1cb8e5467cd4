import CPeers
import Foundation
import PluginHost

/// `bench`: measures the product beside its peers and prints JSON. `Scripts/bench` builds it, runs it, makes the page.
@main
struct Bench {
    let options: Options
    let machine = Machine()
    let interleaved: Interleaved

    /// All tables, in the order of the report.
    static var groups: [any CellGroup.Type] {
        [
            FourierGroup.self, MovingGroup.self, StaticGroup.self, EngineGroup.self, RoomGroup.self,
            AmbisonicGroup.self, UpmixGroup.self, UpdateGroup.self, LoadGroup.self, FusionGroup.self,
            PluginGroup.self,
        ]
    }

    static func main() {
        // The child process in which isolated plugins run.
        if CommandLine.arguments.dropFirst() == ["plugin", "host"] { HostingChild.run { LV2Backend(searchPath: $0) } }
        do {
            let bench = try Bench(Options(Array(CommandLine.arguments.dropFirst())))
            try bench.run()
        } catch {
            FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
            exit(1)
        }
    }

    init(_ options: Options) throws {
        self.options = options
        var interleaved = Interleaved(clock: Clock())
        interleaved.rounds = options.rounds
        interleaved.planted = options.planted / 100
        self.interleaved = interleaved
        Shared.vqf = options.vqf
    }

    private func run() throws {
        let plans = Bench.groups.flatMap { $0.plan() }.filter { options.wants($0) }
        if options.isList {
            for plan in plans { print(plan.id) }
            return
        }
        guard options.isNone || !plans.isEmpty else {
            throw Refusal("no cell's id begins with \(options.only.joined(separator: ", "))")
        }
        if let wisdom = options.wisdom { _ = peer_wisdom_read(wisdom) }
        let before = Disturbance()
        var progress = Progress(total: plans.count)
        var cells: [Cell] = []
        var absent: [BenchReport.Absence] = []
        for plan in plans {
            progress.begin(plan.id)
            do {
                let cell = try plan.measure(self)
                cells.append(cell)
                progress.end(cell)
                // Written after each cell: planning takes long, and a run may be aborted.
                if let wisdom = options.wisdom, !options.oursOnly { _ = peer_wisdom_write(wisdom) }
            } catch let refusal as Refusal {
                absent.append(BenchReport.Absence(id: plan.id, reason: refusal.description))
                progress.skip(refusal.description)
            }
        }
        let after = Disturbance()
        let run = BenchReport.Run(
            revision: options.revision, date: Date().formatted(.iso8601),
            arguments: Array(CommandLine.arguments.dropFirst()), seconds: progress.seconds, loadBefore: before.load,
            loadAfter: after.load, stealShare: after.stealShare(since: before))
        try write(BenchReport(machine: machine, run: run, cells: cells, absent: absent))
    }

    private func write(_ report: BenchReport) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        let json = try encoder.encode(report)
        if let output = options.output {
            // A device file is written in place: an atomic write would replace it.
            let type = (try? FileManager.default.attributesOfItem(atPath: output))?[.type] as? FileAttributeType
            let isPlain = type == nil || type == .typeRegular
            try json.write(to: URL(fileURLWithPath: output), options: isPlain ? .atomic : [])
        } else {
            print(String(decoding: json, as: UTF8.self))
        }
    }
}
