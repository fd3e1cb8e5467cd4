import NIOCore
import NIOPosix

extension DatagramBootstrap {
    /// Takes datagrams of any length whole: UDP over IPv4 carries 65507 bytes at most. Without this what lies beyond the first
    /// 2048 bytes would be lost, and an answer with it (the state of a stage of twelve inputs is longer than that).
    func takingWholeDatagrams() -> Self {
        channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
    }
}
