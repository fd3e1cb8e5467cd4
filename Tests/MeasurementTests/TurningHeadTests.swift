import Foundation
import Geometry
import Testing

@testable import Measurement

struct TurningHeadTests {
    @Test func theHeadGoesWhereItsForecastSays() {
        for second in stride(from: 0.0, to: 12, by: 0.37) {
            let soon = TurningHead.forecast(at: second).headToStage(at: second + 0.01)
            let there = TurningHead.forecast(at: second + 0.01).pose.quaternion
            // 10 ms ahead: what is left is the nod's acceleration.
            let apart = 2 * acos(min(1, abs((soon.conjugate * there).w)))
            #expect(apart < 0.01 * .pi / 180)
        }
    }
}
