import AudioIO
import Gate
import Geometry
import Glibc
import IMU
import Signal
import Takes

/// A take of a capture: sound field, stereo rendition, safety track (a copy at a lower level), orientations and
/// markers, in consecutive parts. No frame is repeated, and none is lost unless the disk is full.
///
/// A part ends when its largest file reaches a limit, or when a write fails, usually because the disk is full. The next
/// part (`NAME-2.wav`) begins with the next frame, or after a full disk with the first frame for which there is space
/// again. Headers are updated ten times a second; files are synced to the disk four times a second. Must be used by one
/// thread at a time, not by the audio thread. Parts are completed on other threads, because completion may wait for the
/// disk.
package final class CaptureTake {
    /// Settings of a take.
    package struct Settings: Sendable {
        /// Path of the field's file: WAV, RF64 or BW64.
        package var path: String
        /// Greatest size of a part's sound files, bytes. A new part begins at this size.
        package var partBytes: Int
        /// Whether a safety track is written, 12 dB lower and without the gain.
        package var hasSafety: Bool
        /// Existing files that the first part replaces on completion.
        package var replacement: Replacement

        /// Size of the largest WAV file that every program can read, minus its headers, bytes.
        package static let largestPart = 4_294_000_000

        /// Creates settings.
        package init(
            path: String, partBytes: Int = largestPart, hasSafety: Bool = true,
            replacement: Replacement = .nothing
        ) {
            (self.path, self.partBytes, self.hasSafety) = (path, partBytes, hasSafety)
            self.replacement = replacement
        }
    }

    /// Free disk space that is needed to continue a take after a full disk, bytes.
    private static let room = 16_000_000
    /// Interval between two checks of the disk space, seconds.
    private static let roomInterval = 1.0

    /// Settings of the take.
    package let settings: Settings
    /// Frames written to files.
    package private(set) var frameCount = 0
    /// Frames lost because the disk was full.
    package private(set) var lostFrames = 0
    /// Growing part; nil while the disk is full, or after the end of the take.
    private var part: CapturePart?
    /// First frame of the part, in frames of the take.
    private var partStart = 0
    private var lastPath: String
    private let sampleRate: SampleRate
    private var keeper: PartKeeper
    private let finishing: PartFinisher
    private var nextLook = 0.0
    /// Orientations of the last seconds, with times of the take. An orientation arrives before the sound of its time is
    /// written, so the orientations at the beginning of the next part are already among them.
    private var turns: [TakeTurn] = []
    /// Shortest time for which an orientation is stored, seconds. It is longer than the latency of the sound.
    private static let memory = 2.0

    /// Opens the first part.
    ///
    /// - Parameter completing: runs the completion of parts; nil uses one thread for each.
    /// - Throws: as `SoundFileWriter`; `unknownFormat` if the name is not that of a WAV, RF64 or BW64 file.
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
        do throws(WorkerError) { keeper = try PartKeeper() } catch {
            throw .system(path: settings.path, reason: error.description)
        }
        do throws(SoundFileError) {
            part = try CapturePart(
                path: settings.path, sampleRate: sampleRate, hasSafety: settings.hasSafety,
                replacement: settings.replacement)
        } catch {
            keeper.end()
            throw error
        }
        keeper.keep(part)
    }

    deinit { keeper.end() }

    /// Path of the growing part's field. If no part is growing, path of the last part's field.
    package var path: String { part?.path ?? lastPath }

    /// Whether no part is growing, because the disk is full or the take has ended.
    package var isOutOfRoom: Bool { part == nil }

    /// Appends frames: sound field W Y Z X, and stereo rendition L R. `plain`: frames of the safety track, without the
    /// gain. Returns the incidents since the last call.
    ///
    /// - Parameter now: time of any monotonic clock, seconds.
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
        keeper.look(at: part, now: now)
        incidents += finishing.incidents()
        return incidents
    }

    /// Sets a marker at a frame of the take. Returns false if the frame precedes the growing part, or if no part is
    /// growing.
    package func mark(_ name: String, at frame: Int) throws(SoundFileError) -> Bool {
        guard let part, frame >= partStart else { return false }
        do throws(TakeError) { try part.mark(name, at: frame - partStart) } catch { throw SoundFileError(error) }
        return true
    }

    /// Writes the field's orientation. Its time is relative to the take, in seconds, and must ascend. An orientation
    /// before the growing part is used to interpolate the orientation at its beginning.
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

    /// Writes the orientation at the beginning of a new part, and the stored orientations after it.
    private func begin(_ part: CapturePart) throws(TakeError) {
        let start = Double(partStart) / sampleRate.hertz
        guard let track = OrientationTrack(turns) else { return }
        try part.note(.init(time: 0, fieldToWorld: track.pose(at: start).quaternion))
        for turn in turns where turn.time > start {
            try part.note(.init(time: turn.time - start, fieldToWorld: turn.fieldToWorld))
        }
    }

    /// Ends the take. The completion of the take's files begins; the call does not wait for its end. No frames may be
    /// written afterwards.
    package func end() {
        if let part {
            lastPath = part.path
            finishing.finish(part)
            self.part = nil
        }
        keeper.end()
    }

    /// Returns the incidents of completed parts since the last call.
    package func incidents() -> [CaptureIncident] { finishing.incidents() }

    /// Whether no part is growing and none is being completed.
    package var isComplete: Bool { part == nil && finishing.isIdle }

    /// Ends the take, and waits up to `seconds` for the completion of all parts. Returns the incidents.
    package func finish(within seconds: Double = TakeFile.patience) -> [CaptureIncident] {
        end()
        return finishing.wait(seconds)
    }

    private func advance(_ incidents: inout [CaptureIncident]) {
        end(&incidents, because: nil)
        _ = open(&incidents)
    }

    /// Ends the growing part. `reason`: reason of a failed write; nil at the size limit.
    private func end(_ incidents: inout [CaptureIncident], because reason: String?) {
        guard let part else { return }
        keeper.keep(nil)
        lastPath = part.path
        self.part = nil
        finishing.finish(part)
        if let reason { incidents.append(outOfRoom(reason)) }
    }

    private func outOfRoom(_ reason: String) -> CaptureIncident {
        .outOfRoom(seconds: sampleRate.seconds(frames: frameCount), reason: reason)
    }

    /// Opens the next part if there is disk space again. Returns whether it was opened.
    private func reopen(_ now: Double, _ incidents: inout [CaptureIncident]) -> Bool {
        guard now >= nextLook else { return false }
        nextLook = now + Self.roomInterval
        var status = statvfs()
        let folder = lastPath.lastIndex(of: "/").map { String(lastPath[..<$0]) } ?? "."
        guard statvfs(folder.isEmpty ? "/" : folder, &status) == 0,
            // A file system may report any numbers. The product must not overflow.
            UInt64(status.f_bavail).multipliedSaturated(by: UInt64(status.f_frsize)) >= UInt64(Self.room)
        else { return false }
        return open(&incidents)
    }

    private func open(_ incidents: inout [CaptureIncident]) -> Bool {
        guard let name = CaptureNames.next(after: lastPath) else {
            incidents.append(outOfRoom(TakeName.exhaustion))
            return false
        }
        do throws(SoundFileError) {
            part = try CapturePart(
                path: name, sampleRate: sampleRate, hasSafety: settings.hasSafety, replacement: .nothing)
        } catch {
            incidents.append(outOfRoom(Self.reason(error)))
            return false
        }
        lastPath = name
        // The frames of the take include the lost ones.
        partStart = frameCount + lostFrames
        keeper.keep(part)
        incidents.append(.nextPart(name))
        do throws(TakeError) { if let part { try begin(part) } } catch {
            incidents.append(.incomplete(error.description))
        }
        return true
    }

    private static func reason(_ error: SoundFileError) -> String {
        switch error {
        case .stopped(_, _, _, let reason): reason
        case .diskFull(_, _, let reason): reason
        default: error.description
        }
    }
}
