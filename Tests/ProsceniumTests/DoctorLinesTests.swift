import ArgumentParser
import AudioIO
import HRTF
import Signal
import Testing

@testable import Probes
@testable import proscenium

/// The lines of `doctor` that begin with the program's name are valid commands.
struct DoctorLinesTests {
    /// Facts of machines that differ in server, set, trackers, ports and sessions.
    private static let machines: [MachineFacts] = {
        let sets: [MachineFacts.PlayedSet] = [
            .init(name: "KEMAR", path: HRTFLibrary.systemDefault, isGenerated: false),
            .init(name: "generated", path: "/x/HRTF/generated.sofa", isGenerated: true),
            .init(name: "mine", path: "/home/ann/my ears.sofa", isGenerated: false),
        ]
        let servers: [Result<MachineFacts.Server, JACKError>] =
            [0, 2].map {
                .success(.init(isPipeWire: false, sampleRate: .studio, periodFrames: 64, playbackPorts: $0))
            } + [
                .failure(.noServer(detail: "")), .failure(.libjackIsNotPipeWires(socket: "/run/pipewire-0")),
            ]
        let devices: [[MachineFacts.Device]] = [
            [], [.init(tracker: "serial:/dev/serial/by-id/usb-1a86_USB2.0-Serial-if00", isOpenable: true, group: "")],
        ]
        return sets.flatMap { set in
            servers.flatMap { server in
                devices.flatMap { devices in
                    [[], ["film", "my game"]].map { sessions in
                        var facts = MachineFacts(set: .success(set))
                        (facts.server, facts.devices, facts.sessions) = (server, devices, sessions)
                        facts.busyPorts = sessions.isEmpty ? [] : [9150]
                        facts.isPipeWireRunning = server.isFailure
                        facts.programs = ["pw-jack"]
                        return facts
                    }
                }
            }
        }
    }()

    @Test func theProgramTakesThem() throws {
        let all = Self.machines.flatMap(Doctor.nextSteps).map(\.line)
        var names: Set<String> = []
        for line in Set(all) {
            var words = Self.words(line)
            if words.first == "pw-jack" { words.removeFirst() }
            guard words.first == "proscenium" else { continue }
            names.insert(words[1])
            #expect(throws: Never.self, "\(line)") { _ = try Proscenium.parseAsRoot(Array(words.dropFirst())) }
        }
        #expect(names == ["run", "watch", "tracker", "hrtf", "doctor"])
    }

    /// Returns the words of a line, in which single quotes are the only ones.
    private static func words(_ line: String) -> [String] {
        line.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { number, part in
            number.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
        }
    }
}

extension Result {
    fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
