import Foundation
import SeamMeasures
import Signal
import Soundstage
import Testing

/// Amounts of an upmix that change during a tone: the part of the change above 4 kHz would be heard as a click.
@Suite struct UpmixClickTests {
    /// Amounts that change together: centre, width and ambience, or one of them, from 0 to 1 and back.
    enum Moved: String, CaseIterable {
        case all, centre, width, ambience

        func amounts(_ x: Float) -> UpmixControls {
            switch self {
            case .all: UpmixControls(centre: x, width: x, ambience: x)
            case .centre: UpmixControls(centre: x, width: 0.5, ambience: 1)
            case .width: UpmixControls(centre: 1, width: x, ambience: 1)
            case .ambience: UpmixControls(centre: 1, width: 0.5, ambience: x)
            }
        }
    }

    /// A tone of 1 kHz on left and right.
    enum Tone: CaseIterable {
        /// In phase, equal or louder on the left: centre and front.
        case middle, left
        /// In opposite phase: front alone.
        case opposite
        /// In quadrature: much of it is taken for ambience.
        case quarter

        func pair(_ phase: Double) -> (Float, Float) {
            let x = Float(sin(phase))
            return switch self {
            case .middle: (x, x)
            case .left: (x, 0.5 * x)
            case .opposite: (x, -x)
            case .quarter: (x, Float(cos(phase)))
            }
        }
    }

    /// Returns the largest sample above 4 kHz of any channel against the tone, dB, from half a second on. Periods have
    /// 240 frames, 5 ms.
    private func click(
        _ tone: Tone, _ mode: UpmixMode, _ latency: UpmixLatency, _ amounts: (_ period: Int) -> UpmixControls
    ) throws -> Double {
        let layout = try Layout.named("5.1")
        let period = 240
        var upmixer = try StereoUpmixer(
            sampleRate: .studio, layout: layout, mode: mode, latency: latency, controls: amounts(0))
        let pair = PlanarBlock(channels: 2, frames: period)
        let rows = PlanarBlock(channels: layout.channelCount, frames: period)
        var channels = [[Float]](repeating: [], count: layout.channelCount)
        for number in 0..<300 {
            for i in 0..<period {
                let phase = 2 * Double.pi * 1000 * Double(number * period + i) / 48_000
                (pair[0][i], pair[1][i]) = tone.pair(phase)
            }
            upmixer.controls = amounts(number)
            upmixer.process(frames: period, left: pair[0], right: pair[1], into: rows.pointers)
            for channel in channels.indices {
                channels[channel] += UnsafeBufferPointer(start: rows[channel], count: period)
            }
        }
        // Silence and NaN would pass as the lowest of all peaks.
        let heard = channels.map { $0.dropFirst(24_000) }
        #expect(heard.allSatisfy { $0.allSatisfy(\.isFinite) })
        #expect(heard.joined().reduce(Float(0)) { max($0, abs($1)) } > 0.3)
        // Filtered twice: after one filter the tone itself would set the peak.
        let peak = channels.map { channel in
            HighPass.over(4000, HighPass.over(4000, channel, 48_000).map { Float($0) }, 48_000)
                .dropFirst(24_000).reduce(0) { max($0, abs($1)) }
        }.max()
        return 20 * log10(peak ?? 0)
    }

    @Test(arguments: UpmixMode.allCases, UpmixLatency.allCases)
    func amountsThatStepDoNotClick(_ mode: UpmixMode, _ latency: UpmixLatency) throws {
        for tone in [Tone.middle, .left, .opposite] {
            for moved in Moved.allCases {
                let found = try click(tone, mode, latency) {
                    moved.amounts($0 < 150 || (200..<250).contains($0) ? 1 : 0)
                }
                #expect(found <= -80, "\(tone) \(moved): \(found) dB")
            }
        }
    }

    @Test(arguments: UpmixLatency.allCases)
    func nothingIsHeardOfAStepBesideWhatAmbienceHoldsAnyway(_ latency: UpmixLatency) throws {
        // The ambience found in a tone fluctuates by itself, the more the larger the amounts are.
        let still = try click(.quarter, .identity, latency) { _ in Moved.all.amounts(1) }
        for moved in [Moved.all, .ambience] {
            let found = try click(.quarter, .identity, latency) { moved.amounts($0 % 100 < 50 ? 1 : 0) }
            #expect(found <= still + 1, "\(moved): \(found) dB, without steps \(still) dB")
        }
    }

    @Test(arguments: UpmixMode.allCases, UpmixLatency.allCases)
    func amountsThatAreSweptDoNotClick(_ mode: UpmixMode, _ latency: UpmixLatency) throws {
        // There and back in 800 ms, a new value every 5 ms.
        let found = try click(.left, mode, latency) { Moved.all.amounts(abs(1 - Float($0 % 160) / 80)) }
        #expect(found <= -80, "\(found) dB")
    }

    @Test(arguments: UpmixLatency.allCases)
    func anAmountToldOverAndOverBeforeItArrivesDoesNotClick(_ latency: UpmixLatency) throws {
        // Back and forth every 15 ms.
        let found = try click(.left, .identity, latency) { Moved.all.amounts(($0 / 3) % 2 == 0 ? 1 : 0) }
        #expect(found <= -80, "\(found) dB")
    }
}
