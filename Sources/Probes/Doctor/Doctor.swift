import AudioIO
import HRTF
import Loading

/// Judges the facts of a machine: whether it has what a live session needs, and what the user can do next.
package enum Doctor {
    /// Ports in common use by trackers, control and the panel. The panel uses TCP, the others UDP.
    package static let usualPorts: [(port: Int, use: String)] = [
        (9000, "OSC head trackers"), (9001, "OSC device trackers"), (4242, "opentrack"), (9150, "control"),
        (panelPort, "panel"),
    ]
    /// Usual port of the panel.
    static let panelPort = 8150
    /// Subjects of ports that need no step if they are in use: a session takes another port for control, and the line
    /// that starts a session omits the panel.
    private static let undemandingPorts = ["\(portSubject)9150", "\(portSubject)\(panelPort)"]
    /// Programs whose presence changes the advice.
    static let programs = ["jackd", "pw-jack"]
    /// Greatest number of next steps.
    static let mostSteps = 3

    /// Returns all findings, in the order in which a session needs them.
    package static func findings(of facts: MachineFacts) -> [Finding] {
        [server(facts)] + ears(facts) + [set(facts)] + desktop(facts) + limits(facts) + devices(facts) + ports(facts)
    }

    /// Returns the most useful steps, at most three, in this order: remedies of faults; remedies of warnings about
    /// sound; the line that starts a session, or shows a running one; remedies of other warnings; further advice.
    package static func nextSteps(of facts: MachineFacts) -> [NextStep] {
        let cures = findings(of: facts).filter { $0.cure != nil }
        let faults = cures.filter { $0.state == .fault }
        let ofSound = cures.filter { $0.state == .warning && soundSubjects.contains($0.subject) }
        let others = cures.filter {
            $0.state == .warning && !soundSubjects.contains($0.subject)
                && !undemandingPorts.contains($0.subject)
                // A running session may use the ports itself, so they need no step.
                && (facts.sessions.isEmpty || !$0.subject.hasPrefix(portSubject))
        }
        var steps: [NextStep] = []
        let all = (faults + ofSound).compactMap(\.cure) + [session(facts)] + others.compactMap(\.cure) + advice(facts)
        for step in all where !steps.contains(where: { $0.line == step.line }) { steps.append(step) }
        return Array(steps.prefix(mostSteps))
    }

    /// Beginning of a command line that plays, with `pw-jack` if this is needed.
    static func prefix(_ facts: MachineFacts) -> String {
        facts.isStartedByPWJack || (facts.isPipeWireRunning && !facts.hasPipeWiresLibrary && !isAnswering(facts))
            ? "pw-jack proscenium" : "proscenium"
    }

    /// Whether a JACK server answered.
    static func isAnswering(_ facts: MachineFacts) -> Bool {
        if case .success = facts.server { true } else { false }
    }

    /// Whether sound can go to a card. If no server answers, this is assumed when PipeWire runs or a card is found.
    private static func hasEars(_ facts: MachineFacts) -> Bool {
        switch facts.server {
        case .success(let server): server.playbackPorts > 0
        case .failure: facts.isPipeWireRunning || facts.card != nil
        }
    }

    /// Returns the line that starts a session with options that suit the facts, or that shows a running session.
    private static func session(_ facts: MachineFacts) -> NextStep {
        if let name = facts.sessions.first {
            return NextStep(
                "The session '\(name)' runs. This shows it and steers it with keys.",
                facts.sessions.count == 1 ? "proscenium watch" : ShellLine(["proscenium", "watch", "--to", name]).text)
        }
        let tracker = facts.devices.first(where: \.isOpenable)
        let hasPanel = !facts.busyPorts.contains(panelPort)
        let options =
            ["--layout", "7.1.4"] + (tracker.map { ["--head", $0.tracker] } ?? [])
            + (hasEars(facts) ? ["--connect-out", "physical"] : []) + (hasPanel ? ["--panel", "\(panelPort)"] : [])
        let panel = hasPanel ? "; the panel is at http://127.0.0.1:\(panelPort)/" : ""
        return NextStep(
            isAnswering(facts)
                ? "A stage of 7.1.4 starts, and other programs play into its ports\(panel)."
                : "Then a stage of 7.1.4 starts, and other programs play into its ports\(panel).",
            prefix(facts) + " " + ShellLine(["run"] + options).text)
    }

    /// Returns advice that corrects no fault: about a tracker, and about another HRTF set.
    private static func advice(_ facts: MachineFacts) -> [NextStep] {
        var steps: [NextStep] = []
        if let tracker = facts.devices.first(where: \.isOpenable) {
            steps.append(
                NextStep(
                    "A device that may be a head tracker is plugged in. This shows what it sends.",
                    ShellLine(["proscenium", "tracker", "probe", tracker.tracker]).text))
        } else if facts.devices.isEmpty, facts.sessions.isEmpty, !facts.busyPorts.contains(9000) {
            steps.append(
                NextStep(
                    "No head tracker is plugged in. A phone or program that sends OSC to port 9000 can be one; this waits for it.",
                    "proscenium tracker probe osc:0.0.0.0:9000 --seconds 30"))
        }
        if case .success(let set) = facts.set {
            steps.append(
                set.isGenerated
                    ? NextStep(
                        "The set that plays is computed. Debian has one that was measured (KEMAR).",
                        "sudo apt install libmysofa1")
                    : NextStep(
                        "Another set of HRTFs may fit your ears better. This plays two, blind, and asks.",
                        prefix(facts) + " "
                            + ShellLine(
                                [
                                    "hrtf", "compare", set.path == HRTFLibrary.systemDefault ? "kemar" : set.path,
                                    "generated",
                                ] + (hasEars(facts) ? ["--connect-out", "physical"] : [])
                            ).text))
        }
        return steps
    }
}
