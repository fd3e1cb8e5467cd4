import ArgumentParser
import Desk
import Foundation
import Geometry
import IMU
import Session
import Synchronization

/// `proscenium tracker calibrate`: measures a tracker's mounting and its gyroscope's bias.
struct TrackerCalibrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Finds by four movements how a tracker is mounted, and stores the mounting.",
        discussion: """
            Examples:
              proscenium tracker calibrate serial:auto
              proscenium tracker calibrate ximu3:8000 --yes --seconds 4

            The movements are: hold still, look left, look up, tilt the head to the right. The mounting is stored under the \
            tracker's own name, under the port it is plugged into, or under id=NAME, and is used from then on.
            """)

    @Argument(
        help: ArgumentHelp("The tracker; 'tracker list' shows all kinds.", valueName: "tracker"),
        completion: .trackers)
    var tracker: String
    @Option(help: ArgumentHelp("Length of each step.", valueName: "s")) var seconds: Double = 4
    @Flag(help: "Go through the steps without waiting for Enter.") var yes = false
    @Flag(help: "Show the mounting, and store nothing.") var dryRun = false
    @Flag(help: "One JSON object.") var json = false

    func validate() throws {
        guard seconds.isFinite, (0.5...60).contains(seconds) else {
            throw ValidationError("--seconds must lie between 0.5 and 60, not \(seconds)")
        }
    }

    /// The calibration, and the step to which arriving samples belong. A class, because the stack frames of
    /// asynchronous functions do not keep the alignment of SIMD vectors (Swift 6.3).
    private final class CalibrationTerminal: Sendable {
        private struct State: Sendable {
            var calibration = MountingCalibration()
            var step: MountingCalibration.Step?
        }

        private let state = Mutex(State())

        func take(_ sample: TrackerSample) {
            state.withLock { if let step = $0.step { $0.calibration.take(sample, during: step) } }
        }

        func begin(_ step: MountingCalibration.Step) {
            state.withLock {
                $0.calibration.repeated(step)
                $0.step = step
            }
        }

        /// Ends a step; returns why it is unusable, nil if it is usable.
        func end(_ step: MountingCalibration.Step) -> MountingCalibration.Refusal? {
            state.withLock {
                $0.step = nil
                return $0.calibration.refusal(of: step)
            }
        }

        var calibration: MountingCalibration { state.withLock { $0.calibration } }
    }

    func run() async throws {
        let asked = try TrackerSpecification.parse(tracker)
        guard asked.source != .none else { throw Failure(.usage, "'none' leaves nothing to calibrate") }
        // The samples must be in the tracker's own axes, without a stored mounting and bias.
        var plain = asked
        plain.mounting = nil
        plain.inversion = []
        let terminal = CalibrationTerminal()
        let inlet = TrackerInlet(plain, memory: nil) { terminal.take($0) }
        try await inlet.start()
        let interrupt = Interrupt()
        do {
            try await listen(to: inlet, until: interrupt)
            for step in MountingCalibration.Step.allCases { try await take(step, terminal, until: interrupt) }
        } catch {
            await inlet.stop()
            throw error
        }
        await inlet.stop()
        try conclude(terminal, inlet.id)
    }

    private func conclude(_ terminal: CalibrationTerminal, _ id: String) throws {
        switch terminal.calibration.result() {
        case .failure(let refusal): throw Failure(.input, "\(refusal); nothing was stored")
        case .success(let found): try tell(found, id)
        }
    }

    /// Waits for the first sample, ten seconds at most.
    private func listen(to inlet: TrackerInlet, until interrupt: Interrupt) async throws {
        let end = HostClock().now + 10
        while inlet.health.received == 0 {
            if interrupt.isRequested { throw ExitCode(130) }
            guard HostClock().now < end else {
                throw Failure(
                    .environment,
                    "no data arrived from \(inlet.specification); `proscenium tracker probe` shows what it sends"
                )
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Runs one step. The user may repeat an unusable one twice; with `--yes` it is an error at once.
    private func take(
        _ step: MountingCalibration.Step, _ terminal: CalibrationTerminal, until interrupt: Interrupt
    ) async throws {
        for attempt in 1...3 {
            say("\(step.rawValue + 1)/4: \(step.instruction) (\(seconds) s)" + (yes ? "" : "; press Enter to begin"))
            if !yes, readLine() == nil { throw Failure(.usage, "no terminal to press Enter on; use --yes") }
            terminal.begin(step)
            let end = HostClock().now + seconds
            while HostClock().now < end, !interrupt.isRequested { try? await Task.sleep(for: .milliseconds(20)) }
            let refusal = terminal.end(step)
            if interrupt.isRequested { throw ExitCode(130) }
            guard let refusal else { return }
            guard !yes, attempt < 3 else { throw Failure(.input, "\(refusal); nothing was stored") }
            say("\(refusal)")
        }
    }

    private func tell(_ found: MountingCalibration.Result, _ id: String) throws {
        let memory = TrackerMemory()
        let q = found.mounting.quaternion
        if !dryRun {
            try memory.update(id) {
                say("proscenium: \($0)")
            } _: { entry in
                entry.mounting = [q.w, q.x, q.y, q.z]
                if let bias = found.bias {
                    entry.bias = TrackerMemory.Bias(bias, measured: Date().timeIntervalSince1970)
                }
            }
        }
        let angles = [q.yaw, q.pitch, q.roll].map { $0 * 180 / .pi }
        let bias = found.bias.map { [$0.value.x, $0.value.y, $0.value.z].map { $0 * 180 / .pi } }
        if json {
            var object: [String: Any] = [
                "id": id, "mounting": [q.w, q.x, q.y, q.z], "yawPitchRoll": angles,
                "misfitDegrees": found.misfit * 180 / .pi, "remembered": !dryRun,
            ]
            object["biasDegreesPerSecond"] = bias
            return try JSONText.print(object)
        }
        print(
            String(
                format: "mounting %.1f/%.1f/%.1f (yaw/pitch/roll, degrees; fits within %.0f°)",
                angles[0], angles[1], angles[2], found.misfit * 180 / .pi))
        if let bias {
            print("bias " + bias.map { String(format: "%+.3f", $0) }.joined(separator: " ") + " °/s (x y z)")
        }
        print(dryRun ? "nothing was stored (--dry-run)" : "stored for '\(id)' in \(memory.path)")
    }
}
