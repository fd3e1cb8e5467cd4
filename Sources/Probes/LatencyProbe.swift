import AudioIO
import Desk
import Foundation
import HeadTracking
import Loading
import Measurement
import MotionLogs
import Rendering
import Session
import Signal
import Stages
import Trackers

/// Measures the motion-to-sound latency: runs a session on the JACK server, plays periodic noise into it, turns the
/// simulated head by UDP packets, and finds the onset of each turn in the recorded samples.
package enum LatencyProbe {
    /// Runs the measurement in real time: half a second for each step, which is a turn of the head, and some seconds
    /// more.
    ///
    /// - Parameters:
    ///   - slice: frames per slice, the block in which the renderer works.
    ///   - connectOut: ports to which the outputs are connected; their latency, at least one period, is included. If it
    ///     is nil, the outputs are not connected, and one period counts as their latency.
    ///   - progress: receives the fraction done. If it returns false, the measurement ends with an error.
    package static func measure(
        steps: Int, slice: Int = 64, connectOut: String? = nil, progress: (Double) -> Bool
    ) async throws(SessionError) -> LatencyReport {
        let folder: LatencyFolder
        do throws(LatencyError) { folder = try LatencyFolder() } catch {
            throw SessionError(.environment, error.description)
        }
        defer { folder.remove() }
        let (sound, motion) = (folder.ears, folder.motion)
        let (live, port) = try await session(slice: slice, connectOut: connectOut, sound: sound, motion: motion)
        var sender: StepSender?
        let status: SessionStatus
        let sent: [StepSender.Step]
        do throws(SessionError) {
            // The recorder already runs. Its first frame is at stream time 0.
            if case .refused(let reason) = await live.perform(.start(frame: nil)) {
                throw SessionError(.environment, reason)
            }
            status = await live.status()
            let programme = folder.programme
            try write(
                programme, rate: status.sampleRate, seconds: 0.55 * Double(steps) + 8,
                repetition: LatencyRecording.repetition(forPeriod: status.period))
            let player = try JACKPlayer.probing(programme, into: status.client)
            player.play(atFrame: player.frameTime)
            let turning = try sending { () throws(StepSenderError) in try StepSender(port: port) }
            sender = turning
            do throws(WorkerError) { try turning.start(steps: steps, after: 2) } catch {
                throw SessionError(.environment, error.description)
            }
            while turning.count < steps {
                if await live.hasEnded { try await live.waitForEnd() }
                guard progress(Double(turning.count) / Double(steps)) else {
                    throw SessionError(.interrupted, "stopped")
                }
                try? await Task.sleep(for: .milliseconds(50))
            }
            sent = turning.finish()
            sender = nil
        } catch {
            _ = sender?.finish(early: true)
            try? await live.end()
            throw error
        }
        let skipped = await live.status().skippedFrames - status.skippedFrames
        try await live.end()
        let recording = try recording(sound, try MotionRecording(at: motion), sent, status)
        let delays: [MotionDelay]
        do throws(LatencyError) { delays = try recording.delays() } catch {
            throw SessionError(.environment, error.description)
        }
        return LatencyReport(
            delays, sent: sent.count, sampleRate: status.sampleRate, period: status.period, slice: slice,
            skippedFrames: skipped)
    }

    /// Opens a session whose head tracker has a UDP port of its own.
    private static func session(
        slice: Int, connectOut: String?, sound: String, motion: String
    ) async throws(SessionError) -> (live: LiveSession, port: Int) {
        var options = HeadTrackerOptions()
        options.choices.yawPull = 0
        var tries = 4
        while true {
            let port = try sending { () throws(StepSenderError) in try StepSender.freePort() }
            let settings = LiveSettings(
                stage: StageSettings(layout: "mono", hrtf: "generated", slice: slice, limiter: .off),
                tracking: TrackingSettings(head: "opentrack:\(port)", options: options), name: "proscenium-latency",
                connectOut: connectOut, record: sound, recordMotion: motion, start: .onRequest)
            do throws(SessionError) { return (try await LiveSession(settings), port) } catch {
                // Another program may have taken the port since the check.
                tries -= 1
                guard tries > 0, !StepSender.isFree(port) else { throw error }
            }
        }
    }

    /// Combines the recorded sound and motion with the steps sent.
    private static func recording(
        _ sound: String, _ motion: MotionRecording, _ sent: [StepSender.Step], _ status: SessionStatus
    ) throws(SessionError) -> LatencyRecording {
        let ears: [[Float]]
        do throws(SoundFileError) {
            let reader = try SoundFileReader(path: sound)
            let block = PlanarBlock(channels: 2, frames: reader.frameCount)
            _ = try reader.read(into: block, frames: reader.frameCount)
            ears = (0..<2).map { Array(UnsafeBufferPointer(start: block[$0], count: reader.frameCount)) }
        } catch {
            throw SessionError(error)
        }
        // The playback lead of head tracking is the latency of the ports plus one period, the time until the sound of
        // the coming period starts.
        let period = Double(status.period) / status.sampleRate
        let playback = motion.lastPlaybackLead.map { $0 - period } ?? period
        let arrivals = motion.headArrivals
        let steps = sent.compactMap { step in
            arrivals.first { $0.time >= step.sent && abs($0.yawDegrees - step.yaw) < 0.01 }
                .map { LatencyRecording.Step(sent: step.sent, arrived: $0.time, isSteady: step.isSteady) }
        }
        return LatencyRecording(
            ears: ears, sampleRate: status.sampleRate,
            marks: motion.poses.compactMap { pose in
                pose.heardAt.map { LatencyRecording.Mark(frame: pose.frame, heardAt: $0) }
            }, playback: playback, period: period, steps: steps,
            repetition: LatencyRecording.repetition(forPeriod: status.period))
    }

    private static func sending<Sent>(_ body: () throws(StepSenderError) -> Sent) throws(SessionError) -> Sent {
        do throws(StepSenderError) { return try body() } catch {
            throw SessionError(.environment, error.description)
        }
    }

    /// Writes periodic noise from a fixed seed, at −34 dBFS RMS.
    private static func write(
        _ path: String, rate: Double, seconds: Double, repetition: Int
    ) throws(SessionError) {
        var state: UInt64 = 2026
        let noise = (0..<repetition).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (Float(state >> 40) / Float(1 << 24) - 0.5) * 0.07
        }
        guard let sampleRate = SampleRate(hertz: rate) else {
            throw SessionError(.environment, "the JACK server's rate of \(rate) Hz is not supported")
        }
        do throws(SoundFileError) {
            let writer = try SoundFileWriter(path: path, channels: 1, sampleRate: sampleRate)
            for _ in 0..<Int(seconds * rate) / noise.count {
                try noise.withUnsafeBufferPointer { buffer throws(SoundFileError) in
                    guard let samples = buffer.baseAddress else { return }
                    try writer.write(interleaved: samples, frames: noise.count)
                }
            }
            try writer.finish()
        } catch {
            throw SessionError(error)
        }
    }
}

extension JACKPlayer {
    /// Returns a player of a file, connected to the JACK client of a session.
    fileprivate static func probing(_ path: String, into client: String) throws(SessionError) -> JACKPlayer {
        do {
            let player = try JACKPlayer(path: path, name: "proscenium-latency-signal")
            try player.connect(to: client)
            return player
        } catch let error as SoundFileError {
            throw SessionError(error)
        } catch {
            throw SessionError(.environment, "\(error)")
        }
    }
}
