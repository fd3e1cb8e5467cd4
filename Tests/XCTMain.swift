import Testing
import XCTest

/// Where the program of all tests begins.
///
/// Without this file SwiftPM looks for tests of XCTest, of which there are none, in an index that the compiler then writes beside
/// every object: a twelfth of the time that the tests take to compile.
@main struct Runner {
    /// Runs the tests; where XCTest's are asked for, as `swift test` does before it asks for these, says that there are none.
    static func main() async {
        if CommandLine.arguments.contains("swift-testing") { await Testing.__swiftPMEntryPoint() as Never }
        XCTMain([XCTestCaseEntry]())
    }
}
