/// URIs of the LV2 standard that this host uses, by their names in the standard.
enum URIs {
    private static let lv2 = "http://lv2plug.in/ns/"
    static let core = lv2 + "lv2core#"
    static let atom = lv2 + "ext/atom#"
    static let patch = lv2 + "ext/patch#"
    static let time = lv2 + "ext/time#"
    static let options = lv2 + "ext/options#"
    static let bufSize = lv2 + "ext/buf-size#"
    static let state = lv2 + "ext/state#"
    static let urid = lv2 + "ext/urid#"
    static let worker = lv2 + "ext/worker#"
    static let log = lv2 + "ext/log#"
    static let presets = lv2 + "ext/presets#"
    static let portProps = lv2 + "ext/port-props#"
    static let resizePort = lv2 + "ext/resize-port#"
    static let portGroups = lv2 + "ext/port-groups#"
    static let parameters = lv2 + "ext/parameters#"
    static let units = lv2 + "extensions/units#"
    static let midiEvent = lv2 + "ext/midi#MidiEvent"
    static let event = lv2 + "ext/event#"
    static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    static let rdfs = "http://www.w3.org/2000/01/rdf-schema#"
    static let doap = "http://usefulinc.com/ns/doap#"
}

/// Numbers of the URIs in messages to and from plugins, looked up once.
struct Vocabulary: BitwiseCopyable, Sendable {
    let chunk, sequence, object, blank, int, long, float, double, bool, string, path, uri, urid: UInt32
    let midi: UInt32
    let patchSet, patchGet, patchPut, patchProperty, patchValue, patchBody, patchSubject: UInt32
    let position, frame, speed, beatsPerMinute: UInt32

    /// Looks up the numbers in a map.
    init(_ map: URIDMap = .shared) {
        chunk = map(URIs.atom + "Chunk")
        sequence = map(URIs.atom + "Sequence")
        object = map(URIs.atom + "Object")
        blank = map(URIs.atom + "Blank")
        int = map(URIs.atom + "Int")
        long = map(URIs.atom + "Long")
        float = map(URIs.atom + "Float")
        double = map(URIs.atom + "Double")
        bool = map(URIs.atom + "Bool")
        string = map(URIs.atom + "String")
        path = map(URIs.atom + "Path")
        uri = map(URIs.atom + "URI")
        urid = map(URIs.atom + "URID")
        midi = map(URIs.midiEvent)
        patchSet = map(URIs.patch + "Set")
        patchGet = map(URIs.patch + "Get")
        patchPut = map(URIs.patch + "Put")
        patchProperty = map(URIs.patch + "property")
        patchValue = map(URIs.patch + "value")
        patchBody = map(URIs.patch + "body")
        patchSubject = map(URIs.patch + "subject")
        position = map(URIs.time + "Position")
        frame = map(URIs.time + "frame")
        speed = map(URIs.time + "speed")
        beatsPerMinute = map(URIs.time + "beatsPerMinute")
    }
}
