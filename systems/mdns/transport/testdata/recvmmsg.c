/* The loop that a program in C would have: for each line on standard input,
 * fill a socket's queue with COUNT packets of SIZE bytes, then receive them
 * with recvmmsg, 64 at a time, with the interface, destination and hop limit of
 * each, and print the nanoseconds that receiving took. It prints 0 when the queue
 * is full, and waits for a second line: what the benchmark does between filling
 * and receiving, it does here, too.
 *
 *     cc -O2 -o recvmmsg recvmmsg.c && printf '\n\n' | ./recvmmsg 2048 145
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { BATCH = 64, BUFFER = 9000, CONTROL = 128 };

static struct mmsghdr headers[BATCH];
static struct iovec iovecs[BATCH];
static struct sockaddr_in6 sources[BATCH];
static char data[BATCH][BUFFER], control[BATCH][CONTROL];

static void fail(const char *what) {
	perror(what);
	exit(1);
}

int main(int argc, char **argv) {
	int count = atoi(argv[1]), size = atoi(argv[2]), one = 1, room = 4 << 20;
	int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in addr = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof addr;
	if (bind(in, (struct sockaddr *)&addr, sizeof addr) || getsockname(in, (struct sockaddr *)&addr, &length) ||
	    connect(out, (struct sockaddr *)&addr, sizeof addr))
		fail("sockets");
	setsockopt(in, IPPROTO_IP, IP_PKTINFO, &one, sizeof one);
	setsockopt(in, IPPROTO_IP, IP_RECVTTL, &one, sizeof one);
	setsockopt(in, SOL_SOCKET, SO_RXQ_OVFL, &one, sizeof one);
	setsockopt(in, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
	setsockopt(in, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
	for (int i = 0; i < BATCH; i++) {
		iovecs[i] = (struct iovec){data[i], BUFFER};
		headers[i].msg_hdr = (struct msghdr){.msg_name = &sources[i], .msg_iov = &iovecs[i], .msg_iovlen = 1, .msg_control = control[i]};
	}
	static char packet[BUFFER], line[16];
	while (fgets(line, sizeof line, stdin)) {
		for (int i = 0; i < count; i++)
			if (send(out, packet, size, 0) != size)
				fail("send");
		puts("0");
		fflush(stdout);
		if (!fgets(line, sizeof line, stdin))
			break;
		struct timespec start, end;
		long bytes = 0, interfaces = 0;
		clock_gettime(CLOCK_MONOTONIC, &start);
		for (int got = 0; got < count;) {
			for (int i = 0; i < BATCH; i++) {
				headers[i].msg_hdr.msg_namelen = sizeof sources[i];
				headers[i].msg_hdr.msg_controllen = CONTROL;
			}
			int n = recvmmsg(in, headers, BATCH, MSG_DONTWAIT, NULL);
			if (n <= 0)
				fail("recvmmsg");
			for (int i = 0; i < n; i++) {
				bytes += headers[i].msg_len;
				for (struct cmsghdr *c = CMSG_FIRSTHDR(&headers[i].msg_hdr); c; c = CMSG_NXTHDR(&headers[i].msg_hdr, c))
					if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO)
						interfaces += ((struct in_pktinfo *)CMSG_DATA(c))->ipi_ifindex;
			}
			got += n;
		}
		clock_gettime(CLOCK_MONOTONIC, &end);
		if (bytes != (long)count * size || interfaces == 0)
			fail("packets are missing");
		printf("%ld\n", (end.tv_sec - start.tv_sec) * 1000000000L + end.tv_nsec - start.tv_nsec);
		fflush(stdout);
	}
	return 0;
}
