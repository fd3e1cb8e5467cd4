import AudioIO
import Foundation
import Signal

@testable import Session

/// The signals of EBU Tech 3341 and 3342 that can be synthesised: sines of 1 kHz in segments.
enum TestSignal {
    /// One stretch of sound: dBFS (peak) of the sine, and seconds. Below −150 dBFS it is silence.
    typealias Segment = (level: Double, seconds: Double)

    /// A 1 kHz sine in phase throughout.
    static func sine(_ segments: [Segment], sampleRate: SampleRate) -> [Float] {
        var samples: [Float] = []
        var frame = 0
        for segment in segments {
            let amplitude = segment.level < -150 ? 0 : pow(10, segment.level / 20)
            for _ in 0..<Int((segment.seconds * sampleRate.hertz).rounded()) {
                samples.append(Float(amplitude * sin(2 * .pi * 1000 * Double(frame) / sampleRate.hertz)))
                frame += 1
            }
        }
        return samples
    }

    /// A sine of a share of the sample rate, phase in degrees, half a second with faded ends, where no peak is then between samples.
    static func tone(shareOfRate: Double, phase: Double, amplitude: Double) -> [Float] {
        (0..<24_000).map { i in
            let fade = min(1, Double(min(i, 23_999 - i)) / 1000)
            return Float(amplitude * fade * sin(2 * .pi * shareOfRate * Double(i) + phase * .pi / 180))
        }
    }
}

/// The ways a meter is fed.
enum MeterPath: CaseIterable {
    /// In blocks of 1024.
    case offline
    /// In odd blocks.
    case odd
    /// Live: the audio thread's queue in periods of 256, the measuring thread, its meter.
    case live

    /// The ways that long signals go: all of them in `make soak`.
    static let long = ProcessInfo.processInfo.environment["PROSCENIUM_SOAK"] == "1" ? allCases : [.live]
    /// The ways that many signals go, likewise.
    static let short = ProcessInfo.processInfo.environment["PROSCENIUM_SOAK"] == "1" ? allCases : [.odd]

    /// What the meter shows after all channels were played.
    func read(_ channels: [[Float]], weights: [Float], sampleRate: SampleRate) throws -> LoudnessReadings {
        switch self {
        case .offline: try direct(channels, weights, sampleRate, blocks: [1024])
        case .odd: try direct(channels, weights, sampleRate, blocks: [1, 4096, 17, 333])
        case .live: try live(channels, weights, sampleRate)
        }
    }

    private func direct(
        _ channels: [[Float]], _ weights: [Float], _ sampleRate: SampleRate, blocks: [Int]
    ) throws -> LoudnessReadings {
        let meter = LoudnessMeter(sampleRate: sampleRate, weights: weights)
        let rows = PlanarBlock(channels: channels.count, frames: channels[0].count)
        for (index, samples) in channels.enumerated() {
            for i in samples.indices { rows[index][i] = samples[i] }
        }
        var (done, block) = (0, 0)
        while done < channels[0].count {
            let count = min(blocks[block % blocks.count], channels[0].count - done)
            meter.add(rows, from: done, frames: count)
            done += count
            block += 1
        }
        return meter.read()
    }

    private func live(
        _ channels: [[Float]], _ weights: [Float], _ sampleRate: SampleRate
    ) throws -> LoudnessReadings {
        let monitor = LoudnessMonitor(inputs: [.init(name: "main", weights: weights)], sampleRate: sampleRate)
        let frames = channels[0].count
        let rows = PlanarBlock(channels: channels.count + 2, frames: frames)
        for (index, samples) in channels.enumerated() { for i in 0..<frames { rows[index][i] = samples[i] } }
        let inputs = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: channels.count)
        let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 2)
        var done = 0
        while done < frames {
            let count = min(256, frames - done)
            for channel in channels.indices { (inputs + channel).initialize(to: UnsafePointer(rows[channel] + done)) }
            for ear in 0..<2 { (outputs + ear).initialize(to: rows[channels.count + ear] + done) }
            // Not live: the queue is waited for, nothing is lost.
            monitor.tap.pointee.push(
                inputs: inputs, outputs: outputs, frames: count, isStreamStart: done == 0, live: false)
            done += count
        }
        let length = sampleRate.seconds(frames: frames)
        while abs((monitor.status.inputs.first?.readings.seconds ?? 0) - length) > 1e-9 { usleep(1000) }
        monitor.stop()
        inputs.deallocate()
        outputs.deallocate()
        return monitor.status.inputs[0].readings
    }
}
