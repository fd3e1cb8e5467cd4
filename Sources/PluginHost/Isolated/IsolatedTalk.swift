import Foundation
import Signal

/// Messages between host and child, other than sound; one line of JSON each.
enum IsolatedTalk {
    /// Largest number of values of one kind, and greatest length of a text in bytes, that are accepted from a child.
    static let (mostValues, longestText) = (4096, 1 << 16)

    /// Request of the host.
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

        /// The request in words, for messages such as "saving its state: its process did not answer within 9 s".
        var words: String {
            switch self {
            case .make: "making an instance"
            case .set(let symbol, _, _): "setting '\(symbol)'"
            case .setProperty(let property, _): "setting \(property)"
            case .midi: "taking MIDI"
            case .transport: "taking the transport's position"
            case .preset(let preset): "loading the preset '\(preset)'"
            case .save: "saving its state"
            case .restore: "restoring its state"
            case .close: "ending"
            }
        }
    }

    /// Data from which an instance is created; the first request.
    struct Making: Codable, Sendable {
        var plugin: PluginDescription
        var searchPath: [String]
        var sampleRate: Double
        var isFixed: Bool
        var isLive: Bool
        var shape: ExchangeShape
    }

    /// Request with a number, which its answer repeats. A request with the number 0 gets no answer.
    struct Question: Codable, Sendable {
        var number: Int
        var request: Request
    }

    /// Message of the child: an answer, or with number 0 an unrequested report of changes.
    struct Answer: Codable, Sendable {
        var number: Int
        /// Error of a failed request.
        var error: PluginError?
        /// Description of the created instance, at its sampling rate.
        var made: PluginDescription?
        var report: Report?
    }

    /// Status of an instance.
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
    /// The report with all numbers, lists and texts reduced to the accepted limits, because a plugin's code runs in the
    /// child and may send anything.
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
    /// Whether the value is a finite number, or a text of an accepted length.
    fileprivate var isSmall: Bool {
        switch self {
        case .number(let number): number.isFinite
        case .text(let text), .path(let text): text.utf8.count <= IsolatedTalk.longestText
        }
    }
}
