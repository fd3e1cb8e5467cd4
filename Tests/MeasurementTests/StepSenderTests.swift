import Foundation
import Glibc
import Testing

@testable import Measurement

@Suite struct StepSenderTests {
    @Test func aFreePortIsFree() throws { #expect(StepSender.isFree(try StepSender.freePort())) }

    /// In an earlier version the error had the cause of a later call, which fails without a socket. The test runs in a
    /// process of its own, whose descriptors run out.
    @Test func withoutADescriptorTheErrorSaysSo() async {
        await #expect(processExitsWith: .success) {
            let next = open("/dev/null", O_RDONLY)
            close(next)
            var limit = rlimit(rlim_cur: rlim_t(next), rlim_max: rlim_t(next))
            setrlimit(Int32(RLIMIT_NOFILE.rawValue), &limit)
            #expect(throws: StepSenderError(code: EMFILE)) { try StepSender.freePort() }
        }
    }
}
