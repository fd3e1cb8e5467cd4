import AudioMix
import Foundation
import Geometry
import Soundstage
import StoredProperties
import Testing

@testable import MotionLogs

/// Controls of inputs in the lines of a motion log.
@Suite struct RecordedControlsTests {
    private static let fresh = ProgrammeControls(Programme(layout: Layout(name: "none", loudspeakers: [])))

    /// Controls whose values all differ from their defaults.
    static var controls: ProgrammeControls {
        var controls = fresh
        controls.level = 1 / 3
        (controls.duck, controls.gainPastStage) = (0.25, 0.6)
        (controls.isMuted, controls.isInverted) = (true, true)
        controls.mode = .fixed
        controls.policy = .monoAndStereo
        controls.place = MotionRecordingTests.rotations(1)[0]
        controls.width = .pi / 7
        controls.upmix.isOn = false
        controls.upmix.amounts = UpmixControls(centre: 0.1, width: 1 / 3, ambience: 0.7)
        controls.mix = AudioMixControls(
            style: .inFrame, intensity: 1 / 3, keepsSpeech: true, cameraHeading: -0.7, fieldOfView: 1.1)
        controls.renditions.choice = .stereo
        controls.dynamics = DynamicsControls(
            normalisation: -0.1, profile: .musicLight, cutScale: 0.3, boostScale: 0.9, reference: -23.4)
        return controls
    }

    /// Reads a log with one line after its header, and returns the controls of the input in that line.
    private func read(_ line: String) throws -> ProgrammeControls {
        let header = #"{"motion":{"version":1,"sampleRate":48000,"slice":64,"period":256}}"#
        let text = header + "\n" + line + "\n" + #"{"pose":[0,1,0,0,0]}"#
        let changes = try MotionRecording(ndjson: Data(text.utf8)).changes
        let change = try #require(changes.first)
        guard case .input("main", let controls) = change.state else {
            throw MotionRecordingError.badLine(2, line)
        }
        return controls
    }

    private func line(_ controls: ProgrammeControls) -> String {
        MotionLine.change(.init(frame: 0, state: .input("main", controls.recorded)))
    }

    @Test func `Controls are read back to the bit`() throws {
        let controls = Self.controls
        let back = Self.fresh.replaying(try read(line(controls)))
        #expect(back.asksTheSame(as: controls), "\(back) is not \(controls)")
        for (index, turn) in MotionRecordingTests.rotations(500).enumerated() {
            var controls = controls
            controls.place = turn
            controls.width = abs(turn.x)
            controls.level = Float(abs(turn.w)) * (index % 2 == 0 ? 1 : 1e-3)
            controls.duck = Float(abs(turn.y))
            controls.mix.cameraHeading = Float(turn.z)
            controls.dynamics.normalisation = Float(100 * turn.x)
            let back = try read(line(controls))
            #expect(back == controls.recorded, "\(back) is not \(controls)")
        }
    }

    @Test func `A line states the controls that differ from the defaults`() throws {
        var controls = Self.fresh
        #expect(line(controls) == #"{"input":{"controls":{},"frame":0,"name":"main"}}"# + "\n")
        controls.level = 0.5
        controls.upmix.amounts.ambience = 0.25
        let entries = #"{"level":0.5,"upmix":{"amounts":{"ambience":0.25}}}"#
        #expect(line(controls) == "{\"input\":{\"controls\":\(entries),\"frame\":0,\"name\":\"main\"}}\n")
    }

    @Test func `No control is missing in a line`() throws {
        // A solo acts by `isSilenced`, which counts as a mute. The view of a camera is part of the mix's heading and
        // field. A log does not contain the measured matches of renditions and the serial numbers.
        let left: Set = ["isSolo", "isSoloSafe", "isSilenced", "mix.view.heading", "mix.view.field", "serial"]
        let same = StoredProperties.same(Self.controls, Self.fresh).filter { !$0.hasPrefix("renditions.match") }
        // A new control needs a value in `controls` here.
        #expect(Set(same) == left)
        let lost = StoredProperties.same(try read(line(Self.controls)), Self.fresh)
        #expect(lost == StoredProperties.same(Self.controls, Self.fresh))
    }

    @Test func `Silence by solos is recorded as a mute, and a replay keeps the solos and the match of the programme`() {
        var live = Self.fresh
        (live.isSolo, live.isSoloSafe, live.isSilenced) = (true, true, true)
        live.renditions.match.lag = 7
        var muted = Self.fresh
        muted.isMuted = true
        #expect(live.recorded == muted)
        let replayed = live.replaying(Self.fresh)
        #expect(replayed.isSolo && replayed.isSoloSafe && replayed.isSilenced && !replayed.isMuted)
        #expect(replayed.renditions.match.lag == 7)
    }

    @Test(arguments: [
        (#""controls":{"mode":"loud"}"#, "'mode' is not valid: 'loud' is none of off, fixed, tracked"),
        (#""controls":{"level":-1}"#, "a gain"), (#""controls":{"width":4}"#, "'width' is 4.0"),
        (#""controls":{"place":{"w":0.5}}"#, "'place' is not a quaternion"),
        (#""controls":{"upmix":{"amounts":{"width":2}}}"#, "the amounts"),
        (#""controls":{"mix":{"intensity":2}}"#, "the intensity"),
        (#""controls":{"mix":{"fieldOfView":7}}"#, "a camera's"),
        (#""controls":{"dynamics":{"reference":-201}}"#, "'normalisation' or 'reference'"),
        (#""controls":{"level":"loud"}"#, "'level' is not what it must be"),
        (#""controls":3"#, "'input.controls' is not what it must be"), (#""other":{}"#, "'controls' is missing"),
        (#""state":{}"#, "'level' is missing"),
    ])
    func `Controls that no input can have are refused`(entry: String, words: String) {
        let error = #expect(throws: MotionRecordingError.self) {
            try read("{\"input\":{\"name\":\"main\",\"frame\":0,\(entry)}}")
        }
        #expect(error?.description.hasPrefix("line 2: " + words) == true, "\(String(describing: error))")
    }

    @Test func `Unknown controls are ignored`() throws {
        #expect(try read(#"{"input":{"name":"main","frame":0,"controls":{"scent":1}}}"#) == Self.fresh)
    }

    @Test func `The values of a line of an earlier version are checked`() throws {
        let former =
            #"{"input":{"name":"main","frame":0,"state":{"amounts":[1,0,1],"boost":1,"cut":1,"drc":"none","duck":1,"#
            + #""level":0.5,"mode":"tracked","normalisation":0,"place":[1,0,0,0],"reference":-31,"rendition":"auto","#
            + #""spatialize":"all","upmix":true,"width":0}}}"#
        var expected = Self.fresh
        expected.level = 0.5
        #expect(try read(former) == expected)
        for (value, faulty) in [
            ("[1,0,1]", "[1,0]"), ("[1,0,1]", "[1,0,2]"), ("[1,0,0,0]", "[1,0,0]"), ("\"tracked\"", "\"loud\""),
            ("\"level\":0.5", "\"level\":-1"),
        ] {
            #expect(throws: MotionRecordingError.self, "\(faulty)") {
                try read(former.replacing(value, with: faulty))
            }
        }
    }
}
