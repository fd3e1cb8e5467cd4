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
        let tracking = feed.look()
        var status = SessionStatus()
        (status.client, status.layout, status.hrtf) = (client.name, layout.name, stage.assembly.setName)
        status.programmes = renderer.programmes.enumerated().map { $1.status(sound.watches[$0]?.findings) }
        status.room = stage.assembly.roomName.map { RoomStatus(name: $0, isOn: sound.playsRoom) }
        (status.sampleRate, status.period) = (client.sampleRate.hertz, client.periodFrames)
        (status.slice, status.latencyFrames) = (settings.stage.slice, renderer.latencyFrames)
        (status.streamFrame, status.jackFrame) = (Int64(telemetry.streamFrame), client.frameTime)
        status.heardAt = telemetry.heardAt
        status.mode = playsLoggedPoses ? "log" : tracking.mode
        status.point(to: telemetry.headToStage)
        status.yawDeviation = tracking.status.yawDeviation * (180 / Double.pi)
        (status.head, status.device) = (tracking.head, tracking.device)
        (status.inputPeaks, status.outputPeaks) = telemetry.levels(ofInputs: renderer.configuration.inputCount)
        (status.gainReduction, status.clipped) = (telemetry.reduction, telemetry.clippedPeriods > 0)
        status.loudness = sound.monitor?.status
        status.nonFiniteSamples = telemetry.refusedSamples
        status.load = telemetry.load(at: client.sampleRate)
        (status.xruns, status.skippedFrames) = (client.xrunCount, client.skippedFrames)
        (status.freewheeling, status.recorderLost) = (server.freewheeling, takes.lostFrames)
        status.playback = playback.status
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
        (status.phase, status.controlVersion) = (phase, SessionStatus.newestControl)
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

    /// Whether a log supplies the poses.
    var playsLoggedPoses: Bool { settings.poses != nil || settings.motion != nil }
}

extension Telemetry {
    /// Share of the period that rendering took.
    func load(at rate: SampleRate) -> Double { Double(nanoseconds) * 1e-9 / rate.seconds(frames: max(1, frames)) }

    /// Returns the levels of the first `count` inputs and of the ears, dBFS, at least −200 (silence).
    func levels(ofInputs count: Int) -> (inputs: [Double], ears: [Double]) {
        ((0..<count).map { decibels(inputMeters[$0]) }, [decibels(outputMeters.x), decibels(outputMeters.y)])
    }

    /// Gain of the output limiter, dB.
    var reduction: Double { decibels(guardMeter) }

    private func decibels(_ amplitude: Float) -> Double {
        max(-200, Decibels(amplitude: Double(amplitude)).value)
    }
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
