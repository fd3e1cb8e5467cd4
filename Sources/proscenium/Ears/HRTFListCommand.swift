import ArgumentParser
import Foundation
import HRTF
import Loading
import SOFA
import Session
import Stages

extension HRTFCommand {
    /// `hrtf list`: lists the installed sets, or the catalogue.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists the sets on this machine, or the known public ones.",
            discussion: """
                Looks in $XDG_DATA_HOME/proscenium/hrtf, in proscenium/hrtf and libmysofa of $XDG_DATA_DIRS (/usr/share), and in the \
                program's own folder; --path adds other folders and all below them. Files are described by their attributes and positions. \
                People measured by 'measure me --person' follow, with date, loudspeakers, looks and files. \
                Without --hrtf a session uses the first of these that exists: your own default, Debian's KEMAR, the generated set.

                Examples:
                  proscenium hrtf list --path ~/sofa
                  proscenium hrtf list --catalogue
                """)

        @Option(
            help: ArgumentHelp("A further folder or file; may be repeated.", valueName: "path"),
            completion: .directory)
        var path: [String] = []

        @Flag(help: "List the known public sets, installed or not: licence, citation, where to get them.")
        var catalogue = false

        @Flag(help: "Print JSON.")
        var json = false

        func validate() throws {
            guard !catalogue || path.isEmpty else {
                throw ValidationError(
                    "--path is for the sets on this machine, --catalogue for all known sets; give only one of the two")
            }
        }

        func run() async throws {
            let library = DataFolders.library
            do {
                if catalogue {
                    try printCatalogue(library.sets())
                } else {
                    let found = try await library.search(alsoIn: path)
                    try printInstalled(found, default: library.locate(.automatic), library)
                }
            } catch let error as HRTFError {
                throw SessionError(error)
            }
        }

        private func printInstalled(_ found: SetSearch, default chosen: String, _ library: HRTFLibrary) throws {
            let real = URL(fileURLWithPath: chosen).resolvingSymlinksInPath().path
            let people = found.people.map { PersonEntry($0, fault: $0.ears.flatMap(failure)) }
            if json {
                let sets = found.sets.map { set -> [String: Any] in
                    [
                        "path": set.path, "name": set.known?.name ?? NSNull(), "title": set.title,
                        "convention": set.summary?.convention.name ?? NSNull(),
                        "directions": set.summary?.directions.value?.count ?? NSNull(),
                        "rate_hz": set.summary?.sampleRate.value ?? NSNull(), "licence": set.licence,
                        "problem": (set.problem ?? failure(set))?.description ?? NSNull(), "default": set.path == real,
                    ]
                }
                try JSONText.print([
                    "sets": sets, "default": chosen, "own_default": library.userDefault, "folders": found.folders,
                    "not_heads": found.others, "people": people.map(\.json),
                ])
                return
            }
            for set in found.sets {
                let name = set.known.map { "\($0.name): " } ?? ""
                print("\(name)\(set.title)\(set.path == real ? "  (played without --hrtf)" : "")")
                print("  file     \(set.path)")
                if let problem = set.problem ?? failure(set) {
                    print("  problem  \(problem)")
                } else {
                    print("  holds    \(content(set))")
                }
                if set.summary != nil {
                    print("  licence  \(set.licence.split(whereSeparator: \.isNewline).joined(separator: " "))")
                }
            }
            if !people.isEmpty { print("measured people:") }
            for entry in people {
                for line in entry.lines { print("  " + line) }
            }
            if found.others > 0 { print("\(found.others) other SOFA files hold no head (rooms, headphones)") }
            print("looked in \(found.folders.joined(separator: ", "))")
            print("your own default set, if you install one: \(library.userDefault)")
        }

        /// Returns the fault of a set that can be opened but not used; nil without one.
        private func failure(_ set: InstalledSet) -> SOFAError? {
            guard let summary = set.summary else { return nil }
            return summary.shape.error ?? summary.places.error ?? summary.sampleRate.error ?? summary.delays.error
        }

        private func content(_ set: InstalledSet) -> String {
            guard let summary = set.summary else { return "" }
            var parts = [summary.convention.name]
            if let order = summary.harmonicOrder {
                parts.append("spherical harmonics of order \(order)")
            } else if let count = summary.directions.value?.count {
                parts.append("\(count) direction\(count == 1 ? "" : "s")")
            }
            if let rate = summary.sampleRate.value { parts.append("\(Int(rate.rounded())) Hz") }
            return parts.joined(separator: ", ")
        }

        private func printCatalogue(_ sets: [(set: KnownSet, path: String?)]) throws {
            if json {
                let entries = sets.map { entry in
                    [
                        "name": entry.set.name, "title": entry.set.title, "licence": entry.set.licence,
                        "citation": entry.set.citation, "source": entry.set.source,
                        "description": entry.set.description, "directions": entry.set.directions,
                        "path": entry.path ?? "",
                    ]
                }
                try JSONText.print(["catalogue": entries])
                return
            }
            for (set, path) in sets {
                print("\(set.name): \(set.title)")
                print("  holds    \(set.description); \(set.directions)")
                print("  licence  \(set.licence)")
                print("  cite     \(set.citation)")
                print("  " + (path.map { "here     \($0)" } ?? "get it   \(set.source)"))
            }
        }
    }
}
