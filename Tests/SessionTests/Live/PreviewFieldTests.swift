import AudioIO
import Capture
import Desk
import Foundation
import Preview
import Rendering
import Signal
import SoundFixtures
import Soundstage
import Stages
import Testing
import Waiting

@testable import Session

/// Sound fields in a preview: data that follow a file's time do so after a seek, too.
@Suite(.timeLimit(.minutes(10))) struct PreviewFieldTests {
    private func write(_ path: String, _ rows: [[Float]]) throws {
        let block = PlanarBlock(channels: rows.count, frames: rows[0].count)
        for (channel, row) in rows.enumerated() { for (i, sample) in row.enumerated() { block[channel][i] = sample } }
        let writer = try SoundFileWriter(path: path, channels: rows.count, sampleRate: .studio)
        try writer.write(block, frames: rows[0].count)
        try writer.finish()
    }

    private func decibels(_ ears: [[Float]], _ range: Range<Int>, ear: Int) -> Double {
        10 * log10(ears[ear][range].reduce(1e-12) { $0 + Double($1 * $1) } / Double(range.count))
    }

    /// A tone stands still in the world while the device turns by 90°: the level difference between the ears is
    /// constant, before and after a seek into the turn.
    @Test func aTakeIsHeldToTheWorldAfterASeekToo() async throws {
        let scratch = try Scratch()
        let frames = 4 * 48_000
        func turn(_ time: Double) -> Double { .pi / 2 * (0.5 - 0.5 * cos(.pi * max(0, min(1, (time - 0.5) / 3)))) }
        let rows = (0..<4).map { channel -> [Float] in
            (0..<frames).map { i in
                let time = Double(i) / 48_000
                let azimuth = 70 * .pi / 180 - turn(time)
                let sound = 0.3 * sin(2 * .pi * 700 * time) + 0.1 * sin(2 * .pi * 3100 * time)
                return Float(sound * [1, sin(azimuth), 0, cos(azimuth)][channel])
            }
        }
        try write(scratch("take.wav"), rows)
        let lines = (0...400).map { step -> String in
            let half = turn(Double(step) / 100) / 2
            return "\(Double(step) / 100),\(cos(half)),0,0,\(sin(half))\n"
        }
        try ("t,w,x,y,z\n" + lines.joined()).write(
            toFile: CaptureNames.orientation(scratch("take.wav")), atomically: true, encoding: .utf8)
        func differences(_ steady: SteadyMode?, _ record: String) async throws -> [Double] {
            let rig = try PreviewTests.Rig([scratch("take.wav")]) {
                $0.live.stage = StageSettings(layout: "ambi1", limiter: .off)
                $0.live.stage.programmes.steady = steady
                $0.live.record = scratch(record)
            }
            let isBack = Flag()
            try await rig.play { preview, _ in
                guard let status = await preview.status(), status.seconds > 2.5, !isBack.isRaised else { return }
                isBack.raise()
                _ = await rig.answer(.preview(.go(to: 1.23)))
            }
            #expect(isBack.isRaised)
            let ears = try WholeSound.read(scratch(record))
            // The file lasts 4 s. Because of the seek back, more than 5 s are recorded.
            #expect(ears[0].count > 5 * 48_000)
            return stride(from: 4800, to: ears[0].count - 9600, by: 2400).compactMap { start in
                let (left, right) = (0, 1)
                let range = start..<(start + 2400)
                let levels = [left, right].map { decibels(ears, range, ear: $0) }
                // Without the gaps in which the player stops for the seek or at the end.
                return levels[0] > -30 ? levels[0] - levels[1] : nil
            }
        }
        let held = try await differences(.hold, "held.wav")
        let turned = try await differences(nil, "turned.wav")
        func spread(_ values: [Double]) -> Double { (values.max() ?? 0) - (values.min() ?? 0) }
        print(
            "preview of a take: the ears differ by \(held[0]) dB within \(spread(held)); as recorded within \(spread(turned))"
        )
        #expect(held.count > 90 && spread(held) < 0.3)
        #expect(spread(turned) > 10 * spread(held) && spread(turned) > 3)
    }
}
