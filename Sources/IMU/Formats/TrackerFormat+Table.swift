// The table of formats. Foreign axes and signs are converted by the decoders and nowhere else; each row says what comes.

extension TrackerFormat {
    /// Every format understood.
    package static let all: [TrackerFormat] = [
        // Each address has a row of its own, with the reasoning behind its signs: see `OrientationProfile.osc`.
        TrackerFormat(
            "osc", "OSC: SPARTA, IEM, ambiX, nvsonic, phones", [.udp(port: 9000)],
            remark: "each address has its own signs; time tags of bundles are used"
        ) { _ in OSCDecoder() },
        TrackerFormat(
            "opentrack", "opentrack \"UDP over network\"", [.udp(port: 4242)],
            remark: OrientationProfile.opentrack.remark
        ) { _ in OpentrackDecoder() },
    ]
}
