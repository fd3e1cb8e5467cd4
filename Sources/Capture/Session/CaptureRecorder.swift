import AudioIO
import Geometry
import Signal
import Takes

/// Takes of a capture, one after the other. The output of the chain is written to the growing take. Between takes it is
/// stored for the pre-roll of the next one (`TakeLead`). The same applies to markers and to orientations of the device.
/// Must be used by one thread at a time.
final class CaptureRecorder {
    /// A growing take, and its first frame.
    private struct Growing {
        let take: CaptureTake
        let start: Int
    }

    /// Frames output by the chain, including the first `delayFrames` frames, which are dropped.
    private(set) var processed = 0
    /// Number of markers of the present or last take.
    private(set) var markers = 0
    /// Frames lost at the inputs during the present or last take.
    private(set) var lostInTake = 0
    private let sampleRate: SampleRate
    private let eventLog: CaptureEventLog
    private var series: TakeSeries
    private var growing: Growing?
    private var ending = EndingTakes()
    private var completions: [TakeCompletion] = []
    /// Beginning of the next take.
    private var lead: TakeLead
    /// First frame with sound. It follows the chain's initial latency, and also the silence that flushed the chain at
    /// the end of a take.
    private var soundFrom: Int

    /// Creates a recorder without a take. The first `delayFrames` frames are dropped. A take begins with a pre-roll of
    /// up to `seconds`.
    init(
        _ settings: CaptureTake.Settings, preRoll seconds: Double, sampleRate: SampleRate, delayFrames: Int,
        completing: Dispatching?, eventLog: CaptureEventLog
    ) {
        self.sampleRate = sampleRate
        self.eventLog = eventLog
        series = TakeSeries(settings, completing: completing)
        soundFrom = delayFrames
        lead = TakeLead(seconds: seconds, sampleRate: sampleRate)
    }

    /// Whether a take is growing.
    var isRecording: Bool { growing != nil }

    /// Length of the growing take, seconds; nil if there is none.
    var seconds: Double? { growing.map { Double($0.take.frameCount) / sampleRate.hertz } }

    /// Length of the pre-roll with which a take would begin, seconds.
    var preRollSeconds: Double { Double(lead.count) / sampleRate.hertz }

    /// Whether the growing take is waiting for disk space.
    var isOutOfRoom: Bool { growing?.take.isOutOfRoom ?? false }

    /// Begins a take with the pre-roll.
    func begin(_ now: Double) {
        guard growing == nil else { return eventLog.refuse("a take is being recorded already") }
        guard !ending.isFull else {
            return eventLog.refuse(
                "\(EndingTakes.most) takes wait for the disk, which is slow; ask again when one is complete")
        }
        guard let settings = series.next else {
            return eventLog.refuse(
                "no take can follow \(series.formerPath ?? ""): \(TakeName.exhaustion)")
        }
        do throws(SoundFileError) {
            let take = try series.open(settings, sampleRate: sampleRate)
            let start = max(processed, soundFrom) - lead.count
            growing = Growing(take: take, start: start)
            (markers, lostInTake) = (0, 0)
            eventLog.tell(.began(path: settings.path, preRoll: preRollSeconds))
            writePreRoll(take, from: start, now)
            for one in lead.takeRemarks() where one.frame >= start {
                remark(one.name, at: one.frame, lost: one.lostFrames)
            }
        } catch {
            eventLog.refuse(error.description)
        }
    }

    /// Writes the pre-roll to a take that begins at frame `start`, with the orientations at its frames.
    private func writePreRoll(_ take: CaptureTake, from start: Int, _ now: Double) {
        let both = PlanarBlock(channels: 12, frames: CaptureChain.mostFrames)
        let safety = PlanarBlock(channels: 6, frames: CaptureChain.mostFrames)
        var known = lead.turns[...]
        var written = start
        while case let count = lead.takeSound(into: both, limit: CaptureChain.mostFrames), count > 0 {
            written += count
            while let turn = known.first, turn.frame < written {
                give(turn)
                known = known.dropFirst()
            }
            for channel in 0..<6 { Samples.copy(both[6 + channel], to: safety[channel], count: count) }
            eventLog.tell(take.write(both, safety: safety, frames: count, now: now))
        }
        for turn in known { give(turn) }
    }

    /// Writes the chain's output to the take, or stores it for the pre-roll of the next one if there is no take.
    func write(_ chain: CaptureChain, frames: Int, now: Double) {
        // Frames before `soundFrom` are dropped. They are the response to silence before the first sound, or at the end
        // of a take.
        let first = min(frames, max(0, soundFrom - processed))
        defer { processed += frames }
        guard first < frames else { return }
        if first > 0 {
            for channel in 0..<6 {
                for i in first..<frames {
                    chain.output[channel][i - first] = chain.output[channel][i]
                    chain.safety[channel][i - first] = chain.safety[channel][i]
                }
            }
        }
        guard let growing else { return lead.keep(chain, frames: frames - first) }
        eventLog.tell(growing.take.write(chain.output, safety: chain.safety, frames: frames - first, now: now))
    }

    /// Ends the take after the frames that were written. To get the last of them, the chain was flushed with silence.
    /// The next `silence` frames from the chain are the response to this silence, and are dropped. Returns the take's
    /// number; nil if there is no take. The take's files are completed in the background.
    func end(silence: Int) -> Int? {
        guard let take = growing?.take else { return nil }
        soundFrom = processed + silence
        growing = nil
        series.end(take)
        return ending.end(take)
    }

    /// Logs takes that are complete.
    func look() { tell(ending.ended()) }

    /// Waits up to `seconds` for the files of ended takes, and logs the results.
    func wait(_ seconds: Double) { tell(ending.wait(seconds)) }

    /// Returns the completions since the last call.
    func takeCompletions() -> [TakeCompletion] {
        defer { completions = [] }
        return completions
    }

    private func tell(_ ended: [EndingTakes.Ended]) {
        for one in ended {
            eventLog.tell(one.incidents)
            completions.append(.init(take: one.number, events: one.incidents.map { .take($0) }))
        }
    }

    /// Stores the field's orientation at a frame, for this take or the next one.
    func note(_ turn: DeviceTurns.Turn) {
        if lead.keep(turn, processed: processed) { give(turn) }
    }

    /// Writes an orientation to the growing take, if there is one.
    private func give(_ turn: DeviceTurns.Turn) {
        guard let growing else { return }
        let time = Double(turn.frame - growing.start) / sampleRate.hertz
        do throws(SoundFileError) {
            try growing.take.note(TakeTurn(time: time, fieldToWorld: turn.fieldToWorld))
        } catch {
            eventLog.refuse(error.description)
        }
    }

    /// Sets a marker of an event at a frame: in the growing take, otherwise in the next take if the pre-roll of that
    /// take contains the frame.
    func remark(_ name: String, at frame: Int, lost: Int = 0) {
        guard growing != nil else {
            return lead.keep(TakeLead.Remark(name: name, frame: frame, lostFrames: lost), processed: processed)
        }
        if lost > 0 {
            lostInTake += lost
            eventLog.tell(.lost(frames: lost))
        }
        _ = set(name, at: frame)
    }

    /// Sets a requested marker. Without a name the marker is numbered.
    func mark(_ name: String?, at frame: Int) {
        guard growing != nil else { return eventLog.refuse("there is no take to mark") }
        let name = name ?? "marker \(markers + 1)"
        guard !set(name, at: frame) else { return }
        eventLog.refuse(
            growing?.take.isOutOfRoom ?? true
                ? "the marker '\(name)' is not set: the disk is full"
                : "the marker '\(name)' is not set: its sound is in a part that is complete")
    }

    /// Sets a marker. Returns false if its frame precedes the growing part of the take (a set of files), or if no part
    /// is growing. A failure to write the marker is only logged.
    private func set(_ name: String, at frame: Int) -> Bool {
        guard let growing else { return false }
        let place = max(0, frame - growing.start)
        do throws(SoundFileError) {
            guard try growing.take.mark(name, at: place) else { return false }
            markers += 1
            eventLog.tell(.marker(name: name, seconds: Double(place) / sampleRate.hertz))
        } catch {
            eventLog.refuse(error.description)
        }
        return true
    }
}
