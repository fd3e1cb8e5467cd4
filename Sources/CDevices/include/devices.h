#pragma once
// Interfaces to which trackers are connected, as far as Swift cannot use them: macros, variadic ioctl, headers that
// exclude each other. A function that returns an int returns a negative errno on failure, unless its comment states
// otherwise.
// For threads that may wait, never for the audio thread.
#include <stdint.h>
#include <netinet/in.h>

/// Opens a serial line: raw, 8 data bits, no parity, one stop bit, no flow control, non-blocking, with any baud rate
/// that the driver supports (termios2, BOTHER). The line is reserved for the descriptor by flock, and by TIOCEXCL
/// unless it is a pseudo-terminal. Returns a descriptor that the caller must close; -EBUSY if another program has
/// reserved the line; -EINVAL if the driver's rate differs by more than 3 %.
int pcd_serial_open(const char *path, uint32_t baud);

/// Changes the baud rate of an open line. Bytes that were waiting to be read are discarded.
int pcd_serial_speed(int descriptor, uint32_t baud);

/// A datagram that was received.
struct pcd_datagram {
    /// Length in bytes, at most the stride.
    uint32_t length;
    /// Time for which it waited in the kernel, ns; 0 if unknown.
    uint64_t waited;
    /// Number of datagrams that the kernel has discarded for lack of space since the socket was opened; 0 unless
    /// `pcd_udp_reserve` was called.
    uint32_t lost;
    struct sockaddr_storage sender;
    uint32_t sender_length;
};

/// Binds a non-blocking UDP socket whose datagrams get time stamps from the kernel. The form of the address selects
/// IPv4 or IPv6.
int pcd_udp_open(const char *address, uint16_t port);

/// Requests a receive buffer of `bytes` (above the system's limit if the caller has that privilege), and a count of
/// discarded datagrams. Returns the actual size of the buffer, bytes.
int pcd_udp_reserve(int descriptor, int bytes);

/// Opens a UDP socket that is connected to one host and port, so that reading fails if no program listens at that port.
/// `host` may be a name; -ENOENT if it is unknown. Waits for the look-up of the name.
int pcd_udp_connect(const char *host, uint16_t port);

/// Connects to a Unix stream socket at a path. Returns a non-blocking descriptor, or −errno.
int pcd_unix_connect(const char *path);

/// Opens a UDP socket for communication with one host. It is bound to a free port of the address of this machine from
/// which that host is reached. If the host is this machine, other machines of the network thus cannot reach the socket.
/// `host` may be a name, for which an IPv4 address is preferred; -ENOENT if it is unknown. `there` is set to the
/// address to which `pcd_udp_reply` must send. Replies may come from any port and address of the host.
/// `pcd_udp_refusals` reports ports at which no program listens. Waits for the look-up of the name.
int pcd_udp_toward(const char *host, uint16_t port, struct pcd_datagram *there);

/// Returns how often the network has reported since the last call that no program listens, or that there is no route.
int pcd_udp_refusals(int descriptor);

/// Returns whether a datagram's sender has the address to which a socket is bound.
int pcd_udp_is_own(int descriptor, const struct pcd_datagram *datagram);

/// Returns the port to which a socket is bound.
int pcd_udp_port(int descriptor);

/// Reads waiting datagrams, at most `count` (at most 64) of at most `stride` bytes each. Returns their number; 0 if
/// there are none.
int pcd_udp_receive(int descriptor, uint8_t *bytes, uint32_t stride, uint32_t count, struct pcd_datagram *datagrams);

/// Writes the sender of a datagram: the address in network order, for IPv4 in the first four bytes, and the port in
/// host order. Returns the number of bytes of the address, 4 or 16.
int pcd_udp_sender(const struct pcd_datagram *datagram, uint8_t address[16], uint16_t *port);

/// Sends one datagram to the sender of another.
int pcd_udp_reply(int descriptor, const uint8_t *bytes, uint32_t length, const struct pcd_datagram *to);

/// Sends one datagram to an address and port.
int pcd_udp_send(int descriptor, const uint8_t *bytes, uint32_t length, const char *address, uint16_t port);

/// Greatest length of a report descriptor and of a report of a HID device, bytes.
enum { PCD_HID_LIMIT = 4096 };

/// Reads the report descriptor of an open /dev/hidraw into `bytes`, which must have room for PCD_HID_LIMIT. Returns its
/// length.
int pcd_hid_descriptor(int descriptor, uint8_t *bytes);

/// Sends a feature report. Its first byte is the number of the report, or 0 if reports have no numbers.
int pcd_hid_set_feature(int descriptor, const uint8_t *bytes, uint32_t length);

/// Reads a feature report. Its first byte selects the report; the other bytes are overwritten. Returns its length.
int pcd_hid_get_feature(int descriptor, uint8_t *bytes, uint32_t length);

/// Waits until one of two descriptors can be read or has failed, or until a timeout in milliseconds (−1: none). In the
/// result, bit 0 is set for the first descriptor and bit 1 for the second. A descriptor of −1 is ignored.
int pcd_wait(int first, int second, int milliseconds);

/// Opens a descriptor that another thread can make readable.
int pcd_signal_open(void);

/// Makes the descriptor readable.
void pcd_signal_raise(int descriptor);

/// Makes the descriptor unreadable again.
void pcd_signal_clear(int descriptor);

/// Reads or writes without waiting; −EAGAIN if waiting were necessary. `pcd_read` returns 0 if the other end is closed.
int pcd_read(int descriptor, uint8_t *bytes, uint32_t length);
int pcd_write(int descriptor, const uint8_t *bytes, uint32_t length);
void pcd_close(int descriptor);

/// Opens a device file for reading and writing, non-blocking.
int pcd_device_open(const char *path);
