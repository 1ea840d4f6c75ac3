package conform_test

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/poolproof/poolproof/systems/mdns/internal/netlab"
)

const stop = syscall.SIGTERM

// Two of ours and Avahi want a name at the same time: each ends with a name of
// its own, and all three are found under theirs by a fourth.
func TestANameThatThreeWantAtOnce(t *testing.T) {
	long(t)
	t.Parallel()
	a, b := netlab.Pair(t, 1)
	daemon := a.StartAvahi(t, "theirs", true, true)
	for _, name := range []string{"Page", "Page (2)", "Page #2", strings.Repeat("x", 63), strings.Repeat("打", 21)} {
		t.Run(name, func(t *testing.T) {
			browse := b.Start(t, build(t), "browse", "-json", "_http._tcp")
			var all []*netlab.Process
			all = append(all, a.Start(t, build(t), "register", "-json", "-host", "one", name, "_http._tcp", "1"))
			all = append(all, daemon.Start(t, "avahi-publish", "-s", name, "_http._tcp", "2"))
			all = append(all, b.Start(t, build(t), "register", "-json", "-host", "two", name, "_http._tcp", "3"))
			// The last state of each port, while it is there.
			state := func() map[int]string {
				names := map[int]string{}
				for _, f := range lines(browse.Output()) {
					switch {
					case f.Event != "removed":
						names[f.Port] = f.Instance
					case names[f.Port] == f.Instance:
						delete(names, f.Port)
					}
				}
				return names
			}
			ok := browse.AwaitFunc(func(string) bool {
				s := state()
				return len(s) == 3 && s[1] != s[2] && s[2] != s[3] && s[1] != s[3]
			}, 30*time.Second)
			time.Sleep(3 * time.Second)
			s := state()
			if !ok || len(s) != 3 || s[1] == s[2] || s[2] == s[3] || s[1] == s[3] {
				t.Errorf("the names are %v", s)
			}
			if s[1] != name && s[2] != name && s[3] != name {
				t.Errorf("no one has the name: %v", s)
			}
			for _, p := range all {
				p.Stop(t)
			}
			browse.AwaitFunc(func(string) bool { return len(state()) == 0 }, 5*time.Second)
			if s := state(); len(s) != 0 {
				t.Errorf("still there after the goodbyes: %v", s)
			}
		})
	}
}

// Avahi and we want a host name at the same time, and Avahi takes ours later:
// each has a name of its own, and our service is found on ours.
func TestAHostNameThatIsContested(t *testing.T) {
	long(t)
	t.Parallel()
	a, b := netlab.Pair(t, 1)
	b.Start(t, build(t), "register", "-json", "-host", "same", "Ours", "_http._tcp", "2")
	daemon := a.StartAvahi(t, "same", true, true)
	daemon.Start(t, "avahi-publish", "-s", "Theirs", "_http._tcp", "1")
	browse := b.Start(t, build(t), "browse", "-json", "_http._tcp")
	hosts := func() (theirs, ours string) {
		for _, f := range lines(browse.Output()) {
			switch {
			case f.Event == "removed":
			case f.Instance == "Ours":
				ours = f.Host
			case f.Instance == "Theirs":
				theirs = f.Host
			}
		}
		return theirs, ours
	}
	different := func(string) bool {
		theirs, ours := hosts()
		return theirs != "" && ours != "" && theirs != ours
	}
	t.Run("at once", func(t *testing.T) {
		if !browse.AwaitFunc(different, 20*time.Second) {
			t.Errorf("%v", browse.Output())
		}
	})
	time.Sleep(3 * time.Second)
	_, mine := hosts()
	t.Run("later", func(t *testing.T) {
		label := strings.TrimSuffix(mine, ".local")
		daemon.Run(t, "avahi-set-host-name", label)
		time.Sleep(5 * time.Second)
		if theirs, now := hosts(); now != mine || theirs == mine {
			t.Errorf("theirs is %s, ours was %s and is %s", theirs, mine, now)
		}
		out := b.Run(t, build(t), "lookup", "-json", mine)
		if all := lines(out); len(all) != 1 || !strings.Contains(out, b.Links[0].IPv4.Addr().String()) || strings.Contains(out, a.Links[0].IPv4.Addr().String()) {
			t.Errorf("lookup of %s: %s", mine, out)
		}
	})
	t.Run("by a host of one letter's case", func(t *testing.T) {
		other := a.Start(t, build(t), "register", "-json", "-host", strings.ToUpper(strings.TrimSuffix(mine, ".local")), "Third", "_http._tcp", "3")
		await(t, other, "registered", func(f found) bool { return f.Event == "registered" && !strings.EqualFold(f.Host, mine) })
	})
}

// A responder whose cable is pulled for a while is found again once it is back;
// one that is killed is gone after the life of its address; one that stood still
// and one whose cable was pulled while it ended are no trouble.
func TestACableThatIsPulledForAWhile(t *testing.T) {
	long(t)
	t.Parallel()
	a, b := netlab.Pair(t, 1)
	ours := a.Start(t, build(t), "register", "-json", "-host", "ours", "Page", "_http._tcp", "80", "path=/x")
	browse := b.Start(t, build(t), "browse", "-json", "_http._tcp")
	events := func(kind string) (n int) {
		for _, f := range lines(browse.Output()) {
			if f.Event == kind && f.Instance == "Page" {
				n++
			}
		}
		return n
	}
	await(t, browse, "added", func(f found) bool { return f.Event == "added" && f.Instance == "Page" })
	t.Run("the responder's for ten seconds", func(t *testing.T) {
		a.IP(t, "link set v0 down")
		time.Sleep(10 * time.Second)
		a.IP(t, "link set v0 up")
		time.Sleep(5 * time.Second)
		if out := b.Run(t, build(t), "lookup", "-json", "Page", "_http._tcp"); len(lines(out)) != 1 {
			t.Errorf("lookup: %s", out)
		}
		if strings.Contains(ours.Output(), "renamed") || events("added") != events("removed")+1 {
			t.Errorf("%s%s", ours.Output(), browse.Output())
		}
	})
	t.Run("an update and an end are heard afterwards", func(t *testing.T) {
		before := events("removed")
		ours.Stop(t)
		if !browse.AwaitFunc(func(string) bool { return events("removed") == before+1 }, 5*time.Second) {
			t.Errorf("%s", browse.Output())
		}
	})
	t.Run("a start without a cable", func(t *testing.T) {
		a.IP(t, "link set v0 down")
		late := a.Start(t, build(t), "register", "-json", "-host", "ours", "Page", "_http._tcp", "81")
		time.Sleep(4 * time.Second)
		a.IP(t, "link set v0 up")
		await(t, browse, "added", func(f found) bool { return f.Event == "added" && f.Port == 81 })
		time.Sleep(8 * time.Second) // its announcements are over
		late.Kill()
		killed := time.Now()
		before := events("removed")
		if !browse.AwaitFunc(func(string) bool { return events("removed") == before+1 }, 130*time.Second) || time.Since(killed) < 60*time.Second {
			t.Errorf("gone after %v:\n%s", time.Since(killed), browse.Output())
		}
	})
}

// Avahi keeps its host name beside us on one host, whichever of us comes first:
// we leave it the names of the addresses.
func TestAvahiKeepsItsHostNameBesideUs(t *testing.T) {
	long(t)
	t.Parallel()
	for _, first := range []string{"Avahi", "we"} {
		t.Run(first, func(t *testing.T) {
			a, b := netlab.Pair(t, 1)
			register := func() { a.Start(t, build(t), "register", "-host", "ours", "Ours", "_http._tcp", "1") }
			if first == "we" {
				register()
				time.Sleep(5 * time.Second)
			}
			daemon := a.StartAvahi(t, "theirs", true, true)
			daemon.Start(t, "avahi-publish", "-s", "Theirs", "_http._tcp", "2")
			if first == "Avahi" {
				time.Sleep(5 * time.Second)
				register()
			}
			time.Sleep(8 * time.Second)
			a.IP(t, "addr add 10.99.0.77/24 dev v0")
			time.Sleep(8 * time.Second)
			browse := b.Start(t, build(t), "browse", "-json", "_http._tcp")
			for name, host := range map[string]string{"Ours": "ours.local", "Theirs": "theirs.local"} {
				await(t, browse, name, func(f found) bool { return f.Instance == name && f.Host == host })
			}
			for _, addr := range []string{a.Links[0].IPv4.Addr().String(), a.Links[0].IPv6.String(), "10.99.0.77"} {
				if out := b.Run(t, build(t), "lookup", "-json", addr); !strings.Contains(out, "theirs.local") || strings.Contains(out, "ours.local") {
					t.Errorf("lookup of %s: %s", addr, out)
				}
			}
		})
	}
}
