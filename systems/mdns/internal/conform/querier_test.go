package conform_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/mdns/internal/conform"
	"github.com/poolproof/poolproof/systems/mdns/internal/netlab"
)

// Our querier does all that RFC 6762 asks for.
func TestQuerierConforms(t *testing.T) {
	long(t)
	path := build(t)
	families(t, func(t *testing.T, ipv6 bool) {
		total, passed := 0, 0
		conform.RunQuerier(t, conform.Querier{
			Name: "poolproof",
			Start: func(t testing.TB, h *netlab.Host) *netlab.Process {
				return h.Start(t, path, "browse", "-json", "_pp._tcp")
			},
			Told: func(out, event, instance string) bool {
				return slices.ContainsFunc(lines(out), func(f found) bool { return f.Event == event && f.Instance == instance })
			},
		}, ipv6, func(c conform.QuerierCheck, err error) {
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

// The control: what avahi-browse tells, and avahi-daemon asks for it. It tells
// of each instance as soon as there is a name, and not of changes.
func TestAvahiAsTheControlOfQueriers(t *testing.T) {
	long(t)
	netlab.NeedAvahi(t) // here: a subtest cannot skip the test around it
	families(t, func(t *testing.T, ipv6 bool) {
		var daemon *netlab.Avahi
		total, passed := 0, 0
		conform.RunQuerier(t, conform.Querier{
			Name: "avahi",
			Start: func(st testing.TB, h *netlab.Host) *netlab.Process {
				if daemon != nil { // it remembers what it has asked, and does not ask again so soon
					daemon.Stop(t)
				}
				daemon = h.StartAvahi(t, "duthost", true, true)
				return daemon.Start(st, "avahi-browse", "-rp", "_pp._tcp")
			},
			Told: func(out, event, instance string) bool {
				mark := map[string]string{"added": "=", "updated": "=", "removed": "-"}[event]
				seen := 0
				for l := range strings.Lines(out) {
					if f := strings.Split(l, ";"); len(f) > 3 && f[0] == mark && netlab.Unescape(f[3]) == instance {
						seen++
					}
				}
				return seen > 1 || seen == 1 && event != "updated"
			},
		}, ipv6, func(c conform.QuerierCheck, err error) {
			total++
			if err != nil {
				t.Logf("%d. %s (%s): %v", c.Number, c.Name, c.Section, err)
				return
			}
			passed++
		})
		t.Logf("%d of %d checks", passed, total)
		if passed < total/2 {
			t.Errorf("Avahi passes %d of %d checks: the suite asks for what only ours does", passed, total)
		}
	})
}
