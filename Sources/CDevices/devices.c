#define _GNU_SOURCE
#include "devices.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/hidraw.h>
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static int place(const char *address, uint16_t port, struct sockaddr_storage *storage, socklen_t *length) {
    memset(storage, 0, sizeof *storage);
    struct sockaddr_in *four = (struct sockaddr_in *)storage;
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)storage;
    if (inet_pton(AF_INET, address, &four->sin_addr) == 1) {
        four->sin_family = AF_INET;
        four->sin_port = htons(port);
        *length = sizeof *four;
    } else if (inet_pton(AF_INET6, address, &six->sin6_addr) == 1) {
        six->sin6_family = AF_INET6;
        six->sin6_port = htons(port);
        *length = sizeof *six;
    } else {
        return -EAFNOSUPPORT;
    }
    return 0;
}

int pcd_udp_open(const char *address, uint16_t port) {
    struct sockaddr_storage storage;
    socklen_t length;
    int result = place(address, port, &storage, &length);
    if (result < 0) return result;
    int descriptor = socket(storage.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    int on = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
    // A phone's sender may look for its host by broadcast. Replies go only to the sender.
    setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &on, sizeof on);
    if (bind(descriptor, (struct sockaddr *)&storage, length) < 0) {
        result = -errno;
        close(descriptor);
        return result;
    }
    return descriptor;
}

int pcd_udp_reserve(int descriptor, int bytes) {
    int on = 1;
    setsockopt(descriptor, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
    if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) < 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes);
    int given = 0;
    socklen_t length = sizeof given;
    return getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &given, &length) < 0 ? -errno : given;
}

// Looks up the addresses of a host in a family, AF_UNSPEC for any. Returns 0 or -ENOENT. "localhost" is this machine,
// without a look-up, as RFC 6761 (6.3) requires, because a system without an /etc/hosts cannot resolve the name.
static int look_up(const char *host, uint16_t port, int family, struct addrinfo **found) {
    struct addrinfo wanted = {.ai_family = family, .ai_socktype = SOCK_DGRAM};
    char service[8];
    snprintf(service, sizeof service, "%u", (unsigned)port);
    if (strcasecmp(host, "localhost") == 0) host = family == AF_INET6 ? "::1" : "127.0.0.1";
    return getaddrinfo(host, service, &wanted, found) == 0 ? 0 : -ENOENT;
}

int pcd_udp_connect(const char *host, uint16_t port) {
    struct addrinfo *found = NULL;
    int known = look_up(host, port, AF_UNSPEC, &found);
    if (known < 0) return known;
    int result = -EADDRNOTAVAIL;
    for (struct addrinfo *each = found; each && result < 0; each = each->ai_next) {
        int descriptor = socket(each->ai_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        if (descriptor < 0) {
            result = -errno;
        } else if (connect(descriptor, each->ai_addr, each->ai_addrlen) < 0) {
            result = -errno;
            close(descriptor);
        } else {
            result = descriptor;
        }
    }
    freeaddrinfo(found);
    return result;
}

int pcd_unix_connect(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    // A connection to a socket of this machine is made immediately, or fails if too many connections wait at the
    // socket.
    if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    int result = -errno;
    close(descriptor);
    return result;
}

static int toward(struct addrinfo *found, struct pcd_datagram *there) {
    // The kernel selects the local address for reaching the host when a socket is connected.
    struct sockaddr_storage own;
    socklen_t length = sizeof own;
    int asking = socket(found->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (asking < 0) return -errno;
    int result = 0;
    if (connect(asking, found->ai_addr, found->ai_addrlen) < 0 ||
        getsockname(asking, (struct sockaddr *)&own, &length) < 0)
        result = -errno;
    close(asking);
    if (result < 0) return result;
    if (own.ss_family == AF_INET6)
        ((struct sockaddr_in6 *)&own)->sin6_port = 0;
    else
        ((struct sockaddr_in *)&own)->sin_port = 0;
    int descriptor = socket(found->ai_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -errno;
    int on = 1;
    if (own.ss_family == AF_INET6)
        setsockopt(descriptor, IPPROTO_IPV6, IPV6_RECVERR, &on, sizeof on);
    else
        setsockopt(descriptor, IPPROTO_IP, IP_RECVERR, &on, sizeof on);
    if (bind(descriptor, (struct sockaddr *)&own, length) < 0) {
        result = -errno;
        close(descriptor);
        return result;
    }
    memset(there, 0, sizeof *there);
    memcpy(&there->sender, found->ai_addr, found->ai_addrlen);
    there->sender_length = found->ai_addrlen;
    return descriptor;
}

int pcd_udp_toward(const char *host, uint16_t port, struct pcd_datagram *there) {
    static const int families[] = {AF_INET, AF_INET6};
    int result = -ENOENT;
    for (int i = 0; i < 2 && result < 0; i++) {
        struct addrinfo *found = NULL;
        if (look_up(host, port, families[i], &found) < 0) continue;
        for (struct addrinfo *each = found; each && result < 0; each = each->ai_next) result = toward(each, there);
        freeaddrinfo(found);
    }
    return result;
}

int pcd_udp_refusals(int descriptor) {
    int count = 0;
    // An error is reported twice: as the socket's state, which is reset by reading it, and in a queue, whose entries
    // are counted.
    int state = 0;
    socklen_t length = sizeof state;
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &state, &length);
    for (;; count++) {
        char bytes[64], control[512];
        struct iovec piece = {bytes, sizeof bytes};
        struct msghdr message = {
            .msg_iov = &piece, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
        if (recvmsg(descriptor, &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return count;
    }
}

int pcd_udp_is_own(int descriptor, const struct pcd_datagram *datagram) {
    struct pcd_datagram own;
    socklen_t length = sizeof own.sender;
    if (getsockname(descriptor, (struct sockaddr *)&own.sender, &length) < 0) return 0;
    uint8_t a[16], b[16];
    uint16_t port;
    return pcd_udp_sender(&own, a, &port) == pcd_udp_sender(datagram, b, &port) && memcmp(a, b, sizeof a) == 0;
}

int pcd_udp_port(int descriptor) {
    struct sockaddr_storage storage;
    socklen_t length = sizeof storage;
    if (getsockname(descriptor, (struct sockaddr *)&storage, &length) < 0) return -errno;
    return ntohs(
        storage.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&storage)->sin6_port
                                      : ((struct sockaddr_in *)&storage)->sin_port);
}

int pcd_udp_receive(int descriptor, uint8_t *bytes, uint32_t stride, uint32_t count, struct pcd_datagram *datagrams) {
    enum { MOST = 64 };
    struct mmsghdr messages[MOST];
    struct iovec pieces[MOST];
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(struct timespec)) + CMSG_SPACE(sizeof(uint32_t))];
    } control[MOST];
    if (count > MOST) count = MOST;
    memset(messages, 0, sizeof messages);
    for (uint32_t i = 0; i < count; i++) {
        pieces[i].iov_base = bytes + (size_t)i * stride;
        pieces[i].iov_len = stride;
        messages[i].msg_hdr.msg_iov = &pieces[i];
        messages[i].msg_hdr.msg_iovlen = 1;
        messages[i].msg_hdr.msg_name = &datagrams[i].sender;
        messages[i].msg_hdr.msg_namelen = sizeof datagrams[i].sender;
        messages[i].msg_hdr.msg_control = &control[i];
        messages[i].msg_hdr.msg_controllen = sizeof control[i];
    }
    int found = recvmmsg(descriptor, messages, count, MSG_DONTWAIT, NULL);
    if (found < 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    for (int i = 0; i < found; i++) {
        struct pcd_datagram *datagram = &datagrams[i];
        datagram->length = messages[i].msg_len;
        datagram->sender_length = messages[i].msg_hdr.msg_namelen;
        datagram->waited = 0;
        datagram->lost = 0;
        struct cmsghdr *header = CMSG_FIRSTHDR(&messages[i].msg_hdr);
        for (; header; header = CMSG_NXTHDR(&messages[i].msg_hdr, header)) {
            if (header->cmsg_level != SOL_SOCKET) continue;
            if (header->cmsg_type == SO_RXQ_OVFL) memcpy(&datagram->lost, CMSG_DATA(header), sizeof datagram->lost);
            if (header->cmsg_type != SCM_TIMESTAMPNS) continue;
            struct timespec then;
            memcpy(&then, CMSG_DATA(header), sizeof then);
            int64_t waited = (int64_t)(now.tv_sec - then.tv_sec) * 1000000000 + (now.tv_nsec - then.tv_nsec);
            // If the wall clock was set in between, the waiting time is unknown.
            if (waited > 0 && waited < 2000000000) datagram->waited = (uint64_t)waited;
        }
    }
    return found;
}

int pcd_udp_sender(const struct pcd_datagram *datagram, uint8_t address[16], uint16_t *port) {
    memset(address, 0, 16);
    *port = 0;
    if (datagram->sender.ss_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)&datagram->sender;
        memcpy(address, &four->sin_addr, 4);
        *port = ntohs(four->sin_port);
        return 4;
    }
    if (datagram->sender.ss_family == AF_INET6) {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)&datagram->sender;
        memcpy(address, &six->sin6_addr, 16);
        *port = ntohs(six->sin6_port);
        return 16;
    }
    return -EAFNOSUPPORT;
}

int pcd_udp_reply(int descriptor, const uint8_t *bytes, uint32_t length, const struct pcd_datagram *to) {
    ssize_t sent = sendto(
        descriptor, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL, (const struct sockaddr *)&to->sender,
        to->sender_length);
    return sent < 0 ? -errno : 0;
}

int pcd_udp_send(int descriptor, const uint8_t *bytes, uint32_t length, const char *address, uint16_t port) {
    struct pcd_datagram to;
    int result = place(address, port, &to.sender, &to.sender_length);
    return result < 0 ? result : pcd_udp_reply(descriptor, bytes, length, &to);
}

int pcd_hid_descriptor(int descriptor, uint8_t *bytes) {
    int size = 0;
    struct hidraw_report_descriptor found;
    memset(&found, 0, sizeof found);
    if (ioctl(descriptor, HIDIOCGRDESCSIZE, &size) < 0) return -errno;
    if (size < 0 || size > HID_MAX_DESCRIPTOR_SIZE) return -EMSGSIZE;
    found.size = (uint32_t)size;
    if (ioctl(descriptor, HIDIOCGRDESC, &found) < 0) return -errno;
    memcpy(bytes, found.value, (size_t)size);
    return size;
}

int pcd_hid_set_feature(int descriptor, const uint8_t *bytes, uint32_t length) {
    return ioctl(descriptor, HIDIOCSFEATURE(length), bytes) < 0 ? -errno : 0;
}

int pcd_hid_get_feature(int descriptor, uint8_t *bytes, uint32_t length) {
    int found = ioctl(descriptor, HIDIOCGFEATURE(length), bytes);
    return found < 0 ? -errno : found;
}

int pcd_wait(int first, int second, int milliseconds) {
    struct pollfd both[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
    int found = poll(both, 2, milliseconds);
    if (found < 0) return errno == EINTR ? 0 : -errno;
    return (both[0].revents != 0) | (both[1].revents != 0) << 1;
}

int pcd_signal_open(void) {
    int descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

void pcd_signal_raise(int descriptor) {
    uint64_t one = 1;
    ssize_t written = write(descriptor, &one, sizeof one);
    (void)written;
}

void pcd_signal_clear(int descriptor) {
    uint64_t count;
    ssize_t taken = read(descriptor, &count, sizeof count);
    (void)taken;
}

int pcd_read(int descriptor, uint8_t *bytes, uint32_t length) {
    ssize_t found = read(descriptor, bytes, length);
    return found < 0 ? -errno : (int)found;
}

int pcd_write(int descriptor, const uint8_t *bytes, uint32_t length) {
    ssize_t written = write(descriptor, bytes, length);
    return written < 0 ? -errno : (int)written;
}

void pcd_close(int descriptor) { close(descriptor); }

int pcd_device_open(const char *path) {
    int descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}
