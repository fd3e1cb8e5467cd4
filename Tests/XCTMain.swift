import Testing

/// Where the program of all tests begins.
///
/// Without this file SwiftPM looks for tests of XCTest, of which there are none, in an index that the compiler then writes beside
/// every object: a twelfth of the time that the tests take to compile.
@main struct Runner {
    /// Ends at once where another library's tests are asked for, as `swift test` does before it asks for these.
    static func main() async {
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
