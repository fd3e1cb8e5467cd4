import IMU
import Testing

@testable import proscenium

@Suite struct FuseCommandTests {
    @Test(arguments: [
        ("largest-bias=20", true), ("largest-bias=", false), ("largest-bias=nan", false), ("largest-bias=1e9", false),
        ("largest=1", false), ("sway", false), ("scale-deviation=0.7", true),
    ])
    func aConstantIsSetByItsName(_ text: String, _ isGood: Bool) throws {
        let setting = InertialSetting(argument: text)
        #expect((setting != nil) == isGood)
        var options = InertialOptions()
        setting?.apply(to: &options)
        #expect((options != InertialOptions()) == isGood)
    }
}
