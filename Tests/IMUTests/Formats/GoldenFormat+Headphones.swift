extension GoldenFormat {
    private static let report =
        "01 00 ca 9a 3b 00 00 00 00 03 04 43 40 42 0f 00 00 00 00 00 00 c0 00 c0 00 40 00 00 00 fe 00 00 "
        + "10 00 10 00 10 00 00 00 00 00 00 00 00 00 00 04 00 00 00 00 00 00 08 00"

    /// A head at 90° to the left that turns to the left at 1 rad/s. The y axis of the bud points down: gravity is 1024
    /// along y, the rate is −512 about y, and the vector of the attitude is (−½, −½, ½).
    static let headphones: [GoldenFormat] = [
        GoldenFormat(
            name: "report of 58 bytes", format: "airpods",
            bytes: Golden.bytes(
                "04 00 04 00 17 00 00 00 10 00 45 00 08 ac 02 10 01 3a 3e 08 0e 1a 3a " + report + " 00 00"),
            meanings: [.angles(90, 0, 0)], rate: SIMD3(0, 0, 1), stamp: 1, sequence: 300),
        // The first 127 counts take one byte, so all later fields are one byte earlier.
        GoldenFormat(
            name: "early report", format: "airpods",
            bytes: Golden.bytes(
                "04 00 04 00 17 00 00 00 10 00 44 00 08 07 10 01 3a 3e 08 0e 1a 3a " + report + " 00 00"),
            meanings: [.angles(90, 0, 0)], rate: SIMD3(0, 0, 1), stamp: 1, sequence: 7),
        GoldenFormat(
            name: "older firmware's report", format: "airpods",
            bytes: Golden.bytes(
                "04 00 04 00 17 00 00 00 10 00 43 00 08 ac 02 10 07 1a 3a 0e 00 " + report + " 3c 00"),
            meanings: [.angles(90, 0, 0)], rate: SIMD3(0, 0, 1), stamp: 1, sequence: 300),
        GoldenFormat(
            name: "quarter turn", format: "waves-nx", bytes: Golden.bytes("00 00 00 00 41 2d 41 2d 00 03"),
            meanings: [.angles(90, 0, 0)]),
        GoldenFormat(
            name: "looking up", format: "waves-nx", bytes: Golden.bytes("00 20 00 00 00 00 6d 37 00 03"),
            meanings: [.angles(0, 60, 0)]),
    ]
}
