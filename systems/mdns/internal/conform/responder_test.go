package conform_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/internal/conform"
	"github.com/poolproof/poolproof/systems/mdns/internal/netlab"
)

// command is our command, built once.
var command = sync.OnceValues(func() (string, error) {
	var err error
	if commandDir, err = os.MkdirTemp("", "mdns"); err != nil {
		return "", err
	}
	path := filepath.Join(commandDir, "mdns")
	if out, err := exec.Command("go", "build", "-o", path, "github.com/poolproof/poolproof/systems/mdns/cmd/mdns").CombinedOutput(); err != nil {
		return "", fmt.Errorf("building our command: %v\n%s", err, out)
	}
	return path, nil
})

// commandDir is where it is, once it is built.
var commandDir string

func TestMain(m *testing.M) {
	if services := os.Getenv(crowdVariable); services != "" {
		if err := crowd(services); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	code := m.Run()
	if commandDir != "" {
		os.RemoveAll(commandDir)
	}
	os.Exit(code)
}

func build(t testing.TB) string {
	t.Helper()
	path, err := command()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// ours is our responder.
func ours(t testing.TB) conform.Responder {
	path := build(t)
	return conform.Responder{Name: "poolproof", Start: func(t testing.TB, h *netlab.Host, ipv6 bool) func() {
		p := h.Start(t, path, "register", "-host", "duthost", "Dut", "_pp._tcp", "9000", "path=/x")
		return func() { p.Stop(t) }
	}}
}

// avahi is the control: a responder of others, of which it is known what it
// does.
func avahi(t testing.TB) conform.Responder {
	daemons := map[*netlab.Host]*netlab.Avahi{}
	return conform.Responder{Name: "avahi", Start: func(t testing.TB, h *netlab.Host, ipv6 bool) func() {
		if daemons[h] == nil {
			daemons[h] = h.StartAvahi(t, "duthost", true, true)
		}
		p := daemons[h].Start(t, "avahi-publish", "-s", "Dut", "_pp._tcp", "9000", "path=/x")
		return func() { p.Stop(t) }
	}}
}

func families(t *testing.T, f func(t *testing.T, ipv6 bool)) {
	for _, ipv6 := range []bool{false, true} {
		t.Run(map[bool]string{false: "IPv4", true: "IPv6"}[ipv6], func(t *testing.T) {
			t.Parallel() // namespaces of its own
			f(t, ipv6)
		})
	}
}

// long skips what takes a minute.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED: takes a minute; run without -short")
	}
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: network namespaces are of Linux")
	}
}

// Our responder does all that RFC 6762 and RFC 6763 ask for.
func TestResponderConforms(t *testing.T) {
	long(t)
	families(t, func(t *testing.T, ipv6 bool) {
		total, passed := 0, 0
		conform.Run(t, ours(t), ipv6, func(c conform.Check, err error) {
			total++
			if err != nil {
				t.Errorf("%d. %s (%s): %v", c.Number, c.Name, c.Section, err)
				return
			}
			passed++
		})
		t.Logf("%d of %d checks", passed, total)
	})
}

// beyondAvahi are checks that avahi 0.8 does not pass: it asks for multicast
// responses when it probes, answers by multicast what was asked for by unicast,
// does not look at the TTL of known answers nor wait for the packets that
// follow, has no NSEC, and does not probe again after a lost tie-break.
var beyondAvahi = map[int]bool{3: true, 15: true, 19: true, 20: true, 23: true, 34: true}

// That Avahi, which is used everywhere, passes shows that the suite does not ask
// for what only our responder does.
func TestAvahiAsTheControl(t *testing.T) {
	long(t)
	netlab.NeedAvahi(t) // here: a subtest cannot skip the test around it
	families(t, func(t *testing.T, ipv6 bool) {
		start := time.Now()
		total, passed := 0, 0
		conform.Run(t, avahi(t), ipv6, func(c conform.Check, err error) {
			total++
			switch {
			case err == nil:
				passed++
			case beyondAvahi[c.Number]:
				t.Logf("%d. %s (%s): as known: %v", c.Number, c.Name, c.Section, err)
			default:
				t.Errorf("%d. %s (%s): %v", c.Number, c.Name, c.Section, err)
			}
		})
		t.Logf("%d of %d checks in %v", passed, total, time.Since(start).Round(time.Second))
	})
}
