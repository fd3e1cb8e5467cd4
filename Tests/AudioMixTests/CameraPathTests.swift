import FieldScenes
import Foundation
import Signal
import Testing

@testable import AudioMix

/// Tests of the camera's heading over time, and of the mix that follows it.
@Suite struct CameraPathTests {
    private typealias Key = CameraPath.Key

    private func degrees(_ path: CameraPath, _ seconds: Double) -> Double {
        remainder(Double(path.view(at: seconds).heading) * 180 / .pi, 360)
    }

    @Test func headingsGoTheShortWayRoundAndAreHeldAtTheEnds() throws {
        let k = Double.pi / 180
        let path = try #require(
            CameraPath([
                Key(seconds: 1, heading: 170 * k), Key(seconds: 2, heading: -170 * k),
                Key(seconds: 4, heading: -10 * k),
            ]))
        for (seconds, heading) in [(0.0, 170.0), (1, 170), (1.25, 175), (1.75, -175), (2, -170), (3, -90), (9, -10)] {
            #expect(abs(remainder(degrees(path, seconds) - heading, 360)) < 1e-3)
        }
        #expect(path.view(at: 3).field == nil)
        var course = CameraCourse(path)
        for step in 0..<60 {
            let seconds = Double(step) / 10
            #expect(course.view(at: seconds) == path.view(at: seconds))
        }
    }

    @Test func theFieldOfViewIsInterpolatedToo() throws {
        let path = try #require(
            CameraPath([Key(seconds: 0, heading: 0, field: 1), Key(seconds: 2, heading: 0, field: 2)]))
        #expect(path.view(at: 0.5).field == 1.25)
        #expect(CameraPath([Key(seconds: 3, heading: 1)])?.view(at: 0).heading == 1)
    }

    @Test func noPathIsMadeOfTimesThatDoNotRiseOrOfNumbersThatAreNotFinite() {
        #expect(CameraPath([]) == nil)
        #expect(CameraPath([Key(seconds: 1, heading: 0), Key(seconds: 1, heading: 1)]) == nil)
        #expect(CameraPath([Key(seconds: 1, heading: .nan)]) == nil)
        #expect(CameraPath([Key(seconds: .infinity, heading: 0)]) == nil)
    }

    /// Two talkers alternate every two seconds. A camera that always looks at the active talker keeps both in the mix;
    /// a camera that always looks at the silent talker keeps neither.
    @Test(arguments: AudioMixLatency.allCases) func theMixFollowsTheCamera(_ latency: AudioMixLatency) throws {
        let frames = 576_000
        let voices = [
            FieldScene.voice(frames: frames, seed: 61), FieldScene.voice(frames: frames, seed: 62, pitch: 170),
        ]
        var scene = FieldScene(frames: frames)
        for (place, azimuth) in [(0, 20.0), (1, 110)] {
            scene.add(voices[place].indices.map { $0 / 96_000 % 2 == place ? voices[place][$0] : 0 }) { _ in azimuth }
        }
        scene.addDiffuse(level: 0.002, seed: 63)
        func level(_ atFirst: Double, _ then: Double) throws -> Double {
            let keys = (0..<6).flatMap { turn -> [Key] in
                let heading = (turn % 2 == 0 ? atFirst : then) * .pi / 180
                return [
                    Key(seconds: 2 * Double(turn), heading: heading),
                    Key(seconds: 2 * Double(turn) + 1.999, heading: heading),
                ]
            }
            // The path's heading is added to that of the controls.
            let controls = AudioMixControls(style: .inFrame, keepsSpeech: true, cameraHeading: 0.1)
            var mixer = try AudioMixer(
                sampleRate: .studio, channels: 4, latency: latency, controls: controls, camera: CameraPath(keys))
            let mixed = scene.mixed(&mixer)
            #expect(mixer.controls.cameraHeading == 0.1)
            return Level.decibels(mixed.mix[0][288_000..<560_000]) - Level.decibels(scene.rows[0][288_000..<560_000])
        }
        let (heard, missed) = (try level(20, 110), try level(110, 20))
        #expect(heard - missed > (latency == .player ? 12 : 7), "\(heard) and \(missed) dB")
        #expect(abs(heard) < (latency == .player ? 2 : 7))
    }
}
