import Desk
import Foundation
import Gate
import Metering
import Session
import Stages

/// A session's state as text: one line for the terminal, a page for `ctl status`.
enum StatusText {
    /// Returns the status line of `run`.
    static func line(_ s: SessionStatus) -> StatusLine {
        var line = StatusLine()
        let mode = s.mode.padding(toLength: 9, withPad: " ", startingAt: 0)
        line.add(mode + String(format: "yaw %+6.1f°", s.yaw), weight: 8)
        line.add(String(format: "pitch %+5.1f° roll %+5.1f°", rounded(s.pitch), rounded(s.roll)), weight: 3)
        line.add(s.inputPeaks.isEmpty ? nil : "in " + StatusLine.meters(s.inputPeaks), weight: 6)
        line.add(peaks(s), weight: 7)
        line.add(shortTerm(s), weight: 4)
        line.add(s.room.map { $0.isOn ? "room" : "dry" }, weight: 2)
        line.add(warning(s.playback), weight: 9)
        line.add(s.monitor.words, weight: 8)
        line.add(s.gainReduction < -0.05 ? String(format: "limiter %.1f dB", s.gainReduction) : nil, weight: 4)
        line.add(String(format: "load %2.0f %%", (s.loadMean ?? s.load) * 100), weight: 3)
        line.add(s.xruns > 0 ? "xruns \(s.xruns)" : nil, weight: 5)
        line.add(take(s), weight: 7)
        line.add(recordingWarning(s), weight: 9)
        line.add("? keys", weight: 1)
        return line
    }

    /// Returns the peaks of both ears in dBFS, and `CLIP` if they have clipped before the limiter.
    static func peaks(_ s: SessionStatus) -> String {
        let level = zip(["L", "R"], s.outputPeaks).map { String(format: "%@ %5.1f", $0, max(-99.9, $1)) }
        return level.joined(separator: " ") + (s.clipped ? " CLIP" : "")
    }

    /// Returns the short-term loudness of the first input; nil if it is not measured.
    static func shortTerm(_ s: SessionStatus) -> String? {
        s.loudness?.inputs.first?.readings.shortTerm.map { String(format: "S %.1f LUFS", $0) }
    }

    /// Returns the elapsed time of the take that is being recorded; nil without one.
    static func take(_ s: SessionStatus) -> String? {
        s.recordings.first { $0.number != nil && $0.ended == nil }.map { "REC \(time($0.seconds ?? 0))" }
    }

    /// Returns a warning of an interrupted recording; nil without one.
    static func recordingWarning(_ s: SessionStatus) -> String? {
        s.recordings.contains { $0.ended != nil } ? "RECORDING ENDED" : nil
    }

    /// Returns a time as minutes and seconds, `1:02.5`.
    static func time(_ seconds: Double) -> String {
        let whole = Int(clamping: seconds, .down, to: 0...59_999_999)
        return String(format: "%d:%04.1f", whole / 60, min(max(0, seconds), 6e7) - Double(whole / 60 * 60))
    }

    /// Returns a recording's file, duration and markers, its lost frames, and the reason of an interruption.
    static func recording(_ r: RecordingStatus) -> String {
        let markers = r.markers.map { $0 == 1 ? "1 marker" : "\($0) markers" }
        let parts = [
            r.file, r.seconds.map(time), r.markers == 0 ? nil : markers, r.lost.map { "LACKS \($0) frames" },
            r.ended.map { "ENDED: \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    /// Returns an input's name, layout and place, and the settings that differ from the defaults.
    private static func input(_ p: ProgrammeStatus) -> String {
        let standing =
            p.isSpatializing ? "on the stage, \(p.mode)" : "two channels" + (p.canSpatialize ? "" : " (direct)")
        return "\(p.name): \(p.layout), \(standing)"
            + (p.isMuted ? ", MUTED" : p.isSilenced ? ", silent (others are soloed)" : p.isSolo ? ", SOLO" : "")
            + (p.isInverted ? ", polarity inverted" : "")
            + (abs(p.level) > 0.005 ? String(format: ", %+.1f dB", p.level) : "")
            + (p.width > 0 ? String(format: ", %.0f° wide", p.width) : "")
            + (p.normalisation != 0 ? String(format: ", normalised by %+.1f dB", p.normalisation) : "")
            + (p.drc != "none" ? String(format: ", %@ (now %+.1f dB in all)", p.drc, p.dynamicsGain) : "")
            + (p.renditions.map(renditions) ?? "") + (p.talkers.map(talkers) ?? "")
            + (p.heardScale.map { ", SEEMS TO BE \($0) (see 'ctl ambisonics')" } ?? "")
            + (p.isMultichannelUnused ? "; multichannel, folded down (see 'ctl spatialize all')" : "")
    }

    /// Returns the number of talkers detected, and their azimuths.
    private static func talkers(_ talkers: [TalkerStatus]) -> String {
        let count = talkers.count == 1 ? "1 talker" : talkers.isEmpty ? "no talkers" : "\(talkers.count) talkers"
        return ", \(count)" + (talkers.isEmpty ? "" : " at " + talkers.map(\.words).joined(separator: " and "))
    }

    /// Returns the rendition that plays, the connected ones, and their differences in time and loudness.
    private static func renditions(_ r: RenditionStatus) -> String {
        let there = [r.hasMultichannel ? "multichannel" : nil, r.hasStereo ? "stereo" : nil].compactMap { $0 }
        let connected = there.isEmpty ? "nothing" : there.joined(separator: " and ")
        return ", plays \(r.playing) (\(r.wanted)), connected: \(connected)"
            + (r.lag.map { String(format: ", stereo %+.2f ms later", $0) } ?? "")
            + (r.loudnessDifference.map { String(format: ", multichannel %+.1f LU louder", $0) } ?? "")
    }

    /// Returns the loudness meters, one line each.
    static func loudness(_ l: LoudnessStatus) -> [String] {
        var lines = l.inputs.map { "\($0.name): \($0.readings.line)" }
        lines.append("ears: \(l.ears.line) (informative)")
        if l.lostFrames > 0 { lines.append("\(l.lostFrames) frames were not measured: the machine is too slow") }
        return lines
    }

    /// Returns words on muted, paused or ducked playback; nil in normal playback.
    static func warning(_ p: PlaybackStatus) -> String? {
        switch p.state {
        case "held": "MUTED: route lost, p resumes"
        case "paused": "paused"
        default: p.interruptions.isEmpty ? nil : "ducked"
        }
    }

    /// Returns the ports that both ears are connected to, and the reaction to their loss.
    private static func route(_ p: PlaybackStatus) -> String {
        let ports =
            p.left.isEmpty && p.right.isEmpty
            ? "not connected" : "\(p.left.joined(separator: " + ")) | \(p.right.joined(separator: " + "))"
        let state = p.state == "held" ? "MUTED, \(p.lost.joined(separator: ", ")) lost ('ctl resume'); now " : ""
        return state + ports + " (on loss: \(p.onRouteLoss.rawValue))"
    }

    /// Returns the whole state, one line per item; of a session without a stage the phase alone.
    static func page(_ answer: StatusAnswer) -> String {
        switch answer {
        case .whole(let status): page(status)
        case .phase(let phase): lines([("phase", words(phase))])
        }
    }

    /// Returns a phase, its preparation step, and the duration of that step.
    private static func words(_ phase: PhaseStatus) -> String {
        phase.words + (phase.preparingFor.map { String(format: ", for %.0f s", $0) } ?? "")
    }

    /// Returns a peak in dBFS; `-inf` at −200 dBFS and below.
    private static func peak(_ decibels: Double) -> String {
        decibels > -200 ? String(format: "%.1f", decibels) : "-inf"
    }

    /// Returns an angle rounded to 0.1°; zero has no sign.
    private static func rounded(_ degrees: Double) -> Double { (degrees * 10).rounded() / 10 + 0 }

    private static func lines(_ lines: [(name: String, text: String)]) -> String {
        let width = 1 + (lines.map(\.name.count).max() ?? 0)
        return lines.map { $0.name.padding(toLength: width, withPad: " ", startingAt: 0) + $0.text }.joined(
            separator: "\n")
    }

    private static func page(_ s: SessionStatus) -> String {
        var lines = [
            ("phase", words(StatusAnswer.whole(s).phase)),
            ("client", "\(s.client), \(s.layout), HRTF \(s.hrtf)"),
            ("room", s.room.map { "\($0.name)\($0.isOn ? "" : ", off (dry)")" } ?? "none (dry)"),
            ("headphones", s.headphones.map { "\($0.name)\($0.isOn ? "" : ", off (as loud)")" } ?? "no equalisation"),
        ]
        if s.scenes.count > 1 {
            lines.append(
                (
                    "scene",
                    s.scene.map { "\($0) of \(s.scenes.joined(separator: ", "))" } ?? "blind: two are being compared"
                ))
        }
        lines += s.programmes.map { ($0.isEffect ? "effect" : "input", input($0)) }
        if !s.plugins.isEmpty { lines += plugins(s.plugins).map { ("plugin", $0) } }
        if let words = s.monitor.words { lines.append(("monitor", words)) }
        lines += (s.playback.unconnectedInputs ?? []).map { ("input", "\($0): NO SOURCE CONNECTED") }
        lines.append(("route", route(s.playback)))
        lines += s.playback.interruptions.map {
            (
                "stage",
                "interrupted by \($0.name): \($0.effect)" + ($0.awaitsResume ? ", ended; awaits 'ctl resume'" : "")
            )
        }
        if let seconds = s.serverGoneFor {
            lines.append(("server", String(format: "JACK has been gone for %.0f s; the session waits for it", seconds)))
        }
        lines += [
            (
                "audio",
                String(
                    format: "%.0f Hz, period %d%@%@", s.sampleRate, s.period,
                    // The slice is 0 in a blind comparison of two scenes, because slice and latency could identify a
                    // scene.
                    s.slice > 0 ? ", slice \(s.slice), latency \(s.latencyFrames) frames" : "",
                    s.freewheeling ? ", freewheeling" : "")
            ),
            ("stream", String(format: "%.2f s", Double(s.streamFrame) / s.sampleRate)),
            (
                "pose",
                String(
                    format: "yaw %+.1f° pitch %+.1f° roll %+.1f° (%@)", rounded(s.yaw), rounded(s.pitch),
                    rounded(s.roll), s.mode)
            ),
        ]
        for (name, stream) in [("head", s.head), ("device", s.device)] {
            guard let stream else { continue }
            let age = stream.ageSeconds.map { String(format: "%.0f ms old", $0 * 1000) } ?? "nothing received"
            lines.append(
                (
                    name,
                    String(
                        format: "%@, %@, %.0f Hz, %d received, %d dropped%@", stream.tracker, age, stream.rateHertz,
                        stream.received, stream.droppedTotal, stream.fresh ? "" : ", STALE")
                ))
            for complaint in stream.complaints { lines.append((name, complaint.words)) }
        }
        if !s.inputPeaks.isEmpty {
            lines.append(("inputs", s.inputPeaks.map(peak).joined(separator: " ") + " dBFS"))
        }
        if !s.outputPeaks.isEmpty {
            lines.append(
                (
                    "outputs",
                    s.outputPeaks.map(peak).joined(separator: " ") + " dBFS"
                        + (s.clipped ? ", CLIPPED before the limiter" : "")
                        + String(format: ", limiter %.1f dB", s.gainReduction)
                ))
        }
        lines += (s.loudness.map(loudness) ?? []).map { ("loudness", $0) }
        let overTime = zip([", mean %.1f %%", ", maximum %.1f %%"], [s.loadMean, s.loadMaximum]).map { form, load in
            load.map { String(format: form, $0 * 100) } ?? ""
        }
        lines.append(
            (
                "load",
                String(format: "%.1f %% of the period", s.load * 100) + overTime.joined() + ", \(s.xruns) xruns"
            ))
        if s.nonFiniteSamples > 0 {
            lines.append(
                (
                    "input",
                    "\(s.nonFiniteSamples) samples were not finite or above +120 dBFS (set to 0 or limited to it)"
                ))
        }
        lines += s.recordings.map { ("record", recording($0)) }
        if s.recordings.isEmpty, let folder = s.recordingsFolder {
            lines.append(("record", "off; takes go to \(folder)"))
        }
        if s.recorderLost > 0 { lines.append(("recorder", "\(s.recorderLost) frames lost: the disk is too slow")) }
        return Self.lines(lines)
    }
}
