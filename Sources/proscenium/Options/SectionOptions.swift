import ArgumentParser
import Offline

/// Section of a file that the offline commands process.
struct SectionOptions: CheckedOptions {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Beginning of the output in the file: seconds, or [HH:]MM:SS[.mmm]. Earlier sound is still processed, so that filters have their history.",
            valueName: "time"))
    var from: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("End of the output in the file's time; a render then has no tail.", valueName: "time"))
    var until: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Length of the output, instead of --until.", valueName: "time"))
    var duration: String?

    /// The options as Session's section; every time was checked by `check`.
    var excerpt: Excerpt {
        func seconds(_ text: String?) -> Double? { text.flatMap { try? SoundTime($0).seconds } }
        return Excerpt(from: seconds(from), until: seconds(until), duration: seconds(duration))
    }

    func check() throws {
        var times: [String: Double] = [:]
        for (option, text) in [("--from", from), ("--until", until), ("--duration", duration)] {
            guard let text else { continue }
            do throws(SoundTime.Failure) { times[option] = try SoundTime(text).seconds } catch {
                throw ValidationError("\(option) \(error.description)")
            }
        }
        if until != nil, duration != nil { throw ValidationError("--until and --duration exclude each other") }
        if let until, times["--until", default: 0] <= times["--from", default: 0] {
            let reason = from.map { "comes before its beginning, --from \($0)" } ?? "leaves nothing"
            throw ValidationError("--until \(until) \(reason): give a later end")
        }
        if let duration, times["--duration"] == 0 {
            throw ValidationError("--duration \(duration) leaves nothing: give a longer one")
        }
    }
}

/// A time in a file as ffmpeg takes it: `[HH:]MM:SS[.mmm]`, or seconds with an optional unit `s`, `ms` or `us`.
struct SoundTime {
    /// Seconds, finite and not negative.
    let seconds: Double

    /// Reason why a text is no time; completes a sentence that begins with the option.
    enum Failure: Error, CustomStringConvertible {
        case negative(String)
        case unreadable(String)

        var description: String {
            switch self {
            case .negative(let text): "\(text) is negative; times count from the file's beginning"
            case .unreadable(let text): "takes seconds or [HH:]MM:SS[.mmm], as 90.5 or 1:30.5, not '\(text)'"
            }
        }
    }

    /// Parses a text.
    init(_ text: String) throws(Failure) {
        let isNegative = text.hasPrefix("-") || text.hasPrefix("\u{2212}")
        let body = isNegative ? text.dropFirst() : text[...]
        guard let found = body.contains(":") ? Self.clock(body) : Self.plain(body) else { throw .unreadable(text) }
        guard !isNegative else { throw .negative(text) }
        seconds = found
    }

    private static func plain(_ text: Substring) -> Double? {
        for (unit, factor) in [("ms", 1e3), ("us", 1e6), ("s", 1)] where text.hasSuffix(unit) {
            return decimal(text.dropLast(unit.count)).map { $0 / factor }
        }
        return decimal(text)
    }

    private static func clock(_ text: Substring) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let seconds = decimal(parts[parts.count - 1]), seconds < 60 else {
            return nil
        }
        var minutes = 0.0
        for (index, part) in parts.dropLast().enumerated() {
            guard (1...9).contains(part.count), part.allSatisfy({ ("0"..."9").contains($0) }),
                let number = Double(part),
                index == 0 || number < 60
            else { return nil }
            minutes = 60 * minutes + number
        }
        return 60 * minutes + seconds
    }

    /// Returns a decimal number, which may have an exponent; nil for other text.
    private static func decimal(_ text: Substring) -> Double? {
        guard text.first.map({ $0.isNumber || $0 == "." }) == true,
            text.allSatisfy({ $0.isASCII && ($0.isNumber || ".e+-".contains($0)) })
        else {
            return nil
        }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}
