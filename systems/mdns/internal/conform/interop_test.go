package conform_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/internal/netlab"
)

// found is a line of our command with -json.
type found struct {
	Event, Instance, Type, Host string
	Port                        int
	Text, Addrs                 []string
	Priority, Weight            int
	Endpoints                   []endpoint
}

type endpoint struct{ Addr, Interface string }

// lines are those that our command has printed.
func lines(out string) (all []found) {
	for l := range strings.Lines(out) {
		var f found
		if json.Unmarshal([]byte(l), &f) == nil {
			all = append(all, f)
		}
	}
	return all
}

// await waits for a line.
func await(t *testing.T, p *netlab.Process, what string, want func(found) bool) {
	t.Helper()
	if !p.AwaitFunc(func(out string) bool { return slices.ContainsFunc(lines(out), want) }, 20*time.Second) {
		t.Errorf("%s: not seen in\n%s", what, p.Output())
	}
}

// An instance's name with all that people write.
const odd = `Büro 2.OG "Süd" (oben)`

// reaches reports whether the addresses are those of a host's first link.
func reaches(h *netlab.Host, from string, addrs []string) bool {
	return slices.Contains(addrs, h.Links[0].IPv4.Addr().String()) && slices.Contains(addrs, h.Links[0].IPv6.WithZone(from).String())
}

func TestWeFindWhatAvahiAnnounces(t *testing.T) {
	long(t)
	t.Parallel()
	a, b := netlab.Pair(t, 1)
	daemon := a.StartAvahi(t, "theirs", true, true)
	browse := b.Start(t, build(t), "browse", "-json", "_http._tcp")
	publish := daemon.Start(t, "avahi-publish", "-s", odd, "_http._tcp", "8080", "path=/x", "empty=", "flag")
	await(t, browse, "added", func(f found) bool {
		return f.Event == "added" && f.Instance == odd && f.Type == "_http._tcp" && f.Port == 8080 && f.Host == "theirs.local" &&
			slices.Contains(f.Text, "path=/x") && slices.Contains(f.Text, "flag") && slices.Contains(f.Text, "empty=") && len(f.Text) == 3
	})
	await(t, browse, "both families", func(f found) bool { return reaches(a, "v0", f.Addrs) })
	if out := b.Run(t, build(t), "lookup", "-json", odd, "_http._tcp"); len(lines(out)) != 1 || lines(out)[0].Port != 8080 {
		t.Errorf("lookup: %s", out)
	}
	if out := b.Run(t, build(t), "lookup", "-json", "theirs.local"); len(lines(out)) != 1 || !reaches(a, "v0", lines(out)[0].Addrs) {
		t.Errorf("lookup of the host: %s", out)
	}
	if out := b.Run(t, build(t), "types", "-timeout", "2s"); !strings.Contains(out, "_http._tcp") {
		t.Errorf("types: %s", out)
	}
	publish.Stop(t)
	await(t, browse, "removed", func(f found) bool { return f.Event == "removed" && f.Instance == odd })
}

func TestAvahiFindsWhatWeAnnounce(t *testing.T) {
	long(t)
	t.Parallel()
	a, b := netlab.Pair(t, 1)
	daemon := b.StartAvahi(t, "theirs", true, true)
	browse := daemon.Start(t, "avahi-browse", "-rp", "_http._tcp")
	ours := a.Start(t, build(t), "register", "-host", "ours", odd, "_http._tcp,_printer", "8080", "path=/x", "flag")
	for _, family := range []string{"IPv4", "IPv6"} {
		if !browse.AwaitFunc(func(out string) bool {
			for l := range strings.Lines(out) {
				f := strings.Split(strings.TrimSpace(l), ";")
				if len(f) > 9 && f[0] == "=" && f[2] == family && netlab.Unescape(f[3]) == odd && f[6] == "ours.local" && f[8] == "8080" &&
					strings.Contains(f[9], `"path=/x"`) && strings.Contains(f[9], `"flag"`) {
					return true
				}
			}
			return false
		}, 20*time.Second) {
			t.Errorf("%s: not resolved in\n%s", family, browse.Output())
		}
	}
	for _, c := range [][2]string{{"-4", a.Links[0].IPv4.Addr().String()}, {"-6", a.Links[0].IPv6.String()}} {
		if out := daemon.Run(t, "avahi-resolve", c[0], "-n", "ours.local"); !strings.Contains(out, c[1]) {
			t.Errorf("avahi-resolve %s: %s", c[0], out)
		}
	}
	if out := daemon.Run(t, "avahi-browse", "-pt", "_printer._sub._http._tcp"); !strings.Contains(netlab.Unescape(out), odd) {
		t.Errorf("by its subtype: %s", out)
	}
	ours.Stop(t)
	for _, family := range []string{"IPv4", "IPv6"} {
		if !browse.AwaitFunc(func(out string) bool {
			for l := range strings.Lines(out) {
				if f := strings.Split(l, ";"); len(f) > 3 && f[0] == "-" && f[2] == family && netlab.Unescape(f[3]) == odd {
					return true
				}
			}
			return false
		}, 10*time.Second) {
			t.Errorf("%s: the goodbye is not seen in\n%s", family, browse.Output())
		}
	}
}

// The later of two takes another name, whichever it is.
func TestNamesThatAvahiHasAndWantsToHave(t *testing.T) {
	long(t)
	t.Parallel()
	a, b := netlab.Pair(t, 1)
	daemon := a.StartAvahi(t, "same", true, true)
	theirs := daemon.Start(t, "avahi-publish", "-s", "Theirs", "_http._tcp", "1")
	if !theirs.Await("Established", 10*time.Second) {
		t.Fatal(theirs.Output())
	}
	ours := b.Start(t, build(t), "register", "-json", "-host", "same", "Theirs", "_http._tcp", "2")
	await(t, ours, "another name", func(f found) bool {
		return f.Event == "registered" && f.Instance == "Theirs (2)" && f.Host == "same-2.local"
	})
	mine := b.Start(t, build(t), "register", "-json", "-host", "another", "Ours", "_http._tcp", "3")
	await(t, mine, "the name", func(f found) bool { return f.Event == "registered" && f.Instance == "Ours" })
	second := daemon.Start(t, "avahi-publish", "-s", "Ours", "_http._tcp", "4")
	if !second.Await("Ours #2", 15*time.Second) {
		t.Errorf("avahi takes the name that is ours:\n%s", second.Output())
	}
}

// Two interfaces: each shows the addresses that are valid there.
func TestTwoOfOursOnTwoLinks(t *testing.T) {
	long(t)
	t.Parallel()
	a, b := netlab.Pair(t, 2)
	ours := a.Start(t, build(t), "register", "-host", "ours", "Page", "_http._tcp", "80")
	browse := b.Start(t, build(t), "browse", "-json", "_http._tcp")
	one := b.Start(t, build(t), "browse", "-json", "-i", "v1", "_http._tcp")
	var all []string
	for _, l := range a.Links {
		all = append(all, l.IPv4.Addr().String(), l.IPv6.WithZone(l.Name).String())
	}
	slices.Sort(all)
	await(t, browse, "the addresses of both links", func(f found) bool {
		slices.Sort(f.Addrs)
		return slices.Equal(f.Addrs, all)
	})
	await(t, one, "the addresses of the second link", func(f found) bool {
		return slices.Equal(f.Addrs, []string{a.Links[1].IPv4.Addr().String(), a.Links[1].IPv6.WithZone("v1").String()})
	})
	for _, f := range lines(one.Output()) {
		if slices.Contains(f.Addrs, a.Links[0].IPv4.Addr().String()) {
			t.Errorf("the second link shows an address of the first: %v", f)
		}
	}
	ours.Stop(t)
	for _, p := range []*netlab.Process{browse, one} {
		await(t, p, "removed", func(f found) bool { return f.Event == "removed" })
	}
}

// Two programs of one host share its name, and find each other. When one ends,
// the host is still there.
func TestTwoOfOursOnOneHost(t *testing.T) {
	long(t)
	t.Parallel()
	a, _ := netlab.Pair(t, 1)
	a.Start(t, build(t), "register", "-host", "ours", "Page", "_http._tcp", "80")
	browse := a.Start(t, build(t), "browse", "-json", "_http._tcp")
	await(t, browse, "a service of the same host", func(f found) bool { return f.Event == "added" && f.Instance == "Page" })
	second := a.Start(t, build(t), "register", "-json", "-host", "ours", "Page", "_http._tcp", "81")
	await(t, second, "another name", func(f found) bool {
		return f.Event == "registered" && f.Instance == "Page (2)" && f.Host == "ours.local"
	})
	await(t, browse, "the second service", func(f found) bool { return f.Event == "added" && f.Instance == "Page (2)" })
	second.Stop(t)
	await(t, browse, "the goodbye", func(f found) bool { return f.Event == "removed" && f.Instance == "Page (2)" })
	time.Sleep(2 * time.Second)
	if out := a.Run(t, build(t), "lookup", "-json", "ours.local"); len(lines(out)) != 1 {
		t.Errorf("the host has gone with one of its programs: %s", out)
	}
	for _, f := range lines(browse.Output()) {
		if f.Event == "removed" && f.Instance == "Page" {
			t.Error("the other service has gone with its neighbour")
		}
	}
}

// python is the interpreter that has zeroconf: that of the variable
// MDNS_PYTHON, or python3.
func python(t *testing.T) string {
	t.Helper()
	path := os.Getenv("MDNS_PYTHON")
	if path == "" {
		path = "python3"
	}
	if out, err := exec.Command(path, "-c", "import zeroconf").CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: %s has no zeroconf (%v: %s); install it with pip in a virtual environment, and name its python in MDNS_PYTHON", path, err, strings.TrimSpace(string(out)))
	}
	return path
}

func TestPythonZeroconfBothWays(t *testing.T) {
	long(t)
	t.Parallel()
	path := python(t)
	script, err := filepath.Abs("testdata/peer.py")
	if err != nil {
		t.Fatal(err)
	}
	a, b := netlab.Pair(t, 1)
	both(t, a, b, func(what, name string) *netlab.Process {
		return b.Start(t, path, script, what, b.Links[0].IPv4.Addr().String(), name)
	})
}

// both has a peer on b announce and find, and us do so on a.
func both(t *testing.T, a, b *netlab.Host, peer func(what, name string) *netlab.Process) {
	t.Helper()
	browse := a.Start(t, build(t), "browse", "-json", "_http._tcp")
	theirs := peer("register", "Theirs")
	await(t, browse, "what the peer announces", func(f found) bool {
		return f.Event == "added" && f.Instance == "Theirs" && f.Port == 8080 && slices.Contains(f.Text, "path=/x") && slices.Contains(f.Addrs, b.Links[0].IPv4.Addr().String())
	})
	finder := peer("browse", "-")
	ours := a.Start(t, build(t), "register", "-host", "ours", "Ours", "_http._tcp", "9090", "path=/y")
	want := "added Ours 9090 /y " + a.Links[0].IPv4.Addr().String()
	if !finder.Await(want, 20*time.Second) {
		t.Errorf("the peer does not find ours: want %q in\n%s", want, finder.Output())
	}
	ours.Stop(t)
	if !finder.Await("removed Ours", 10*time.Second) {
		t.Errorf("the peer does not see our goodbye:\n%s", finder.Output())
	}
	theirs.Stop(t)
	await(t, browse, "the peer's goodbye", func(f found) bool { return f.Event == "removed" && f.Instance == "Theirs" })
}

// The Go peer is a module of its own, with dependencies of its own.
func TestAGoPeerBothWays(t *testing.T) {
	long(t)
	t.Parallel()
	path := filepath.Join(t.TempDir(), "peer")
	cmd := exec.Command("go", "build", "-o", path, ".")
	cmd.Dir = "../peer"
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: the peer cannot be built: %v\n%s", err, out)
	}
	a, b := netlab.Pair(t, 1)
	both(t, a, b, func(what, name string) *netlab.Process { return b.Start(t, path, what, "v0", name) })
}
