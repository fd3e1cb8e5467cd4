import IMU
import Testing

@Suite struct TrackerSpecificationTests {
    @Test(arguments: [
        ("osc:9000", TrackerSpecification.Source.udp(format: "osc", address: "127.0.0.1", port: 9000)),
        ("osc:0.0.0.0:9000", .udp(format: "osc", address: "0.0.0.0", port: 9000)),
        ("osc:[::1]:9000", .udp(format: "osc", address: "::1", port: 9000)),
        ("osc:localhost:9000", .udp(format: "osc", address: "127.0.0.1", port: 9000)),
        ("opentrack:4242", .udp(format: "opentrack", address: "127.0.0.1", port: 4242)),
        ("osc", .udp(format: "osc", address: "127.0.0.1", port: 9000)),
        ("slimevr", .udp(format: "slimevr", address: "127.0.0.1", port: 6969)),
        ("ximu3:0.0.0.0:8001", .udp(format: "ximu3", address: "0.0.0.0", port: 8001)),
        ("airpods", .udp(format: "airpods", address: "127.0.0.1", port: 9871)),
        ("waves-nx:0.0.0.0:9872", .udp(format: "waves-nx", address: "0.0.0.0", port: 9872)),
        ("serial:/dev/pts/3,airpods", .serial(path: "/dev/pts/3", format: "airpods", baud: nil)),
        ("udp:9870", .udp(format: "lines", address: "127.0.0.1", port: 9870)),
        ("udp:0.0.0.0:9870", .udp(format: "lines", address: "0.0.0.0", port: 9870)),
        ("udp:auto", .udp(format: "auto", address: "127.0.0.1", port: 9000)),
        ("udp:auto:0.0.0.0:7000", .udp(format: "auto", address: "0.0.0.0", port: 7000)),
        ("udp:hyperimu:7000", .udp(format: "hyperimu", address: "127.0.0.1", port: 7000)),
        ("serial:auto", .serial(path: nil, format: "auto", baud: nil)),
        ("serial:/dev/ttyACM0", .serial(path: "/dev/ttyACM0", format: "auto", baud: nil)),
        ("serial:/dev/ttyACM0,razor", .serial(path: "/dev/ttyACM0", format: "razor", baud: nil)),
        ("serial:auto,witmotion,115200", .serial(path: nil, format: "witmotion", baud: 115_200)),
        ("midi:Head Tracker", .midi(pattern: "Head Tracker", format: "auto")),
        ("midi:head,mrheadtracker", .midi(pattern: "head", format: "mrheadtracker")),
        ("hid:auto", .hid(path: nil)),
        ("hid:/dev/hidraw3", .hid(path: "/dev/hidraw3")),
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
        "udp:9870", "udp:auto:9000", "slimevr:6969", "serial:auto", "serial:/dev/ttyS0,razor,57600",
        "midi:head,supperware",
        "hid:/dev/hidraw0,mount=portrait", "serial:auto,mount=10.0/-20.0/30.0,id=hat", "hid:auto,clock=arrival",
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
        ("osc:9000,mount=sideways", .badOption("mount=sideways")),
        ("osc:9000,mount=1/2", .badOption("mount=1/2")),
        ("osc:9000,clock=mine", .badOption("clock=mine")),
        ("osc:9000,id=", .badOption("id=")),
        ("razor:9000", .unknownTracker("razor:9000")),
        ("auto:9000", .unknownTracker("auto:9000")),
        ("serial:", .missingSerialLine),
        ("serial:/dev/x,razor,fast", .badBaud("fast", in: "serial:/dev/x,razor,fast")),
        ("serial:/dev/x,razor,57600,8N1", .badOption("8N1")),
        ("midi:", .missingMIDIPort),
        ("midi:a,osc", .unknownFormat("osc", transport: "midi", known: ["auto", "supperware", "mrheadtracker"])),
        ("hid:", .missingHIDDevice),
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
