// The table of formats. Only the decoders convert the axes and signs of senders. Each decoder gives the reasons for its
// signs; each row gives the units and axes as sent.

extension TrackerFormat {
    /// All formats.
    package static let all: [TrackerFormat] = network + headphones + serial + others

    private static let network: [TrackerFormat] = [
        // `OrientationProfile.osc` and `OSCSensorProfile.all` have one row for each address, with the reason for the
        // signs.
        TrackerFormat(
            "osc", "OSC: SPARTA, IEM, ambiX, nvsonic, phones", [.udp(port: 9000)],
            remark: "each address has its own signs; time tags of bundles are used"
        ) { _ in OSCDecoder() },
        // Unmarked: the datagram contains only six doubles, so any 48 bytes could be one.
        TrackerFormat(
            "opentrack", "opentrack \"UDP over network\"", [.udp(port: 4242)], isUnmarked: true,
            remark: OrientationProfile.opentrack.remark
        ) { _ in OpentrackDecoder() },
        TrackerFormat(
            "ximu3", "x-IMU3, raw measurements", [.udp(port: 8000), .serial(baud: 115_200)],
            remark: "text and binary; gyroscope °/s and accelerometer g, x front y left z up; µs stamps"
        ) { XIMU3Decoder(framing: $0, preferring: .measured) },
        TrackerFormat(
            "ximu3-fused", "x-IMU3, its own orientation", [.udp(port: 8000), .serial(baud: 115_200)], isVariant: true,
            remark: "quaternion, matrix or Euler messages, with the gyroscope's rate where it is sent too"
        ) { XIMU3Decoder(framing: $0, preferring: .fused) },
        TrackerFormat(
            "slimevr", "SlimeVR trackers, owoTrack phones", [.udp(port: 6969)],
            remark: "x y z w, phone flat, top edge to the front; handshakes and pings are answered; resets recentre"
        ) { _ in SlimeVRDecoder() },
        TrackerFormat(
            "hyperimu", "HyperIMU phones, CSV", [.udp(port: 2055)],
            remark:
                "raw: [ms,] accelerometer m/s², gyroscope rad/s[, magnetometer µT], phone flat, top edge to the front"
        ) { _ in HyperIMUDecoder() },
        TrackerFormat(
            "freepie", "FreePIE IMU sender, phones", [.udp(port: 5555)], isUnmarked: true,
            remark: "raw measurements, or azimuth, pitch and roll in radians, phone flat, top edge to the front"
        ) { _ in FreePIEDecoder() },
        TrackerFormat(
            "sony", "sony-head-tracker's JSON", [.udp(port: 4243)],
            remark: "quaternion and gyroscope of headphones through the bridge, its default axes"
        ) { _ in SonyHeadTrackerDecoder() },
        TrackerFormat(
            "lines", "rows of text from your own tracker", [.udp(port: 9870), .serial(baud: 115_200)],
            remark: "CSV or JSON, raw or fused, rad/s, m/s², x front y left z up; count, ns stamp, checksum"
        ) { LineDecoder(framing: $0) },
    ]

    private static let headphones: [TrackerFormat] = [
        TrackerFormat(
            "airpods", "AirPods, packets of their protocol", [.udp(port: 9871), .serial(baud: 115_200)],
            remark: "attitude and rate of a bud, 25 Hz, µs stamps; a right bud's axes, stem down: calibrate it"
        ) { AirPodsDecoder(framing: $0) },
        // Unmarked: apart from the number of ten bytes and the length of the quaternion, nothing identifies the format.
        TrackerFormat(
            "waves-nx", "Waves Nx, notifications", [.udp(port: 9872)], isUnmarked: true,
            remark: "x y z w, x right y front z up with the tracker flat; worn upside down it needs mount=0/180/0"
        ) { _ in WavesNxDecoder() },
    ]

    private static let serial: [TrackerFormat] = [
        // The axes are those of the same manufacturer's bridge program, with pitch about x and roll about y: x right, y
        // front, z up.
        TrackerFormat(
            "nvsonic", "nvsonic head tracker", [.serial(baud: 115_200)],
            remark: "w,x,y,z; in text, x right y front z up"
        ) { _ in NvsonicDecoder() },
        TrackerFormat(
            "razor", "Razor AHRS", [.serial(baud: 57_600)],
            remark:
                "yaw + right, pitch + up, roll + right ear down, degrees; text, or binary by handshake; sensor lines"
        ) { _ in RazorDecoder() },
        TrackerFormat(
            "bno08x-rvc", "BNO08x, UART-RVC mode", [.serial(baud: 115_200)],
            remark: "yaw + left, pitch + up, roll + right ear down, board's y to the front; index and checksum"
        ) { _ in RotationVectorController() },
        TrackerFormat(
            "witmotion", "WitMotion, raw measurements", [.serial(baud: 9600)],
            remark: "asks for acceleration, rate and quaternion; x right y front z up; set it to 100 Hz or more"
        ) { _ in WitMotionDecoder(preferring: .measured) },
        TrackerFormat(
            "witmotion-fused", "WitMotion, its own orientation", [.serial(baud: 9600)], isVariant: true,
            remark: "quaternion, or angles, with its rate; for slow settings, where raw measurements are too far apart"
        ) { _ in WitMotionDecoder(preferring: .fused) },
        TrackerFormat(
            "teapot", "MPU-6050 motion processor, teapot frames", [.serial(baud: 115_200)],
            remark: "w x y z, board's x to the front, z up; 8-bit count"
        ) { _ in TeapotDecoder() },
        TrackerFormat(
            "hatire", "Hatire (Arduino)", [.serial(baud: 115_200)],
            remark: "opentrack's signs, degrees: yaw + right, pitch + up, roll + right ear down; count to 999"
        ) { _ in HatireDecoder() },
        TrackerFormat(
            "xsens", "Xsens MTi, raw measurements", [.serial(baud: 115_200)],
            remark: "MTData2: rate of turn rad/s and acceleration m/s², x front y left z up; 0.1 ms stamps"
        ) { _ in XsensDecoder(preferring: .measured) },
        TrackerFormat(
            "xsens-fused", "Xsens MTi, its own orientation", [.serial(baud: 115_200)], isVariant: true,
            remark: "MTData2: quaternion, with the rate of turn where it is sent too"
        ) { _ in XsensDecoder(preferring: .fused) },
        TrackerFormat(
            "polhemus", "Polhemus Fastrak, Patriot", [.serial(baud: 115_200)],
            remark: "text; azimuth + right, elevation + up, roll + right, degrees"
        ) { _ in PolhemusDecoder() },
    ]

    private static let others: [TrackerFormat] = [
        TrackerFormat(
            "supperware", "Supperware Head Tracker", [.midi],
            remark: "system exclusive, asked for quaternions at 100 Hz; x right y front z up"
        ) { _ in SupperwareDecoder() },
        TrackerFormat(
            "mrheadtracker", "IEM MrHeadTracker", [.midi],
            remark: "control changes 48–51 and 16–19: quaternion, or yaw, pitch, roll; x back y right z up"
        ) { _ in MrHeadTrackerDecoder() },
        TrackerFormat(
            "android", "headphones with Android's head tracker", [.hid],
            remark: "rotation vector and angular velocity, x right y front z up; its resets are discontinuities"
        ) { _ in AndroidHeadTrackerDecoder() },
        TrackerFormat(
            "auto", "any of these formats", [.serial(baud: 115_200), .udp(port: 9000)], isVariant: true,
            remark: "recognises the format from the data, and names it"
        ) { AutomaticDecoder(framing: $0) },
    ]
}
