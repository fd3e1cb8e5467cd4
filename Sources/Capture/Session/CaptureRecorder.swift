import AudioIO
import Geometry
import Signal
import Takes

/// Takes of a capture, one after the other. The output of the chain is written to the growing take, or to the pre-roll
/// of the next take. The same applies to markers and to orientations of the device. One thread at a time.
final class CaptureRecorder {
    /// Marker of an event that occurred while no take was growing. If the pre-roll of the next take contains the frame,
    /// that take gets the marker.
    private struct Remark {
        var name: String
        var frame: Int
        var lostFrames: Int
    }

    /// Frames output by the chain, including the first `delayFrames` frames, which are dropped.
    private(set) var processed = 0
    /// Number of markers of the present or last take.
    private(set) var markers = 0
    /// Frames lost at the inputs during the present or last take.
    private(set) var lostInTake = 0
    private let settings: CaptureTake.Settings
    private let sampleRate: SampleRate
    private let completing: Dispatching?
    private let eventLog: CaptureEventLog
    private var take: CaptureTake?
    private var ending = EndingTakes()
    private var completions: [TakeCompletion] = []
    /// Path of the last part of the former take; nil before the first take has ended.
    private var formerPath: String?
    private var preRoll: PreRoll
    private let both = PlanarBlock(channels: 12, frames: CaptureChain.mostFrames)
    /// First frame of the take.
    private var takeStart = 0
    /// First frame with sound. It follows the chain's initial latency, and also the silence that flushed the chain at
    /// the end of a take.
    private var soundFrom: Int
    private var remarks: [Remark] = []
    private var turns = DeviceTurns()

    /// Creates a recorder without a take. The first `delayFrames` frames are dropped. A take begins with a pre-roll of
    /// up to `seconds`.
    init(
        _ settings: CaptureTake.Settings, preRoll seconds: Double, sampleRate: SampleRate, delayFrames: Int,
        completing: Dispatching?, eventLog: CaptureEventLog
    ) {
        self.settings = settings
        self.sampleRate = sampleRate
        self.completing = completing
        self.eventLog = eventLog
        soundFrom = delayFrames
        preRoll = PreRoll(channels: 12, frames: Int(seconds * sampleRate.hertz))
    }

    /// Whether a take is growing.
    var isRecording: Bool { take != nil }

    /// Length of the growing take, seconds; nil if there is none.
    var seconds: Double? { take.map { Double($0.frameCount) / sampleRate.hertz } }

    /// Length of the pre-roll with which a take would begin, seconds.
    var preRollSeconds: Double { Double(preRoll.count) / sampleRate.hertz }

    /// Whether the growing take is waiting for disk space.
    var isOutOfRoom: Bool { take?.isOutOfRoom ?? false }

    /// Begins a take with the pre-roll.
    func begin(_ now: Double) {
        guard take == nil else { return eventLog.refuse("a take is being recorded already") }
        guard !ending.isFull else {
            return eventLog.refuse(
                "\(EndingTakes.most) takes wait for the disk, which is slow; ask again when one is complete")
        }
        var settings = settings
        // A later take has a free name and replaces no file.
        if let formerPath {
            guard let free = CaptureNames.next(after: formerPath) else {
                return eventLog.refuse("no take can follow \(formerPath): \(TakeName.exhaustion)")
            }
            settings.path = free
            settings.replacement = .nothing
        }
        do throws(SoundFileError) {
            let take = try CaptureTake(settings, sampleRate: sampleRate, completing: completing)
            self.take = take
            takeStart = max(processed, soundFrom) - preRoll.count
            (markers, lostInTake) = (0, 0)
            eventLog.tell(.began(path: settings.path, preRoll: preRollSeconds))
            writePreRoll(take, now)
            let former = remarks
            remarks = []
            for one in former where one.frame >= takeStart { remark(one.name, at: one.frame, lost: one.lostFrames) }
        } catch {
            eventLog.refuse(error.description)
        }
    }

    /// Writes the pre-roll to a take, with the orientations at its frames.
    private func writePreRoll(_ take: CaptureTake, _ now: Double) {
        let safety = PlanarBlock(channels: 6, frames: CaptureChain.mostFrames)
        var known = turns.turns[...]
        var written = takeStart
        while case let count = preRoll.take(into: both, limit: CaptureChain.mostFrames), count > 0 {
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

    /// Writes the chain's output to the take, or to the pre-roll if there is no take.
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
        guard let take else {
            for channel in 0..<6 {
                Samples.copy(chain.output[channel], to: both[channel], count: frames - first)
                Samples.copy(chain.safety[channel], to: both[6 + channel], count: frames - first)
            }
            return preRoll.keep(both, frames: frames - first)
        }
        eventLog.tell(take.write(chain.output, safety: chain.safety, frames: frames - first, now: now))
    }

    /// Ends the take after the frames that were written. To get the last of them, the chain was flushed with silence.
    /// The next `silence` frames from the chain are the response to this silence, and are dropped. Returns the take's
    /// number; nil if there is no take. The take's files are completed in the background.
    func end(silence: Int) -> Int? {
        guard let take else { return nil }
        soundFrom = processed + silence
        self.take = nil
        formerPath = take.path
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
        if turns.keep(turn, oldest: processed - preRoll.capacity) { give(turn) }
    }

    /// Writes an orientation to the take.
    private func give(_ turn: DeviceTurns.Turn) {
        let time = Double(turn.frame - takeStart) / sampleRate.hertz
        do throws(SoundFileError) {
            try take?.note(TakeTurn(time: time, fieldToWorld: turn.fieldToWorld))
        } catch {
            eventLog.refuse(error.description)
        }
    }

    /// Sets a marker of an event at a frame, in the take or in the next take if its pre-roll contains the frame.
    func remark(_ name: String, at frame: Int, lost: Int = 0) {
        guard take != nil else {
            remarks.removeAll { $0.frame < processed - preRoll.capacity }
            return remarks.append(Remark(name: name, frame: frame, lostFrames: lost))
        }
        if lost > 0 {
            lostInTake += lost
            eventLog.tell(.lost(frames: lost))
        }
        _ = set(name, at: frame)
    }

    /// Sets a requested marker. Without a name the marker is numbered.
    func mark(_ name: String?, at frame: Int) {
        guard take != nil else { return eventLog.refuse("there is no take to mark") }
        let name = name ?? "marker \(markers + 1)"
        guard !set(name, at: frame) else { return }
        eventLog.refuse(
            take?.isOutOfRoom ?? true
                ? "the marker '\(name)' is not set: the disk is full"
                : "the marker '\(name)' is not set: its sound is in a part that is complete")
    }

    /// Sets a marker. Returns false if no growing part contains its frame.
    private func set(_ name: String, at frame: Int) -> Bool {
        guard let take else { return false }
        let place = max(0, frame - takeStart)
        do throws(SoundFileError) {
            guard try take.mark(name, at: place) else { return false }
            markers += 1
            eventLog.tell(.marker(name: name, seconds: Double(place) / sampleRate.hertz))
        } catch {
            eventLog.refuse(error.description)
        }
        return true
    }
}
