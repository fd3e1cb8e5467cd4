import Rendering
import Stages
import StoredProperties
import Testing

@Suite struct MonitorSettingsTests {
    private static let names = ["FL", "FR"]

    /// Returns the controls that these settings give to the audio thread, as text.
    private func controls(_ settings: MonitorSettings) -> [String: String] {
        var controls = MonitorControls()
        settings.apply(to: &controls, of: Self.names)
        return [
            "loudspeakers": "\(controls.loudspeakers[0]) \(controls.loudspeakers[1])", "level": "\(controls.level)",
            "awayGain": "\(controls.awayGain)", "isMono": "\(controls.isMono)",
            "hearsReference": "\(controls.hearsReference)", "referenceGain": "\(controls.referenceGain)",
            "talkbackGain": "\(controls.talkbackGain)",
        ]
    }

    @Test func `Every control of the audio thread follows from the settings`() {
        var settings = MonitorSettings()
        settings.loudspeakers["FL", default: .init()].isMuted = true
        (settings.level, settings.isMono) = (-3, true)
        (settings.hearsReference, settings.referenceTrim) = (true, -2)
        (settings.isTalking, settings.talkbackLevel) = (true, -1)
        (settings.isAway, settings.awayLevel) = (true, -6)
        let (neutral, set) = (controls(MonitorSettings()), controls(settings))
        for (name, value) in set { #expect(value != neutral[name], "\(name)") }
        // `MonitorRenderer` sets these by methods of its own. A new control belongs into `controls` above.
        let own = ["fold", "noiseSource", "noise", "noiseFrames"]
        #expect(StoredProperties.names(of: MonitorControls()).sorted() == (own + set.keys).sorted())
    }

    @Test func `Every setting changes the controls, or takes effect elsewhere`() {
        let changes: [String: (inout MonitorSettings) -> Void] = [
            "loudspeakers": { $0.loudspeakers["FR", default: .init()].isInverted = true }, "level": { $0.level = -3 },
            "isDimmed": { $0.isDimmed = false }, "dimLevel": { $0.dimLevel = -7 }, "isMuted": { $0.isMuted = true },
            "isMono": { $0.isMono = true }, "awayLevel": { $0.awayLevel = -5 }, "isAway": { $0.isAway = false },
            "hearsReference": { $0.hearsReference = true }, "referenceTrim": { $0.referenceTrim = -2 },
            "isTalking": { $0.isTalking = false }, "talkbackLevel": { $0.talkbackLevel = -1 },
            "talkbackDim": { $0.talkbackDim = -9 },
        ]
        var switched = MonitorSettings()
        (switched.isDimmed, switched.isTalking, switched.isAway, switched.awayLevel) = (true, true, true, -6)
        for (name, change) in changes {
            var settings = switched
            change(&settings)
            #expect(controls(settings) != controls(switched), "\(name)")
        }
        // Limits of looking away, ports, solo mode, calibration, modes; test noise and fold-down by `MonitorRenderer`.
        let elsewhere = [
            "awayAngle", "awayDelay", "inputs", "isSoloExclusive", "calibratedLevel", "comparison", "modes", "noise",
            "foldDown",
        ]
        #expect(StoredProperties.names(of: MonitorSettings()).sorted() == (elsewhere + changes.keys).sorted())
    }
}
