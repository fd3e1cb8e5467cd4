import AudioIO
import Geometry
import Signal
import Takes

/// The takes of a capture, one after the other: what comes out of the chain goes into the take that grows, or waits for
/// the next as its pre-roll; markers and turns of the device likewise. One thread.
final class CaptureRecorder {
    /// Something that happened at a frame while no take grew, to be told by one that begins before it.
    private struct Remark {
        var name: String
        var frame: Int
        var lostFrames: Int
    }

    /// Frames that came out of the chain, the first `delayFrames` of which are dropped.
    private(set) var processed = 0
    /// Markers of the take, or of the last one.
    private(set) var markers = 0
    /// Frames of the take, or of the last one, that did not come in.
    private(set) var lostInTake = 0
    private let settings: CaptureTake.Settings
    private let sampleRate: SampleRate
    private let completing: Dispatching?
    private let eventLog: CaptureEventLog
    private var take: CaptureTake?
    private var ending = EndingTakes()
    private var completions: [TakeCompletion] = []
    private var nextPath: String
    private var preRoll: PreRoll
    private let both = PlanarBlock(channels: 12, frames: CaptureChain.mostFrames)
    /// The frame with which the take begins.
    private var takeStart = 0
    /// The first frame that has sound behind it: neither the silence that a chain begins with,
    /// nor that by which a take was ended.
    private var soundFrom: Int
    private var remarks: [Remark] = []
    private var turns = DeviceTurns()

    /// No take yet; the first `delayFrames` frames are dropped, and a take begins with `seconds` from before it.
    init(
        _ settings: CaptureTake.Settings, preRoll seconds: Double, sampleRate: SampleRate, delayFrames: Int,
        completing: Dispatching?, eventLog: CaptureEventLog
    ) {
        self.settings = settings
        self.sampleRate = sampleRate
        self.completing = completing
        self.eventLog = eventLog
        soundFrom = delayFrames
        nextPath = settings.path
        preRoll = PreRoll(channels: 12, frames: Int(seconds * sampleRate.hertz))
    }

    /// Whether a take grows.
    var isRecording: Bool { take != nil }

    /// Seconds of the take; nil where none grows.
    var seconds: Double? { take.map { Double($0.frameCount) / sampleRate.hertz } }

    /// Seconds that would be in a take from before its beginning.
    var preRollSeconds: Double { Double(preRoll.count) / sampleRate.hertz }

    /// Whether the take that grows waits for room.
    var isOutOfRoom: Bool { take?.isOutOfRoom ?? false }

    /// Begins a take with what is kept from before.
    func begin(_ now: Double) {
        guard take == nil else { return eventLog.refuse("a take is being recorded already") }
        guard !ending.isFull else {
            return eventLog.refuse(
                "\(EndingTakes.most) takes wait for the disk, which is slow; ask again when one is complete")
        }
        var settings = settings
        // A name that was found free replaces no file.
        if nextPath != settings.path { settings.replacement = .nothing }
        settings.path = nextPath
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

    /// Hands what is kept to a take, with the turns of its frames.
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

    /// Hands frames that came out of a chain to the take, or keeps them for the next.
    func write(_ chain: CaptureChain, frames: Int, now: Double) {
        // Before the first sound has gone through there is nothing to hear. A take ends with what is behind its own.
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

    /// Ends the take behind the frames that were written, the last of which brought out what was still in the chain:
    /// the next `silence` frames are the answer to the silence that was fed for it, and dropped. The number by which it
    /// is told, nil where there is none. Its files are completed meanwhile.
    func end(silence: Int) -> Int? {
        guard let take else { return nil }
        soundFrom = processed + silence
        self.take = nil
        nextPath = CaptureNames.next(after: take.path)
        return ending.end(take)
    }

    /// Tells of takes that have become complete.
    func look() { tell(ending.ended()) }

    /// Waits so many seconds for takes that have ended, and tells of them.
    func wait(_ seconds: Double) { tell(ending.wait(seconds)) }

    /// Completions since this was last asked.
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

    /// Notes how the field was turned at a frame, for this take or the next.
    func note(_ turn: DeviceTurns.Turn) {
        if turns.keep(turn, oldest: processed - preRoll.capacity) { give(turn) }
    }

    /// Hands a turn to the take.
    private func give(_ turn: DeviceTurns.Turn) {
        let time = Double(turn.frame - takeStart) / sampleRate.hertz
        do throws(SoundFileError) {
            try take?.note(TakeTurn(time: time, fieldToWorld: turn.fieldToWorld))
        } catch {
            eventLog.refuse(error.description)
        }
    }

    /// Marks what happened at a frame, in the take or in the next, where that begins before it.
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

    /// Sets a marker that was asked for; one without a name is numbered.
    func mark(_ name: String?, at frame: Int) {
        guard take != nil else { return eventLog.refuse("there is no take to mark") }
        let name = name ?? "marker \(markers + 1)"
        guard !set(name, at: frame) else { return }
        eventLog.refuse(
            take?.isOutOfRoom ?? true
                ? "the marker '\(name)' is not set: the disk is full"
                : "the marker '\(name)' is not set: its sound is in a part that is complete")
    }

    /// Sets a marker; false where there is no part that its frame lies in.
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
