import Foundation
import Gate
import Loading

/// What the controls of a device move: read from JSON and written as JSON that people can read and change.
///
/// ```
/// {
///   "version": 1,
///   "bindings": [
///     {"control": "cc 7", "channel": 1, "address": "input/main/level"},
///     {"control": "note 36", "address": "recentre"}
///   ]
/// }
/// ```
/// Keys that are not known stay where they are when the map is written again.
package struct SurfaceMap: Hashable, Sendable {
    /// The version that is written.
    package static let version = 1

    /// Controls of any device.
    package var bindings: [SurfaceBinding] = []
    /// The strips of a Mackie Control; nil where the device is none.
    package var mackie: MackieMap?
    /// Keys that are not ours.
    package var kept: [String: JSONValue] = [:]

    /// A map of nothing.
    package init() {}

    /// Reads a map.
    ///
    /// - Throws: `SurfaceMapError`: it is no JSON, of a later version, or something in it is not understood; where.
    package init(text: String) throws(SurfaceMapError) {
        let json: JSONValue
        do throws(JSONFault) { json = try JSONValue(text.utf8, within: .written) } catch {
            throw SurfaceMapError("", "is no JSON: \(error)")
        }
        var object = try KeptObject(json, at: "top")
        guard let version = try object.whole("version", in: 1...Int(Int32.max)) else {
            throw SurfaceMapError("version", "is missing")
        }
        guard version <= Self.version else {
            throw SurfaceMapError("version", "is \(version); this program reads up to \(Self.version)")
        }
        for (index, json) in (try object.list("bindings") ?? []).enumerated() {
            bindings.append(try SurfaceBinding(json, at: "bindings[\(index)]"))
        }
        mackie = try object.take("mackie").map { json throws(SurfaceMapError) in try MackieMap(json, at: "mackie") }
        kept = object.rest
    }

    /// The map as text for people: a key a line, in the order of the alphabet.
    package var text: String {
        var object = kept
        object["version"] = .number(Double(Self.version))
        object["bindings"] = .list(bindings.map(\.json))
        object["mackie"] = mackie?.json
        return JSONValue.object(object).page + "\n"
    }

    /// Binds a control to an address; what it moved before it moves no more.
    package mutating func bind(_ binding: SurfaceBinding) {
        bindings.removeAll { $0.control.overlaps(binding.control) }
        bindings.append(binding)
    }
}

extension SurfaceControl {
    /// Whether a message can be of both.
    func overlaps(_ other: SurfaceControl) -> Bool {
        guard channel == nil || other.channel == nil || channel == other.channel else { return false }
        switch (kind, other.kind) {
        case (.pair(let a), .controller(let b)), (.controller(let b), .pair(let a)): return b == a || b == a + 32
        case (.program(let a), .program(let b)): return a == nil || b == nil || a == b
        default: return kind == other.kind
        }
    }
}
