import AudioIO

/// Findings on the JACK server and its sound card.
extension Doctor {
    static func server(_ facts: MachineFacts) -> Finding {
        switch facts.server {
        case .success(let server):
            Finding(
                "jack",
                "\(server.isPipeWire ? "PipeWire" : "jackd") answers: \(server.sampleRate), "
                    + "period \(server.periodFrames)")
        case .failure(let error):
            Finding("jack", .fault, observation(error), cure: cure(error, facts))
        }
    }

    static func ears(_ facts: MachineFacts) -> [Finding] {
        guard case .success(let server) = facts.server else { return [] }
        if server.playbackPorts > 0 {
            return [Finding(earsSubject, "\(server.playbackPorts) physical ports take sound")]
        }
        return [
            Finding(
                earsSubject, .warning, "the JACK server has no physical port that takes sound",
                cure: server.isPipeWire
                    ? NextStep(
                        "PipeWire has no output for sound. This lists the cards it knows; plug one in, or enable one.",
                        "wpctl status")
                    : facts.card == nil
                        ? NextStep(
                            "The JACK server is silent, and no sound card that plays is found. This lists the cards; plug one in.",
                            "cat /proc/asound/cards")
                        : NextStep(
                            "The JACK server has no card that plays. This starts it with one; stop the other first.",
                            jackd(facts)))
        ]
    }

    /// Returns the finding on the sink that `desktop on` has set up; empty if there is none.
    static func desktop(_ facts: MachineFacts) -> [Finding] {
        guard let desktop = facts.desktop else { return [] }
        guard !desktop.isHeard else { return [Finding("desktop", desktop.state)] }
        return [
            Finding(
                "desktop", .warning, desktop.state,
                cure: NextStep(
                    "Programs that play to the desktop's sink are not heard. This sets it up again.", desktop.line))
        ]
    }

    /// Returns the text of an error. It omits the advice about a missing server, which the remedy gives.
    private static func observation(_ error: JACKError) -> String {
        switch error {
        case .noServer(let detail): "no JACK server is running" + (detail.isEmpty ? "" : " (\(detail))")
        case .libjackIsNotPipeWires(let socket):
            "PipeWire runs (\(socket)), but this program was started with jackd's libjack"
        default: error.description
        }
    }

    private static func cure(_ error: JACKError, _ facts: MachineFacts) -> NextStep {
        switch error {
        case .noServer, .libjackIsNotPipeWires: return server(for: facts)
        case .versionMismatch:
            return NextStep(
                "JACK's server and library are of different versions. This installs both anew; start the server again afterwards.",
                "sudo apt install --reinstall jackd2 libjack-jackd2-0")
        case .noMorePorts:
            return NextStep(
                "The JACK server has no ports left. This starts it with more; stop the other first.",
                jackd(facts, options: "-p 2048 "))
        case .unsupportedSampleRate, .wrongSampleRate:
            return NextStep(
                "The JACK server runs at a rate that is not rendered. This starts it at 48000 Hz; stop the other first.",
                jackd(facts))
        default:
            return NextStep(
                "The JACK server refuses this program. This shows whether it answers other programs; if not, start it again.",
                "jack_lsp")
        }
    }

    /// Returns the step that provides a JACK server if none answers.
    private static func server(for facts: MachineFacts) -> NextStep {
        if facts.isPipeWireRunning, !facts.hasPipeWiresLibrary {
            return facts.programs.contains("pw-jack")
                ? NextStep(
                    "PipeWire runs. It is reached with 'pw-jack' before each command that plays; this looks again.",
                    "pw-jack proscenium doctor")
                : NextStep(
                    "PipeWire runs, but its JACK library is not installed. Then put 'pw-jack' before each command that plays.",
                    "sudo apt install pipewire-jack")
        }
        if facts.hasPipeWiresLibrary {
            return NextStep(
                "This program has PipeWire's JACK library, but PipeWire does not run for this user.",
                "systemctl --user start pipewire wireplumber")
        }
        guard facts.programs.contains("jackd") else {
            return NextStep("There is no JACK server on this machine.", "sudo apt install jackd2")
        }
        return NextStep(
            facts.card == nil
                ? "No JACK server runs, and no sound card is found. This one is silent; leave it running in a terminal of its own."
                : "No JACK server runs. Leave this one running in a terminal of its own.", jackd(facts))
    }

    /// Returns the line that starts jackd with the card, or with the silent driver if no card was found. The line
    /// requests real-time scheduling only if this is permitted.
    private static func jackd(_ facts: MachineFacts, options: String = "") -> String {
        "jackd \(facts.isRealTimePermitted ? "" : "-r ")\(options)-d "
            + (facts.card.map { "alsa -d \($0)" } ?? "dummy") + " -r 48000 -p 256"
    }
}
