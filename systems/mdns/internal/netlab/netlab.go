// Package netlab makes networks of a test's own: hosts that are network
// namespaces of Linux, joined by cables. What runs there does not reach the
// machine's network. It needs root and the command ip (Debian: iproute2); where
// they are missing, tests are skipped. A test that is killed leaves its
// namespaces, whose names begin with mdnslab and the number of its process:
// ip netns del removes them.
package netlab

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Host is a namespace with interfaces v0, v1 and so on, one a link.
type Host struct {
	NS    string // its name for ip netns
	Links []Link
}

// Link is a host's end of a cable.
type Link struct {
	Name  string
	Index int
	IPv4  netip.Prefix // 10.99.LINK.HOST/24
	IPv6  netip.Addr   // fe80::LINK:HOST, on /64
}

var labs atomic.Int32

// Pair returns two hosts with this many links between them, which exist until
// the test ends. It skips the test where that cannot be.
func Pair(t testing.TB, links int) (a, b *Host) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: network namespaces are of Linux")
	}
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: network namespaces need root")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip("SKIPPED: network namespaces need the command ip; install iproute2")
	}
	lab := labs.Add(1)
	hosts := [2]*Host{}
	for i := range hosts {
		h := &Host{NS: fmt.Sprintf("mdnslab%d-%d%c", os.Getpid(), lab, 'a'+i)}
		if out, err := exec.Command("ip", "netns", "add", h.NS).CombinedOutput(); err != nil {
			t.Skipf("SKIPPED: ip netns add: %v: %s", err, out)
		}
		t.Cleanup(func() {
			if out, err := exec.Command("ip", "netns", "del", h.NS).CombinedOutput(); err != nil {
				t.Errorf("ip netns del: %v: %s", err, out)
			}
		})
		h.ip(t, "link set lo up")
		hosts[i] = h
	}
	for l := range links {
		cable(t, hosts, l)
	}
	return hosts[0], hosts[1]
}

// cable adds a link.
func cable(t testing.TB, hosts [2]*Host, l int) {
	t.Helper()
	name := fmt.Sprintf("v%d", l)
	hosts[0].ip(t, fmt.Sprintf("link add %s type veth peer name %s netns %s", name, name, hosts[1].NS))
	for i, h := range hosts {
		link := Link{
			Name: name,
			IPv4: netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 99, byte(l), byte(i + 1)}), 24),
			IPv6: netip.AddrFrom16([16]byte{0: 0xfe, 1: 0x80, 13: byte(l), 15: byte(i + 1)}),
		}
		h.ip(t, "link set "+name+" addrgenmode none")
		h.ip(t, fmt.Sprintf("addr add %v dev %s", link.IPv4, name))
		h.ip(t, "link set "+name+" up")
		h.ip(t, fmt.Sprintf("addr add %v/64 dev %s nodad", link.IPv6, name))
		h.Do(t, func() {
			ifi, err := net.InterfaceByName(name)
			if err != nil {
				t.Errorf("interface %s: %v", name, err)
				return
			}
			link.Index = ifi.Index
		})
		h.Links = append(h.Links, link)
		if l == 0 { // multicast without an interface of its own needs a route
			h.ip(t, "route add default dev "+name)
		}
	}
}

// IP runs the command ip in the host.
func (h *Host) IP(t testing.TB, args string) {
	t.Helper()
	h.ip(t, args)
}

func (h *Host) ip(t testing.TB, args string) {
	t.Helper()
	all := append([]string{"-n", h.NS}, strings.Fields(args)...)
	if out, err := exec.Command("ip", all...).CombinedOutput(); err != nil {
		t.Fatalf("ip %s: %v: %s", strings.Join(all, " "), err, out)
	}
}

// Do calls f on a thread that is in the host. Sockets that f opens stay there,
// wherever they are used; what f starts in other goroutines is not there.
func (h *Host) Do(t testing.TB, f func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		err := enter(h.NS)
		if err == nil {
			f()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatalf("entering %s: %v", h.NS, err)
	}
}

// Process is a program that runs in a host.
type Process struct {
	Cmd    *exec.Cmd
	name   string
	out    lockedBuffer
	ended  chan struct{}
	status error
}

// Start starts a program in the host, with a limit of five minutes. It is
// killed when the test ends.
func (h *Host) Start(t testing.TB, name string, args ...string) *Process {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	p := &Process{name: name, ended: make(chan struct{})}
	p.Cmd = exec.CommandContext(ctx, "ip", append([]string{"netns", "exec", h.NS, name}, args...)...)
	p.Cmd.Stdout, p.Cmd.Stderr = &p.out, &p.out
	if err := p.Cmd.Start(); err != nil {
		cancel()
		t.Fatal(err)
	}
	go func() {
		p.status = p.Cmd.Wait()
		close(p.ended)
		cancel()
	}()
	t.Cleanup(func() {
		p.Stop(t)
		if t.Failed() {
			t.Logf("%s printed:\n%s", name, p.Output())
		}
	})
	return p
}

// Run runs a program in the host to its end and returns what it printed.
func (h *Host) Run(t testing.TB, name string, args ...string) string {
	t.Helper()
	p := h.Start(t, name, args...)
	<-p.ended
	return p.Output()
}

// Output returns what the program has printed so far.
func (p *Process) Output() string { return p.out.String() }

// Await waits until the program has printed text, and reports whether it did
// within d.
func (p *Process) Await(text string, d time.Duration) bool {
	return p.AwaitFunc(func(out string) bool { return strings.Contains(out, text) }, d)
}

// AwaitFunc waits until f says yes to what the program has printed.
func (p *Process) AwaitFunc(f func(out string) bool, d time.Duration) bool {
	end := time.Now().Add(d)
	for !f(p.Output()) {
		select {
		case <-p.ended:
			return f(p.Output())
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(end) {
			return f(p.Output())
		}
	}
	return true
}

// Signal sends a signal.
func (p *Process) Signal(s os.Signal) { p.Cmd.Process.Signal(s) }

// Stop asks the program to end and waits until it has; after five seconds it is
// killed. It may be called more than once.
func (p *Process) Stop(t testing.TB) {
	t.Helper()
	p.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(5 * time.Second):
		p.Cmd.Process.Kill()
		<-p.ended
	}
}

// Kill ends the program without a goodbye.
func (p *Process) Kill() {
	p.Cmd.Process.Kill()
	<-p.ended
}

// lockedBuffer is a buffer for a program's output.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
