import AudioIO
import Gate
import Geometry
import Glibc
import IMU
import Signal
import Takes

/// A take of a capture: sound field, stereo, safety track, orientation and markers, in parts that follow each other
/// without a frame lost or twice.
///
/// A part ends where its field would grow over a limit, or where the disk is full; the next (`NAME-2.wav`) begins with
/// the very next frame, in the latter case as soon as there is room again. What is written is told by the headers ten
/// times a second and brought to the disk four times a second. One thread at a time, not the audio thread; parts are
/// completed on a thread of their own, since that may wait for the disk.
package final class CaptureTake {
    /// What is asked of a take.
    package struct Settings: Sendable {
        /// The field's file: WAV, RF64 or BW64.
        package var path: String
        /// Bytes of the largest of a part's files after which the next part begins.
        package var partBytes: Int
        /// Whether there is a safety track, 12 dB lower and before any gain.
        package var hasSafety: Bool
        /// Which files of the first part's names are replaced when it is complete.
        package var replacement: Replacement

        /// The largest WAV file that every program reads, less what stands around the sound.
        package static let largestPart = 4_294_000_000
        /// Shortest part that may be asked for.
        package static let smallestPart = 1_000_000

        /// Settings as given.
        package init(
            path: String, partBytes: Int = largestPart, hasSafety: Bool = true,
            replacement: Replacement = .nothing
        ) {
            (self.path, self.partBytes, self.hasSafety) = (path, partBytes, hasSafety)
            self.replacement = replacement
        }
    }

    /// Bytes that must be free before a take that ran out of room goes on.
    private static let room = 16_000_000
    /// Seconds between two headers.
    private static let headerInterval = 0.1
    /// Seconds between two looks for room.
    private static let roomInterval = 1.0

    /// As it was asked for.
    package let settings: Settings
    /// Frames in files.
    package private(set) var frameCount = 0
    /// Frames that found no room.
    package private(set) var lostFrames = 0
    /// The part that grows; nil while there is no room.
    private var part: CapturePart?
    /// Frame of the take with which the part begins.
    private var partStart = 0
    private var lastPath: String
    private let sampleRate: SampleRate
    private let disk: DiskKeeper
    private let finishing: PartFinisher
    private var nextHeader = 0.0
    private var keptTexts = 0
    private var nextLook = 0.0
    /// The device's turns of the last seconds, in seconds of the take: what the next part begins with is among them,
    /// since turns are noted some time before their sound is written.
    private var turns: [TakeTurn] = []
    /// Seconds of turns that are remembered: more than the sound is late.
    private static let memory = 2.0

    /// Opens the first part.
    ///
    /// - Parameter completing: where parts are completed; on threads of their own unless said.
    /// - Throws: as `SoundFileWriter`; `unknownFormat` where the name is not WAV's, RF64's or BW64's.
    package init(
        _ settings: Settings, sampleRate: SampleRate, completing: Dispatching? = nil
    ) throws(SoundFileError) {
        self.settings = settings
        self.sampleRate = sampleRate
        finishing = PartFinisher(completing ?? PartFinisher.threads)
        lastPath = settings.path
        guard let format = SoundFileFormat(path: settings.path), [.wav, .rf64, .bw64].contains(format) else {
            throw .unknownFormat(path: settings.path, known: [".wav", ".rf64", ".bw64"])
        }
        do throws(WorkerError) { disk = try DiskKeeper() } catch {
            throw .system(path: settings.path, reason: error.description)
        }
        do throws(SoundFileError) {
            part = try CapturePart(
                path: settings.path, sampleRate: sampleRate, hasSafety: settings.hasSafety,
                replacement: settings.replacement)
        } catch {
            disk.end()
            throw error
        }
        keepOnDisk()
    }

    deinit { disk.end() }

    /// The file that grows, as it was named; the last where none does.
    package var path: String { part?.path ?? lastPath }

    /// Whether it waits for room.
    package var isOutOfRoom: Bool { part == nil }

    /// Appends frames W Y Z X L R, and those before gains for the safety track; what happened meanwhile.
    ///
    /// - Parameter now: seconds of any clock that goes on evenly.
    package func write(
        _ block: borrowing PlanarBlock, safety plain: borrowing PlanarBlock, frames: Int, now: Double
    ) -> [CaptureIncident] {
        var incidents: [CaptureIncident] = []
        var done = 0
        while done < frames {
            if part == nil, !reopen(now, &incidents) {
                lostFrames += frames - done
                break
            }
            guard let part else { break }
            let left = max(0, settings.partBytes / part.frameBytes - part.frameCount)
            let count = min(frames - done, left)
            do throws(SoundFileError) {
                if count > 0 { try part.write(block, safety: plain, from: done, frames: count) }
            } catch {
                end(&incidents, because: Self.reason(error))
                nextLook = now + Self.roomInterval
                continue
            }
            done += count
            frameCount += count
            if count == left { advance(&incidents) }
        }
        if now >= nextHeader {
            part?.refreshHeaders()
            // A text begins with what is first in it.
            if part?.textCount ?? 0 != keptTexts { keepOnDisk() }
            nextHeader = now + Self.headerInterval
        }
        incidents += finishing.incidents()
        return incidents
    }

    /// Sets a marker at a frame of the take; false where there is no part that it lies in.
    package func mark(_ name: String, at frame: Int) throws(SoundFileError) -> Bool {
        guard let part, frame >= partStart else { return false }
        do throws(TakeError) { try part.mark(name, at: frame - partStart) } catch { throw SoundFileError(error) }
        return true
    }

    /// Notes how the device was turned, at seconds of the take that rise. What lies before the part that grows says how
    /// the device was turned at its beginning.
    package func note(_ turn: TakeTurn) throws(SoundFileError) {
        let before = turns.last
        turns.append(turn)
        if turns[0].time < turn.time - 2 * Self.memory { turns.removeAll { $0.time < turn.time - Self.memory } }
        guard let part else { return }
        let time = turn.time - Double(partStart) / sampleRate.hertz
        guard time >= 0 else { return }
        do throws(TakeError) {
            if part.lastTurn == nil, time > 0, let before {
                let share = 1 - time / (turn.time - before.time)
                try part.note(.init(time: 0, fieldToWorld: before.fieldToWorld.slerp(to: turn.fieldToWorld, share)))
            }
            try part.note(.init(time: time, fieldToWorld: turn.fieldToWorld))
        } catch {
            throw SoundFileError(error)
        }
    }

    /// Has a part that begins know how the device was turned at its beginning and, as far as that is known, after it.
    private func begin(_ part: CapturePart) throws(TakeError) {
        let start = Double(partStart) / sampleRate.hertz
        guard let track = OrientationTrack(turns) else { return }
        try part.note(.init(time: 0, fieldToWorld: track.pose(at: start).quaternion))
        for turn in turns where turn.time > start {
            try part.note(.init(time: turn.time - start, fieldToWorld: turn.fieldToWorld))
        }
    }

    /// Ends with what was written, and has its files completed, without waiting for that. Nothing is written any more.
    package func end() {
        if let part {
            lastPath = part.path
            finishing.finish(part)
            self.part = nil
        }
        disk.end()
    }

    /// What came of its parts since that was last asked for.
    package func incidents() -> [CaptureIncident] { finishing.incidents() }

    /// Whether none of its parts grows or is being completed.
    package var isComplete: Bool { part == nil && finishing.isIdle }

    /// Completes all parts, waiting for the disk so many seconds; what happened.
    package func finish(within seconds: Double = 10) -> [CaptureIncident] {
        end()
        return finishing.wait(seconds)
    }

    private func advance(_ incidents: inout [CaptureIncident]) {
        end(&incidents, because: nil)
        _ = open(&incidents)
    }

    /// Ends the part that grows.
    private func end(_ incidents: inout [CaptureIncident], because reason: String?) {
        guard let part else { return }
        disk.keep([])
        lastPath = part.path
        self.part = nil
        finishing.finish(part)
        if let reason { incidents.append(outOfRoom(reason)) }
    }

    private func outOfRoom(_ reason: String) -> CaptureIncident {
        .outOfRoom(seconds: sampleRate.seconds(frames: frameCount), reason: reason)
    }

    /// Opens the next part where there is room again.
    private func reopen(_ now: Double, _ incidents: inout [CaptureIncident]) -> Bool {
        guard now >= nextLook else { return false }
        nextLook = now + Self.roomInterval
        var status = statvfs()
        let folder = lastPath.lastIndex(of: "/").map { String(lastPath[..<$0]) } ?? "."
        guard statvfs(folder.isEmpty ? "/" : folder, &status) == 0,
            // A file system may say anything of itself.
            UInt64(status.f_bavail).multipliedSaturated(by: UInt64(status.f_frsize)) >= UInt64(Self.room)
        else { return false }
        return open(&incidents)
    }

    private func open(_ incidents: inout [CaptureIncident]) -> Bool {
        let name = CaptureNames.next(after: lastPath)
        do throws(SoundFileError) {
            part = try CapturePart(
                path: name, sampleRate: sampleRate, hasSafety: settings.hasSafety, replacement: .nothing)
        } catch {
            incidents.append(outOfRoom(Self.reason(error)))
            return false
        }
        lastPath = name
        // Places are counted in all frames that went by.
        partStart = frameCount + lostFrames
        keepOnDisk()
        incidents.append(.nextPart(name))
        do throws(TakeError) { if let part { try begin(part) } } catch {
            incidents.append(.incomplete(error.description))
        }
        return true
    }

    private func keepOnDisk() {
        disk.keep(part?.descriptorsForDisk ?? [])
        keptTexts = part?.textCount ?? 0
    }

    private static func reason(_ error: SoundFileError) -> String {
        switch error {
        case .stopped(_, _, _, let reason): reason
        case .diskFull(_, _, let reason): reason
        default: error.description
        }
    }
}
