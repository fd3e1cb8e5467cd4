import ArgumentParser
import Foundation
import HRTF
import Headphones
import Session
import Signal
import Stages

/// `proscenium headphones`: describes and checks headphone equalisations.
struct HeadphonesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "headphones", abstract: "Describes and checks equalisations of headphones, for --headphone-eq.",
        discussion: """
            Texts of Equalizer APO and AutoEq (ParametricEQ.txt, GraphicEQ.txt), and impulse responses as sound files.

            Example:
              proscenium headphones check *.txt
            """,
        subcommands: [Check.self, Info.self])
}

/// Sample rate at which equalisations are examined.
struct HeadphoneRate: ParsableArguments {
    @Option(help: ArgumentHelp("Sample rate of the check, 8000 to 768000.", valueName: "hertz"), completion: .rates)
    var rate = 48_000.0

    /// The option as a valid sample rate.
    var sampleRate: SampleRate { SampleRate(hertz: rate) ?? .studio }

    func validate() throws {
        guard SampleRate(hertz: rate) != nil else {
            throw ValidationError("--rate must lie between 8000 and 768000 Hz, not \(rate)")
        }
    }
}

extension HeadphonesCommand {
    /// `headphones check`: tests whether files can be used.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Reports for each file whether it can be used.",
            discussion: """
                Prints ok, warn or reject, the file and the reason, separated by tabs. Reasons are unknown lines, a boost \
                that the preamp does not cover, and phase that is not kept. Exit code 0 if no file is rejected, 1 otherwise.

                Example:
                  proscenium headphones check "HD 650 ParametricEQ.txt"
                """)

        @Argument(help: "Texts or sound files.", completion: .file()) var files: [String]
        @OptionGroup var rate: HeadphoneRate
        @Flag(help: "Print JSON.") var json = false

        func run() throws {
            var rejected = false
            var entries: [[String: Any]] = []
            for path in files {
                let entry = entry(path)
                let (verdict, reason) = (entry["verdict"] as? String ?? "", entry["reason"] as? String ?? "")
                rejected = rejected || verdict == "reject"
                if json { entries.append(entry) } else { print("\(verdict)\t\(path)\t\(reason)") }
            }
            if json { try JSONText.print(entries) }
            if rejected { throw ExitCode(Failure.Fault.input.rawValue) }
        }

        private func entry(_ path: String) -> [String: Any] {
            do {
                let use = try HeadphonesInUse(file: path, sampleRate: rate.sampleRate)
                let remarks = use.equaliser.remarks + [use.clipping].compactMap(\.self)
                let boost = use.filter.boost
                return [
                    "verdict": remarks.isEmpty ? "ok" : "warn", "file": path,
                    "reason": remarks.joined(separator: "; "), "kind": use.equaliser.origin.rawValue,
                    "preamp_db": use.equaliser.preamp, "filters": use.equaliser.filters.count,
                    "taps": use.filter.ears.map(\.taps.count).max() ?? 0, "boost_db": boost.decibels,
                    "boost_hz": boost.hertz, "loudness_db": use.filter.loudness,
                ]
            } catch {
                return ["verdict": "reject", "file": path, "reason": "\(error)"]
            }
        }
    }

    /// `headphones info`: shows an equalisation's gain over frequency.
    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the gain of an equalisation over frequency, and remarks about it.",
            discussion: """
                Example:
                  proscenium headphones info "HD 650 ParametricEQ.txt" --svg curve.svg
                """)

        @Argument(help: "A text or a sound file.", completion: .file()) var file: String
        @OptionGroup var rate: HeadphoneRate
        @Option(help: ArgumentHelp("Also draw the curve into this SVG file.", valueName: "file"), completion: .file())
        var svg: String?
        @OptionGroup var former: OverwriteOption
        @Flag(help: "Print JSON.") var json = false

        func run() throws {
            let replacement = try former.settle([svg], keeping: [file])
            let use = try HeadphonesInUse(file: file, sampleRate: rate.sampleRate)
            let plot = HeadphonePlot(use.filter)
            if let svg {
                let text = plot.svg(title: use.equaliser.name)
                try DrawingFile.write(text: text, svg: svg, replacing: replacement)
            }
            let boost = use.filter.boost
            if json {
                try JSONText.print(
                    [
                        "file": file, "kind": use.equaliser.origin.rawValue, "preamp_db": use.equaliser.preamp,
                        "boost_db": boost.decibels, "boost_hz": boost.hertz, "loudness_db": use.filter.loudness,
                        "remarks": use.remarks(processing: .automatic), "hertz": plot.hertz,
                        "left_db": plot.decibels[0], "right_db": plot.decibels[1],
                    ] as [String: Any])
                return
            }
            print(use.summary)
            print("  " + use.levels)
            for remark in use.remarks(processing: .automatic) { print("  note: \(remark)") }
            print("  Hz        left   right")
            for (hertz, left, right) in plot.thirds {
                let place = String(format: "%.5g", hertz).padding(toLength: 8, withPad: " ", startingAt: 0)
                print("  \(place)" + String(format: "%+6.1f  %+6.1f", left, right))
            }
        }
    }
}
