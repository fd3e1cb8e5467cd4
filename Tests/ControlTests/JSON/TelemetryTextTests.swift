import Desk
import Testing

@testable import Control
@testable import Stages

/// Telemetry as lines of JSON.
@Suite struct TelemetryTextTests {
    @Test func `Names, their order and the forms of numbers are kept`() {
        var sample = SessionTelemetry()
        #expect(
            sample.metersLine == #"""
                {"meters":{"ears":[],"hasClipped":false,"heardAt":0,"inputs":[],"load":0,"mode":"static",\#
                "momentary":-200,"pitch":0,"reduction":0,"roll":0,"shortTerm":-200,"skipped":0,"xruns":0,"yaw":0}}
                """#)
        (sample.yaw, sample.pitch, sample.roll, sample.heardAt) = (-12.25, 1e-7, 180, 86_400.125)
        (sample.inputs, sample.ears, sample.reduction) = ([-200, -3.5], [-1, -20.125], -0.5)
        (sample.momentary, sample.shortTerm, sample.load, sample.mode) = (-23.1, .infinity, 0.125, "\"log\"")
        (sample.xruns, sample.skipped, sample.hasClipped) = (3, 1 << 40, true)
        (sample.trackerRate, sample.trackerAge) = (99.5, .nan)
        sample.talkers = [
            TalkerStatus(azimuth: 30.5, elevation: -2, presence: 0.75),
            TalkerStatus(azimuth: -90, elevation: 0, presence: 1),
        ]
        #expect(
            sample.metersLine == #"""
                {"meters":{"ears":[-1,-20.125],"hasClipped":true,"heardAt":86400.125,"inputs":[-200,-3.5],\#
                "load":0.125,"mode":"\"log\"","momentary":-23.1,"pitch":1e-07,"reduction":-0.5,"roll":180,\#
                "shortTerm":"inf","skipped":1099511627776,"talkers":[{"azimuth":30.5,"elevation":-2,\#
                "presence":0.75},{"azimuth":-90,"elevation":0,"presence":1}],"trackerAge":"nan","trackerRate":99.5,\#
                "xruns":3,"yaw":-12.25}}
                """#)
        #expect(sample.poseLine == #"{"heardAt":86400.125,"pose":[-12.25,1e-07,180]}"#)
        sample.yaw = .nan
        #expect(sample.poseLine == #"{"heardAt":86400.125,"pose":["nan",1e-07,180]}"#)
    }
}
