import Foundation
import Signal

/// What host and child say to each other beside sound: a line of JSON each.
enum IsolatedTalk {
    /// Values of one kind, and bytes of a text, that are taken of a child.
    static let (mostValues, longestText) = (4096, 1 << 16)

    /// What the host asks for.
    enum Request: Codable, Sendable {
        case make(Making)
        case set(symbol: String, value: Float, seconds: Double)
        case setProperty(String, PropertyValue)
        case midi([UInt8])
        case transport(frame: Int64, speed: Float, beatsPerMinute: Double?)
        case preset(String)
        case save(String)
        case restore(String)
        case close

        /// What it is, behind "its process … while".
        var words: String {
            switch self {
            case .make: "making an instance"
            case .set(let symbol, _, _): "setting '\(symbol)'"
            case .setProperty(let property, _): "setting \(property)"
            case .midi: "taking MIDI"
            case .transport: "taking the transport's place"
            case .preset(let preset): "loading the preset '\(preset)'"
            case .save: "saving its state"
            case .restore: "taking back its state"
            case .close: "ending"
            }
        }
    }

    /// What an instance is made of, first of all.
    struct Making: Codable, Sendable {
        var plugin: PluginDescription
        var searchPath: [String]
        var sampleRate: Double
        var isFixed: Bool
        var isLive: Bool
        var shape: ExchangeShape
    }

    /// A request with a number; the answer has the same. 0: no answer is waited for.
    struct Question: Codable, Sendable {
        var number: Int
        var request: Request
    }

    /// What the child says: an answer, or (0) of its own accord what is new.
    struct Answer: Codable, Sendable {
        var number: Int
        /// Why it could not be done.
        var error: PluginError?
        /// What was made, as it is at this sampling rate.
        var made: PluginDescription?
        var report: Report?
    }

    /// How an instance is.
    struct Report: Codable, Hashable, Sendable {
        var controls: [String: Float] = [:]
        var readings: [String: Float] = [:]
        var properties: [String: PropertyValue] = [:]
        var workerSeconds = 0.0
        var lost = 0
        var log: [String] = []
    }
}

extension IsolatedTalk.Report {
    /// The same with every number, list and text within what this program takes of a child: a plugin's code runs there,
    /// and may say anything.
    var ranged: IsolatedTalk.Report {
        var report = self
        report.controls = Self.finite(controls)
        report.readings = Self.finite(readings)
        report.properties = Dictionary(
            uniqueKeysWithValues: properties.filter {
                $0.key.utf8.count <= IsolatedTalk.longestText && $0.value.isSmall
            }
            .prefix(IsolatedTalk.mostValues).map { ($0.key, $0.value) })
        report.workerSeconds = workerSeconds.isFinite ? max(0, min(1e9, workerSeconds)) : 0
        report.lost = max(0, min(Int(Int32.max), lost))
        report.log = log.suffix(32).map { String($0.prefix(512)) }
        return report
    }

    private static func finite(_ values: [String: Float]) -> [String: Float] {
        Dictionary(
            uniqueKeysWithValues: values.filter {
                $0.value.isFinite && $0.key.utf8.count <= IsolatedTalk.longestText
            }.prefix(IsolatedTalk.mostValues).map { ($0.key, $0.value) })
    }
}

extension PropertyValue {
    /// Whether it is a number, or a text of a length that is taken of a child.
    fileprivate var isSmall: Bool {
        switch self {
        case .number(let number): number.isFinite
        case .text(let text), .path(let text): text.utf8.count <= IsolatedTalk.longestText
        }
    }
}
