import Gate
import Testing

@testable import Surfaces

@Suite struct SurfaceMapTests {
    private static let text = """
        {
          "version": 1,
          "device": "BCF2000",
          "bindings": [
            {"control": "cc 7", "channel": 1, "address": "input/main/level", "to": 6, "colour": [1, 2.5, null]},
            {"control": "cc 16", "address": "place", "part": "yaw", "turns": "sign-bit", "step": 0.5, "pickup": true},
            {"control": "note 36", "channel": 16, "address": "mode", "value": "fixed", "feedback": false},
            {"control": "cc14 1", "address": "drc-cut", "from": 0, "to": 0.5, "touch": "note 104"},
            {"control": "program 3", "address": "place", "value": [30, 0, 0]},
            {"control": "cc 64", "address": "mute", "press": "turn-over"}
          ],
          "mackie": {
            "strips": [
              {"name": "Main", "fader": "input/main/level", "mute": "input/main/mute", "led": "red",
               "knobs": [{"address": "input/main/place", "part": "yaw", "step": 1, "x": true}, "drc-cut"]}
            ],
            "master": "room-level", "extender": true,
            "buttons": {"play": {"address": "resume"}, "f1": {"address": "mode", "value": "fixed", "y": 9007199254740993}},
            "meters": {"fast": false}
          }
        }
        """

    @Test func mapsAreReadAsTheyAreWritten() throws {
        let map = try SurfaceMap(text: Self.text)
        #expect(map.bindings.count == 6)
        let fader = map.bindings[0]
        #expect(fader.control == SurfaceControl(.controller(7), channel: 0) && fader.to == 6 && fader.from == nil)
        #expect(map.bindings[1].relative == .signBit && map.bindings[1].step == 0.5 && map.bindings[1].picksUp)
        #expect(map.bindings[2].value == ["fixed"] && !map.bindings[2].givesFeedback)
        #expect(map.bindings[2].control.channel == 15)
        #expect(map.bindings[3].touch == SurfaceControl(.note(104)))
        #expect(map.bindings[4].value == ["30", "0", "0"])
        #expect(map.bindings[5].press == .turnsOver)
        let strip = try #require(map.mackie?.strips.first)
        #expect(
            strip.name == "Main"
                && strip.knobs == [
                    MackieMap.Knob("input/main/place", part: "yaw", step: 1).keeping(["x": .truth(true)]),
                    MackieMap.Knob("drc-cut"),
                ])
        #expect(map.mackie?.isExtender == true && map.mackie?.master == "room-level")
        #expect(MIDISurface(map.bindings).faults.isEmpty)
    }

    @Test func whatIsWrittenIsReadBackWithAllThatIsNotOurs() throws {
        let map = try SurfaceMap(text: Self.text)
        let again = try SurfaceMap(text: map.text)
        #expect(again == map && again.text == map.text)
        for words in [
            "\"device\" : \"BCF2000\"", "\"colour\"", "2.5", "\"led\"", "\"fast\" : false", "9007199254740993",
        ] {
            #expect(map.text.contains(words), "\(words)")
        }
        #expect(try SurfaceMap(text: SurfaceMap().text) == SurfaceMap())
    }

    @Test func faultsSayWhereTheyAre() {
        let cases = [
            ("", "no JSON"), ("[]", "braces"), ("{}", "version is missing"), ("{\"version\": 2}", "reads up to 1"),
            ("{\"version\": 1.5}", "version"), ("{\"version\": 1, \"bindings\": 3}", "bindings is no list"),
            ("{\"version\": 1, \"bindings\": [3]}", "bindings[0] is no object"),
            (Self.one("\"control\": \"cc 200\", \"address\": \"level\""), "bindings[0].control"),
            (Self.one("\"control\": \"cc 2\""), "bindings[0].address"),
            (Self.one("\"control\": \"cc 2\", \"address\": \"/level\""), "bindings[0].address"),
            (Self.one("\"control\": \"cc 2\", \"address\": \"level\", \"channel\": 17"), "within 1 to 16"),
            (Self.one("\"control\": \"bend\", \"address\": \"level\", \"turns\": \"sign-bit\""), "turns"),
            (Self.one("\"control\": \"cc 2\", \"address\": \"level\", \"turns\": \"twice\""), "turns"),
            (Self.one("\"control\": \"cc 2\", \"address\": \"level\", \"from\": 3, \"to\": 3"), "from"),
            (Self.one("\"control\": \"cc 2\", \"address\": \"level\", \"step\": 0"), "step"),
            (Self.one("\"control\": \"cc 2\", \"address\": \"level\", \"pickup\": 1"), "pickup"),
            (Self.one("\"control\": \"cc 2\", \"address\": \"level\", \"touch\": \"cc 2\""), "touch"),
            (Self.one("\"control\": \"cc 2\", \"address\": \"level\", \"press\": \"hard\""), "press"),
            (Self.one("\"control\": \"cc 2\", \"address\": \"level\", \"value\": {}"), "value"),
            ("{\"version\": 1, \"mackie\": {\"buttons\": {\"f9\": {}}}}", "mackie.buttons.f9 is no button"),
            ("{\"version\": 1, \"mackie\": {\"strips\": [{\"knobs\": [3]}]}}", "mackie.strips[0].knobs[0]"),
        ]
        for (text, words) in cases {
            do {
                _ = try SurfaceMap(text: text)
                Issue.record("read: \(text)")
            } catch {
                #expect(error.description.contains(words), "\(error.description)")
            }
        }
    }

    private static func one(_ binding: String) -> String { "{\"version\": 1, \"bindings\": [{\(binding)}]}" }

    @Test func aMapOfInputsIsWhole() throws {
        var map = SurfaceMap()
        map.mackie = MackieMap(inputs: ["main", "talk"])
        #expect(try SurfaceMap(text: map.text) == map)
        #expect(MackieSurface(try #require(map.mackie)).faults.isEmpty)
    }
}

extension MackieMap.Knob {
    fileprivate func keeping(_ kept: [String: JSONValue]) -> Self {
        var knob = self
        knob.kept = kept
        return knob
    }
}
