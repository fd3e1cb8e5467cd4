import AudioIO
import Desk
import Foundation
import Gate
import HeadTracking
import Racks
import Rendering
import Signal
import Soundstage
import Stages
import Trackers

extension LiveSession {
    /// Description of the running stage for the user, one fact a line.
    package var introduction: [String] {
        let renderer = stage.assembly.renderer
        var lines = [
            "stage: \(layout.name)\(layout.ambisonics.map { " (\($0.convention.rawValue))" } ?? ""), \(layout.channelCount) inputs, JACK client '\(stage.client.name)' at "
                + "\(stage.client.sampleRate), period \(stage.client.periodFrames), slice \(settings.stage.slice)"
        ]
        lines += stage.assembly.setLines
        lines += [stage.assembly.upmix, stage.assembly.mix].compactMap(\.self) + stage.assembly.inputUpmixes
        if let plugins = stage.assembly.plugins.summary { lines.append(plugins) }
        lines += stage.assembly.roomLines
        lines += stage.assembly.headphones?.lines(processing: stage.assembly.equalisation(of: settings.stage)) ?? []
        if let remark = stage.assembly.twoEqualisers { lines.append("  note: " + remark) }
        lines += [
            "levels: trim and gain \(Decibels(settings.stage.choices.trim + settings.stage.gain)), LFE "
                + "\(Decibels(settings.stage.lfeGain)), limiter \(settings.stage.limiter.rawValue)"
                + (renderer.latency.guardFrames > 0 ? " (\(renderer.latency.guardFrames) frames)" : "")
                + (renderer.latencyFrames > 0 ? "; \(renderer.latencyFrames) frames of latency in all" : ""),
            "head: \((settings.motion ?? settings.poses).map { "poses from \($0)" } ?? settings.tracking.head), device: \(settings.tracking.device)",
        ]
        lines += sound.levels
        if stage.client.name != settings.name {
            lines.append("note: the name '\(settings.name)' was taken; this client is '\(stage.client.name)'")
        }
        if stage.client.sharesName {
            lines.append("note: another client is called '\(stage.client.name)' too, which PipeWire allows; see --name")
        }
        if settings.connectOut == nil, !settings.reconnects {
            lines.append("note: outputs are not connected; use --connect-out or a patchbay")
        }
        return lines
    }

    /// Phase of the session: running, recovering from an outage, or ending.
    var phase: SessionPhase { life.hasEnded || life.isOver ? .ending : outage == nil ? .running : .recovering }

    /// Returns the status at this moment.
    package func status() -> SessionStatus {
        let (client, renderer) = (stage.client, stage.assembly.renderer)
        let telemetry = renderer.telemetry() ?? Telemetry()
        let pose = PoseAngles(telemetry.headToStage)
        let tracking = feed.look()
        let degrees = 180 / Double.pi
        var status = SessionStatus(
            client: client.name, layout: layout.name, hrtf: stage.assembly.setName,
            programmes: renderer.programmes.enumerated().map { $1.status(sound.watches[$0]?.findings) },
            room: stage.assembly.roomName.map { RoomStatus(name: $0, isOn: sound.playsRoom) },
            sampleRate: client.sampleRate.hertz, period: client.periodFrames, slice: settings.stage.slice,
            streamFrame: Int64(telemetry.streamFrame), jackFrame: client.frameTime, heardAt: telemetry.heardAt,
            latencyFrames: renderer.latencyFrames,
            mode: trackingMode(tracking),
            yaw: pose.yaw, pitch: pose.pitch, roll: pose.roll,
            yawDeviation: tracking.status.yawDeviation * degrees,
            head: tracking.head, device: tracking.device,
            inputPeaks: (0..<renderer.configuration.inputCount).map { Self.decibels(telemetry.inputMeters[$0]) },
            outputPeaks: [Self.decibels(telemetry.outputMeters.x), Self.decibels(telemetry.outputMeters.y)],
            loudness: sound.monitor?.status,
            gainReduction: Self.decibels(telemetry.guardMeter), clipped: telemetry.clippedPeriods > 0,
            nonFiniteSamples: telemetry.refusedSamples,
            load: telemetry.load(at: client.sampleRate), xruns: client.xrunCount,
            skippedFrames: client.skippedFrames,
            freewheeling: server.freewheeling, recorderLost: takes.lostFrames, playback: playback.status)
        if let main = status.programmes.firstIndex(where: { $0.name == "main" }) {
            status.programmes[main].heardScale = sound.monitor?.scale?.found?.scale.rawValue
        }
        status.headphones = stage.assembly.headphones.map {
            HeadphoneStatus($0, isOn: sound.equalises, processing: stage.assembly.equalisation(of: settings.stage))
        }
        (status.loadMean, status.loadMaximum) = (sound.load.mean, sound.load.maximum)
        status.playback.unconnectedInputs = unconnectedInputs
        status.recordings = takes.statuses(client)
        status.recordingsFolder = environment.desk.commands.gate.recordings
        status.phase = phase
        if outage?.isBuilding == true {
            let preparation = environment.desk.phase.status(in: phase)
            (status.preparing, status.preparingFor) = (preparation.preparing, preparation.preparingFor)
        }
        status.lagSteps = client.lagSteps
        status.panel = environment.desk.panel.page
        status.serverGoneFor = outage.flatMap { $0.isOfRate ? nil : environment.clock.now - $0.since }
        status.monitor = monitorStatus
        status.plugins = stage.assembly.plugins.status
        (status.scene, status.scenes) = (staging.name, staging.filled)
        if staging.trial != nil { blind(&status) }
        return status
    }

    /// Returns the mode of head tracking: `log` if a log supplies the poses, `static` without a tracker.
    func trackingMode(_ look: HeadPoseFeed.Look) -> String {
        if settings.poses != nil || settings.motion != nil { return "log" }
        return feed.head == nil ? "static" : look.status.mode.rawValue
    }

    /// Returns a level in dBFS, at least −200 (silence).
    static func decibels(_ amplitude: Float) -> Double {
        max(-200, Decibels(amplitude: Double(amplitude)).value)
    }
}

extension Telemetry {
    /// Share of the period that rendering took.
    func load(at rate: SampleRate) -> Double { Double(nanoseconds) * 1e-9 / rate.seconds(frames: max(1, frames)) }
}

/// Load of the heard stage over time, from the newest period at each look. The audio thread does no work for it.
struct LoadMeter: Sendable {
    /// Time constant of the mean, and half the time for which a maximum counts at most, seconds.
    private static let (memory, span) = (2.0, 10.0)

    /// Mean load; nil before the first look.
    private(set) var mean: Double?
    /// Largest load since `began`, and in the span before.
    private var newest: Double?, former: Double?
    private var began = -Double.infinity
    /// Number of the period that was looked at last, and the time of that look.
    private var last = (period: 0, time: 0.0)

    /// Largest load of the last 10 to 20 s, at first since the first look; nil before it.
    var maximum: Double? { newest.map { max($0, former ?? 0) } }

    /// Adds the load of a period, unless it is the one of the last look. `time`: seconds.
    mutating func look(_ load: Double, ofPeriod number: Int, at time: Double) {
        guard number != last.period else { return }
        let share = 1 - exp(-max(0, time - last.time) / Self.memory)
        mean = mean.map { $0 + share * (load - $0) } ?? load
        last = (number, time)
        if time - began >= Self.span {
            (former, newest, began) = (newest, load, time)
        } else {
            newest = max(newest ?? 0, load)
        }
    }
}
