import Foundation
import Signal

/// What host and child say to each other beside sound: a line of JSON each.
enum IsolatedTalk {
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

    /// A request with a number; the answer has the same. 0: nobody waits for an answer.
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
