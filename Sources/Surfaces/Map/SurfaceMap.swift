import Foundation
import Gate
import Loading

/// Assignment of the controls of a device to addresses of the session's parameters and actions. It is read from and
/// written as editable JSON.
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
/// Unknown keys are kept when the map is written again.
package struct SurfaceMap: Hashable, Sendable {
    /// Version of the format that is written.
    package static let version = 1

    /// Bindings of controls, for any device.
    package var bindings: [SurfaceBinding] = []
    /// Strips of a Mackie Control; nil for other devices.
    package var mackie: MackieMap?
    /// Unknown keys.
    package var kept: [String: JSONValue] = [:]

    /// Creates an empty map.
    package init() {}

    /// Reads a map.
    ///
    /// - Throws: `SurfaceMapError` with the position if the text is not JSON, has no version or a later one, or has an
    ///   invalid value.
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

    /// Map as readable text, with one key per line in alphabetical order.
    package var text: String {
        var object = kept
        object["version"] = .number(Double(Self.version))
        object["bindings"] = .list(bindings.map(\.json))
        object["mackie"] = mackie?.json
        return JSONValue.object(object).page + "\n"
    }

    /// Binds a control to an address, and removes the control's former bindings.
    package mutating func bind(_ binding: SurfaceBinding) {
        bindings.removeAll { $0.control.overlaps(binding.control) }
        bindings.append(binding)
    }
}

extension SurfaceControl {
    /// Returns whether a message can belong to both controls.
    func overlaps(_ other: SurfaceControl) -> Bool {
        guard channel == nil || other.channel == nil || channel == other.channel else { return false }
        switch (kind, other.kind) {
        case (.pair(let a), .controller(let b)), (.controller(let b), .pair(let a)): return b == a || b == a + 32
        case (.program(let a), .program(let b)): return a == nil || b == nil || a == b
        default: return kind == other.kind
        }
    }
}
