import AudioIO
import HRTF
import Signal
import Testing

@testable import Probes

/// Tests each next step that `doctor` suggests, with the facts of a machine that needs it.
struct NextStepTests {
    private func lines(_ change: (inout MachineFacts) -> Void = { _ in }) -> [String] {
        Doctor.nextSteps(of: .well(change)).map(\.line)
    }

    private let start = "proscenium run --layout 7.1.4 --connect-out physical --panel 8150"

    @Test func aMachineWithoutComplaintIsGivenTheLineThatStartsASession() {
        #expect(
            lines() == [
                start, "proscenium tracker probe osc:0.0.0.0:9000 --seconds 30",
                "proscenium hrtf compare kemar generated --connect-out physical",
            ])
        #expect(Doctor.findings(of: .well()).allSatisfy { $0.state == .ok && $0.cure == nil })
    }

    @Test func aServerComesFirstAndTheLineOfASessionAfterIt() {
        let found = lines {
            $0.server = .failure(.noServer(detail: ""))
            $0.isRealTimePermitted = false
        }
        #expect(found[0] == "jackd -r -d alsa -d hw:PCH -r 48000 -p 256")
        #expect(found[1].contains("rtprio 95"))
        #expect(found[2] == start)
    }

    @Test func withoutACardTheServerIsSilentAndTheSessionIsNotConnected() {
        let found = lines {
            $0.server = .failure(.noServer(detail: ""))
            $0.card = nil
        }
        #expect(found.prefix(2) == ["jackd -d dummy -r 48000 -p 256", "proscenium run --layout 7.1.4 --panel 8150"])
    }

    @Test func withoutAnyServerItIsInstalled() {
        let found = lines {
            $0.server = .failure(.noServer(detail: ""))
            $0.programs = []
        }
        #expect(found[0] == "sudo apt install jackd2")
    }

    @Test func pipeWireIsReachedByItsOwnLibrary() {
        let found = lines {
            $0.server = .failure(.libjackIsNotPipeWires(socket: "/run/user/1000/pipewire-0"))
            $0.isPipeWireRunning = true
        }
        #expect(found.prefix(2) == ["pw-jack proscenium doctor", "pw-jack " + start])
        let without = lines {
            $0.server = .failure(.libjackIsNotPipeWires(socket: "/run/user/1000/pipewire-0"))
            $0.isPipeWireRunning = true
            $0.programs = ["jackd"]
        }
        #expect(without.prefix(2) == ["sudo apt install pipewire-jack", "pw-jack " + start])
    }

    @Test func pipeWireThatDoesNotRunIsStarted() {
        let found = lines {
            $0.server = .failure(.noServer(detail: ""))
            $0.hasPipeWiresLibrary = true
            $0.isStartedByPWJack = true
        }
        #expect(found.prefix(2) == ["systemctl --user start pipewire wireplumber", "pw-jack " + start])
    }

    @Test func aSystemWhoseLibraryIsPipeWiresNeedsNoPWJack() {
        let isSystems = lines {
            $0.hasPipeWiresLibrary = true
            $0.isPipeWireRunning = true
        }
        #expect(isSystems[0] == start)
        let isStarted = lines {
            $0.hasPipeWiresLibrary = true
            $0.isPipeWireRunning = true
            $0.isStartedByPWJack = true
        }
        #expect(isStarted[0] == "pw-jack " + start)
        #expect(isStarted[2].hasPrefix("pw-jack proscenium hrtf compare"))
    }

    @Test(arguments: [
        (JACKError.versionMismatch, "sudo apt install --reinstall jackd2 libjack-jackd2-0"),
        (.unsupportedSampleRate(4000), "jackd -d alsa -d hw:PCH -r 48000 -p 256"),
        (.noMorePorts(registered: 1, wanted: 2), "jackd -p 2048 -d alsa -d hw:PCH -r 48000 -p 256"),
        (.refused(status: 1, detail: ""), "jack_lsp"), (.serverGone, "jack_lsp"),
    ])
    func everyFaultOfTheServerHasALine(error: JACKError, line: String) {
        #expect(lines { $0.server = .failure(error) }[0] == line)
        #expect(lines { $0.server = .failure(error) }.contains(start))
    }

    @Test func aDesktopSinkThatIsNotHeardHasTheLineThatSetsItUp() {
        func heard(_ isHeard: Bool) -> (inout MachineFacts) -> Void {
            { $0.desktop = .init(state: "a sink", isHeard: isHeard, line: "proscenium desktop on --output phones") }
        }
        #expect(lines(heard(false)).prefix(2) == [start, "proscenium desktop on --output phones"])
        #expect(Doctor.findings(of: .well(heard(false))).contains { $0.subject == "desktop" && $0.state == .warning })
        #expect(lines(heard(true)) == lines())
        #expect(Doctor.findings(of: .well(heard(true))).contains { $0.subject == "desktop" && $0.state == .ok })
    }

    @Test func aServerWithoutPortsForSoundComesBeforeTheSession() {
        func found(isPipeWire: Bool, card: String?) -> [String] {
            lines {
                $0.server = .success(.usual(isPipeWire: isPipeWire, playbackPorts: 0))
                $0.card = card
            }
        }
        #expect(found(isPipeWire: false, card: "hw:PCH")[0] == "jackd -d alsa -d hw:PCH -r 48000 -p 256")
        #expect(found(isPipeWire: false, card: nil)[0] == "cat /proc/asound/cards")
        #expect(found(isPipeWire: true, card: nil)[0] == "wpctl status")
        // No line connects to ports that do not exist.
        #expect(!found(isPipeWire: false, card: "hw:PCH").contains { $0.contains("physical") })
    }

    @Test func aSetThatCannotBePlayedIsPutRightBeforeTheSession() {
        func first(_ error: HRTFError) -> String { lines { $0.set = .failure(error) }[0] }
        let own = "/home/ann/.local/share/proscenium/hrtf/default.sofa"
        #expect(first(.implausible(path: own, reason: "no head")) == "mv \(own) \(own).aside")
        #expect(
            first(.implausible(path: HRTFLibrary.systemDefault, reason: "damaged"))
                == "sudo apt install --reinstall libmysofa1")
        #expect(
            first(.notInstalled(name: "generated", searched: [], advice: "")) == "sudo apt install libmysofa1")
    }

    @Test func aComputedSetSuggestsTheMeasuredOne() {
        let found = lines {
            $0.set = .success(.init(name: "generated head", path: "/x/HRTF/generated.sofa", isGenerated: true))
        }
        #expect(found[0] == start && found[2] == "sudo apt install libmysofa1")
    }

    @Test func anOwnSetIsComparedByItsPath() {
        let found = lines {
            $0.set = .success(.init(name: "mine", path: "/home/ann/my ears.sofa", isGenerated: false))
        }
        #expect(found[2] == "proscenium hrtf compare '/home/ann/my ears.sofa' generated --connect-out physical")
    }

    @Test func missingLimitsComeBeforeTheSession() {
        func first(_ change: @escaping (inout MachineFacts) -> Void) -> String {
            lines {
                $0.isRealTimePermitted = false
                change(&$0)
            }[0]
        }
        let limits =
            #"printf '@audio - rtprio 95\n@audio - memlock unlimited\n' | sudo tee /etc/security/limits.d/95-audio.conf"#
        #expect(first { _ in } == limits + " && sudo usermod -aG audio $USER")
        #expect(first { $0.groups = ["audio"] } == limits)
        #expect(first { $0.hasAudioLimits = true } == "sudo usermod -aG audio $USER")
        #expect(
            first {
                $0.hasAudioLimits = true
                $0.groups = ["audio"]
            } == "su - $USER")
        #expect(first { $0.isRoot = true } == "chrt -f 10 true")
    }

    @Test func oneLineForPriorityAndMemoryIsGivenOnce() {
        let found = lines {
            $0.isRealTimePermitted = false
            $0.lockableBytes = 64 << 10
        }
        #expect(found[0].contains("memlock") && found[1] == start && !found[2].contains("memlock"))
        #expect(lines { $0.lockableBytes = 64 << 10 }[0].contains("memlock"))
        #expect(lines { $0.lockableBytes = 1 << 30 }[0] == start)
    }

    @Test func aTrackerThatMayBeOpenedIsInTheLine() {
        let found = lines { $0.devices = [.init(tracker: "serial:/dev/ttyUSB0", isOpenable: true, group: "dialout")] }
        #expect(
            found.prefix(2) == [
                "proscenium run --layout 7.1.4 --head serial:/dev/ttyUSB0 --connect-out physical --panel 8150",
                "proscenium tracker probe serial:/dev/ttyUSB0",
            ])
    }

    @Test func theLineThatPermitsATrackerComesAfterTheLineOfTheSession() {
        func second(_ tracker: String, _ group: String, groups: Set<String> = []) -> String {
            let found = lines {
                $0.devices = [.init(tracker: tracker, isOpenable: false, group: group)]
                $0.groups = groups
            }
            #expect(found[0] == start)
            return found[1]
        }
        #expect(second("serial:/dev/ttyUSB0", "dialout") == "sudo usermod -aG dialout $USER")
        #expect(second("serial:/dev/ttyUSB0", "uucp", groups: ["uucp"]) == "newgrp uucp")
        #expect(second("serial:/dev/ttyACM0", "root").contains(#"SUBSYSTEM=="tty", TAG+="uaccess""#))
        #expect(second("hid:/dev/hidraw1", "root").contains(#"SUBSYSTEM=="hidraw", TAG+="uaccess""#))
    }

    @Test func aPortOfATrackerThatIsTakenIsNamed() {
        let found = lines { $0.busyPorts = [4242] }
        #expect(found[0] == start && found[1] == "ss -ulpn 'sport = :4242'")
        // No line waits for a tracker at a port that is in use.
        #expect(!lines { $0.busyPorts = [9000] }.contains { $0.contains("probe") })
    }

    @Test func aPanelsPortThatIsTakenIsLeftOut() {
        let found = lines { $0.busyPorts = [8150, 9150] }
        #expect(found[0] == "proscenium run --layout 7.1.4 --connect-out physical")
        #expect(!found.contains { $0.hasPrefix("ss") })
    }

    @Test func aSessionThatRunsIsShownInPlaceOfAnother() {
        let found = lines {
            $0.sessions = ["proscenium"]
            $0.busyPorts = [9000, 9150, 8150]
        }
        #expect(found == ["proscenium watch", "proscenium hrtf compare kemar generated --connect-out physical"])
        #expect(lines { $0.sessions = ["film", "my game"] }[0] == "proscenium watch --to film")
        #expect(lines { $0.sessions = ["my game", "film"] }[0] == "proscenium watch --to 'my game'")
    }
}
