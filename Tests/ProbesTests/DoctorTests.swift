import AudioIO
import Foundation
import HRTF
import Testing

@testable import Probes

/// Findings, and the readers of single facts.
struct DoctorTests {
    /// Each of these machines has complaints; together they have all kinds.
    private static let ailing: [MachineFacts] = [
        .well { $0.server = .failure(.noServer(detail: "no socket")) },
        .well { $0.server = .failure(.libjackIsNotPipeWires(socket: "/run/user/1000/pipewire-0")) },
        .well { $0.server = .failure(.versionMismatch) }, .well { $0.server = .failure(.serverGone) },
        .well { $0.server = .success(.usual(playbackPorts: 0)) },
        .well { $0.set = .failure(.options(reason: "none")) }, .well { $0.isRealTimePermitted = false },
        .well { $0.lockableBytes = 0 }, .well { $0.busyPorts = Doctor.usualPorts.map(\.port) },
        .well { $0.devices = [.init(tracker: "hid:/dev/hidraw0", isOpenable: false, group: "root")] },
    ]

    @Test(arguments: ailing) func everyComplaintHasALineToType(facts: MachineFacts) throws {
        let complaints = Doctor.findings(of: facts).filter { $0.state != .ok }
        #expect(!complaints.isEmpty)
        for complaint in complaints {
            let cure = try #require(complaint.cure)
            #expect(!cure.line.isEmpty && !cure.line.contains("…") && !cure.line.contains("\n"))
            #expect(cure.purpose.hasSuffix("."))
        }
    }

    @Test(arguments: ailing) func threeStepsAtMostAndNoLineTwice(facts: MachineFacts) {
        let steps = Doctor.nextSteps(of: facts)
        #expect((1...3).contains(steps.count))
        #expect(Set(steps.map(\.line)).count == steps.count)
    }

    @Test func onlyAServerOrASetThatFailsPreventsASession() {
        let prevented = Self.ailing.map { Doctor.findings(of: $0).contains { $0.state == .fault } }
        #expect(prevented == [true, true, true, true, false, true, false, false, false, false])
    }

    @Test func theAdviceIsNotInTheObservationToo() {
        let finding = Doctor.findings(of: Self.ailing[1])[0]
        #expect(!finding.observation.contains("pw-jack") && finding.observation.contains("/run/user/1000/pipewire-0"))
    }

    @Test func theCardForHeadphonesComesBeforeAScreens() throws {
        let folder = NSTemporaryDirectory() + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func card(_ pcm: String, _ ids: [String]) throws -> String? {
            try? FileManager.default.removeItem(atPath: folder)
            for (number, id) in ids.enumerated() {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/card\(number)", withIntermediateDirectories: true)
                try (id + "\n").write(toFile: "\(folder)/card\(number)/id", atomically: false, encoding: .utf8)
            }
            try pcm.write(toFile: folder + "/pcm", atomically: false, encoding: .utf8)
            return CardSearch(root: folder).found
        }
        let screen = "00-03: HDMI 0 : HDMI 0 : playback 1\n"
        #expect(try card(screen, ["NVidia"]) == "hw:NVidia,3")
        #expect(
            try card(screen + "01-00: ALC257 Analog : ALC257 : playback 1 : capture 1\n", ["NVidia", "PCH"]) == "hw:PCH"
        )
        #expect(try card("00-00: USB Audio : USB Audio : capture 1\n", ["Microphone"]) == nil)
        #expect(try card("00-00: Odd : Odd : playback 1\n", ["a b;rm"]) == "hw:0")
        #expect(try card("nonsense: playback 1\n", ["PCH"]) == nil)
        #expect(CardSearch(root: folder + "/none").found == nil)
    }

    @Test func limitsOfAGroupAreFoundInFilesThatGiveThem() throws {
        let folder = NSTemporaryDirectory() + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/limits.d", withIntermediateDirectories: true)
        func has(_ text: String, in file: String) throws -> Bool {
            let path = "\(folder)/\(file)"
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            defer { try? FileManager.default.removeItem(atPath: path) }
            return Membership.hasRealTimeLimits(group: "audio", root: folder)
        }
        #expect(try has("@audio   -  rtprio     95\n", in: "limits.d/audio.conf"))
        #expect(try has("@audio - rtprio 95 # for JACK\n", in: "limits.conf"))
        #expect(try !has("#@audio - rtprio 95\n@video - rtprio 95\n@audio - memlock 1\n", in: "limits.d/audio.conf"))
        #expect(try !has("@audio - rtprio 95\n", in: "limits.d/audio.conf.disabled"))
        #expect(try !has("@audio - rtprio 0\n", in: "limits.d/audio.conf"))
    }

    @Test func theFactsOfThisMachineAreRead() async {
        let facts = await MachineFacts.found(sessions: ["film"])
        #expect(facts.sessions == ["film"] && !facts.ownSet.isEmpty)
        #expect(facts.isRoot == (geteuid() == 0))
        #expect((1...3).contains(Doctor.nextSteps(of: facts).count))
    }
}
