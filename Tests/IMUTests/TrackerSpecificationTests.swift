import IMU
import Testing

@Suite struct TrackerSpecificationTests {
    @Test(arguments: [
        ("osc:9000", TrackerSpecification.Source.udp(format: "osc", address: "127.0.0.1", port: 9000)),
        ("osc:0.0.0.0:9000", .udp(format: "osc", address: "0.0.0.0", port: 9000)),
        ("osc:[::1]:9000", .udp(format: "osc", address: "::1", port: 9000)),
        ("osc:localhost:9000", .udp(format: "osc", address: "127.0.0.1", port: 9000)),
        ("opentrack:4242", .udp(format: "opentrack", address: "127.0.0.1", port: 4242)),
        ("file:a,b.csv", .file(path: "a,b.csv")),
        ("file:C:/odd.csv", .file(path: "C:/odd.csv")),
        ("none", .none),
    ])
    func everyFormIsRead(text: String, source: TrackerSpecification.Source) throws {
        #expect(try TrackerSpecification.parse(text).source == source)
    }

    @Test func optionsAreRead() throws {
        let osc = try TrackerSpecification.parse("osc:9000,invert=yaw+roll,latency=25")
        #expect(osc.inversion == [.yaw, .roll])
        #expect(osc.latency == 0.025)
        let file = try TrackerSpecification.parse("file:odd,name.csv,latency=10")
        #expect(file.source == .file(path: "odd,name.csv"))
        #expect(file.latency == 0.01)
    }

    @Test(arguments: [
        "osc:9000", "opentrack:0.0.0.0:4242,invert=pitch", "osc:[::1]:9000,latency=25.0", "file:x", "none",
    ])
    func whatIsPrintedIsReadBack(text: String) throws {
        #expect(try TrackerSpecification.parse(text).description == text)
    }

    @Test(arguments: [
        ("ximu4:7000", TrackerError.unknownTracker("ximu4:7000")),
        ("9000", .unknownTracker("9000")),
        ("", .unknownTracker("")),
        ("osc:", .badPort("", in: "osc:")),
        ("osc:0", .badPort("0", in: "osc:0")),
        ("osc:65536", .badPort("65536", in: "osc:65536")),
        ("osc:one", .badPort("one", in: "osc:one")),
        ("osc::9000", .badAddress("")),
        ("file:", .missingPath),
        ("osc:9000,invert=up", .badOption("invert=up")),
        ("osc:9000,latency=-1", .badOption("latency=-1")),
        ("osc:9000,loud", .badOption("loud")),
    ])
    func everyFaultHasItsName(text: String, error: TrackerError) {
        #expect(throws: error) { try TrackerSpecification.parse(text) }
    }

    @Test func anUnknownTrackerIsToldWhatIsKnown() {
        let words = TrackerError.unknownTracker("mind:1").description
        #expect(words.hasPrefix("unknown tracker 'mind:1'; known are osc:[ADDRESS:]PORT, opentrack:[ADDRESS:]PORT, "))
        #expect(words.hasSuffix("hid:auto, hid:PATH, file:CSV, none"))
    }
}
