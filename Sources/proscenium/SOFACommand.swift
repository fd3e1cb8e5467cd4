import ArgumentParser
import Foundation
import Geometry
import HRTF
import SOFA

/// `proscenium sofa`: SOFA files, looked at closely.
struct SOFACommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sofa", abstract: "Describes and checks SOFA files.",
        discussion: """
            Example:
              proscenium sofa check *.sofa
            """,
        subcommands: [Info.self, Check.self])
}

extension SOFACommand {
    /// What both subcommands take.
    struct Files: ParsableArguments {
        @Argument(help: "SOFA files.")
        var files: [String]

        @Flag(help: "Print JSON.")
        var json = false
    }

    /// `sofa info`
    struct Info: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says what a SOFA file holds: free-field responses for --hrtf, or a room for --room.",
            discussion: """
                Example:
                  proscenium sofa info subject_003.sofa
                """)

        @OptionGroup var input: Files

        func run() throws {
            var rejected = false
            var entries: [[String: Any]] = []
            for path in input.files {
                do {
                    switch try SOFAContent(path: path) {
                    case .room(let room): if input.json { entries.append(entry(room)) } else { describe(room) }
                    case .freeField(let file): if input.json { entries.append(entry(file)) } else { describe(file) }
                    case .headphones(let file):
                        if input.json {
                            entries.append(["file": file.path, "attributes": file.attributes])
                        } else {
                            print("\(file.path)\n  headphone         \(file.name), \(file.refitCount) refits")
                        }
                    }
                } catch {
                    rejected = true
                    if input.json {
                        entries.append(["file": path, "error": error.reason])
                    } else {
                        say(error.description)
                    }
                }
            }
            if input.json { try JSONText.print(entries) }
            if rejected { throw ExitCode(Failure.Fault.input.rawValue) }
        }

        private func entry(_ file: FreeFieldHRIR) -> [String: Any] {
            let elevations = file.directions.map { $0.elevation * 180 / .pi }
            return [
                "file": file.path, "attributes": file.attributes, "rate_hz": file.sampleRate,
                "measurements": file.measurementCount, "receivers": 2, "samples": file.sampleCount,
                "distance_m": [file.distances.min() ?? 0, file.distances.max() ?? 0],
                "elevation_deg": [elevations.min() ?? 0, elevations.max() ?? 0],
                "delay_samples": [file.delays.min() ?? 0, file.delays.max() ?? 0], "remarks": file.remarks,
            ]
        }

        private func entry(_ room: BinauralRoom) -> [String: Any] {
            [
                "file": room.path, "attributes": room.attributes, "rate_hz": room.sampleRate,
                "measurements": room.measurements.count, "emitters": room.emitterCount, "receivers": 2,
                "samples": room.sampleCount, "head_yaw_deg": Set(room.measurements.map { $0.yaw * 180 / .pi }).sorted(),
                "remarks": room.remarks,
            ]
        }

        private func describe(_ room: BinauralRoom) {
            print(room.path)
            for key in ["Title", "DatabaseName", "RoomShortName", "License", "References", "Organization"] {
                if let value = room.attribute(key) {
                    print("  \(key.padding(toLength: 18, withPad: " ", startingAt: 0))\(value.prefix(300))")
                }
            }
            print("  convention        \(room.attribute("SOFAConventions") ?? "") \(room.attribute("Version") ?? "")")
            print(
                "  responses         \(room.measurements.count) × \(room.emitterCount) loudspeakers × 2 ears × "
                    + "\(room.sampleCount) samples")
            print("  rate              \(String(format: "%g", room.sampleRate)) Hz")
            let yaws = Set(room.measurements.map { ($0.yaw * 1800 / .pi).rounded() / 10 }).sorted()
            print(
                "  head yaws         \(yaws.count): \(String(format: "%g", yaws.first ?? 0))…"
                    + "\(String(format: "%g", yaws.last ?? 0))°")
            for remark in room.remarks { print("  note: \(remark)") }
            print("  a room: play it with --room, see 'proscenium room info'")
        }

        private func describe(_ file: FreeFieldHRIR) {
            func range(_ values: [Double]) -> String {
                let (low, high) = (values.min() ?? 0, values.max() ?? 0)
                let text = [low, high].map { String(format: "%.4g", $0) }
                return text[0] == text[1] ? text[0] : "\(text[0])…\(text[1])"
            }
            print(file.path)
            for key in ["Title", "DatabaseName", "ListenerShortName", "License", "References", "Organization"] {
                if let value = file.attribute(key) {
                    print("  \(key.padding(toLength: 18, withPad: " ", startingAt: 0))\(value.prefix(300))")
                }
            }
            print("  convention        \(file.attribute("SOFAConventions") ?? "") \(file.attribute("Version") ?? "")")
            print("  responses         \(file.measurementCount) × 2 ears × \(file.sampleCount) samples")
            print("  rate              \(String(format: "%g", file.sampleRate)) Hz")
            print("  elevation         \(range(file.directions.map { $0.elevation * 180 / .pi }))°")
            print("  distance          \(range(file.distances)) m")
            print("  delay             \(range(file.delays)) samples")
            for remark in file.remarks { print("  note: \(remark)") }
        }
    }

    /// `sofa check`
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says of each file whether it can be used.",
            discussion: """
                Prints ok, warn or reject, the file and the reason, separated by tabs. \
                Exit code 0 if no file is rejected, 1 otherwise.

                Example:
                  proscenium sofa check *.sofa
                """)

        @OptionGroup var input: Files

        func run() throws {
            var rejected = false
            var entries: [[String: String]] = []
            for path in input.files {
                let (verdict, reason) = verdict(path)
                rejected = rejected || verdict == "reject"
                if input.json {
                    entries.append(["verdict": verdict, "file": path, "reason": reason])
                } else {
                    print("\(verdict)\t\(path)\t\(reason)")
                }
            }
            if input.json { try JSONText.print(entries) }
            if rejected { throw ExitCode(Failure.Fault.input.rawValue) }
        }

        private func verdict(_ path: String) -> (String, String) {
            do {
                let remarks =
                    switch try SOFAContent(path: path) {
                    case .room(let room): room.remarks
                    case .freeField(let file): try HRTFInspection.remarks(on: file)
                    case .headphones(let file): file.remarks
                    }
                return remarks.isEmpty ? ("ok", "") : ("warn", remarks.joined(separator: "; "))
            } catch let error as SOFAError {
                return ("reject", error.reason)
            } catch {
                return ("reject", String(describing: error))
            }
        }
    }
}
