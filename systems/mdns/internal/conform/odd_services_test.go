package conform_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/internal/netlab"
	"github.com/poolproof/poolproof/systems/mdns/message"
)

// oddServices have properties that are allowed and rare. Text comes after
// the port.
var oddServices = map[string]struct {
	typ  string
	port int
	text []string
}{
	"no text":               {"_http._tcp", 80, nil},
	"port 0":                {"_http._tcp", 0, []string{"path=/x"}},
	"port 65535":            {"_http._tcp", 65535, []string{"path=/x"}},
	"a string of 255 bytes": {"_http._tcp", 80, []string{"k=" + strings.Repeat("v", 253)}},
	"keys of each kind":     {"_http._tcp", 80, []string{"flag", "empty=", "full=value", "equals=a=b=c"}},
	"a key that has spaces": {"_http._tcp", 80, []string{"a key = a value"}},
	"a key twice":           {"_http._tcp", 80, []string{"k=1", "K=2", "k=3"}},
	"UTF-8 in a value":      {"_http._tcp", 80, []string{"note=Grüße 打"}},
	"30 keys, 3 KB":         {"_http._tcp", 80, keys(30)},
	"300 short keys":        {"_http._tcp", 80, keysOf(300, 1)},
	"a type of 16 bytes":    {"_abcdefghijklmno._udp", 80, []string{"path=/x"}},
	"a type in capitals":    {"_HTTP._TCP", 80, []string{"path=/x"}},
}

func keys(n int) []string { return keysOf(n, 91) }

func keysOf(n, length int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf("key%03d=%s", i, strings.Repeat("v", length)))
	}
	return all
}

// Each odd service that we announce is found by Avahi and by us with all that it
// has, and each that Avahi announces by us.
func TestOddServices(t *testing.T) {
	long(t)
	t.Parallel()
	a, b := netlab.Pair(t, 1)
	daemon := b.StartAvahi(t, "theirs", true, true)
	for what, s := range oddServices {
		t.Run(what, func(t *testing.T) {
			is := func(f found, instance string) bool {
				return f.Instance == instance && f.Port == s.port && slices.Equal(f.Text, s.text) && len(f.Addrs) > 0
			}
			theirs := daemon.Start(t, "avahi-browse", "-rp", s.typ)
			browse := b.Start(t, build(t), "browse", "-json", s.typ)
			args := append([]string{s.typ, fmt.Sprint(s.port)}, s.text...)
			ours := a.Start(t, build(t), append([]string{"register", "-host", "ours", "Ours " + what}, args...)...)
			await(t, browse, "ours", func(f found) bool { return is(f, "Ours "+what) })
			if !theirs.AwaitFunc(func(out string) bool { return resolvedBy(out, "Ours "+what, s.port, s.text...) }, 20*time.Second) {
				t.Errorf("Avahi does not find ours:\n%.2000s", netlab.Unescape(theirs.Output()))
			}
			ours.Stop(t)
			back := a.Start(t, build(t), "browse", "-json", s.typ)
			daemon.Start(t, "avahi-publish", append([]string{"-s", "Theirs " + what}, args...)...)
			await(t, back, "theirs", func(f found) bool { return is(f, "Theirs "+what) })
		})
	}
}

// Subtypes lead to the service, whatever is in their names; it is found by all.
func TestOddSubtypes(t *testing.T) {
	long(t)
	t.Parallel()
	a, b := netlab.Pair(t, 1)
	daemon := b.StartAvahi(t, "theirs", true, true)
	subtypes := []string{"_printer", "_PRINTER2", "noscore", "with space", "_" + strings.Repeat("s", 62), strings.Repeat("s", 63), "ÜNïcode"}
	a.Start(t, build(t), "register", "-host", "ours", "Page", "_http._tcp,"+strings.Join(subtypes, ","), "80")
	for _, sub := range subtypes {
		t.Run(sub, func(t *testing.T) {
			browse := b.Start(t, build(t), "browse", "-json", asciiLower(sub)+"._sub._http._tcp")
			await(t, browse, "by the subtype", func(f found) bool { return f.Instance == "Page" && f.Type == "_http._tcp" })
			if sub[0] != '_' {
				return // avahi-browse takes no such types
			}
			if out := daemon.Run(t, "avahi-browse", "-pt", sub+"._sub._http._tcp"); !strings.Contains(out, ";Page;") {
				t.Errorf("avahi-browse: %s", out)
			}
		})
	}
}

// asciiLower changes the letters A to Z alone, as the RFC does.
func asciiLower(s string) string {
	b := []byte(s)
	message.FoldBytes(b)
	return string(b)
}

// Sixty services of one host on one type are all found by Avahi and by us, and
// all are gone in the end.
func TestManyServicesOfOneType(t *testing.T) {
	long(t)
	t.Parallel()
	a, b := netlab.Pair(t, 1)
	daemon := a.StartAvahi(t, "theirs", true, true)
	var all []*netlab.Process
	for i := range 60 {
		all = append(all, daemon.Start(t, "avahi-publish", "-s", fmt.Sprintf("Service %02d with a name of some length", i), "_ipp._tcp", fmt.Sprint(1000+i), strings.Repeat("t", 100)))
	}
	browse := b.Start(t, build(t), "browse", "-json", "_ipp._tcp")
	count := func(event string) int {
		names := map[string]bool{}
		for _, f := range lines(browse.Output()) {
			if f.Event == event {
				names[f.Instance] = true
			}
		}
		return len(names)
	}
	if !browse.AwaitFunc(func(string) bool { return count("added") == 60 }, 30*time.Second) {
		t.Errorf("%d of 60 are found", count("added"))
	}
	for _, p := range all {
		p.Signal(stop)
	}
	if !browse.AwaitFunc(func(string) bool { return count("removed") == 60 }, 30*time.Second) {
		t.Errorf("%d of 60 have gone", count("removed"))
	}
}
