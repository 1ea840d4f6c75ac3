package mdns

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"time"
)

// Three nodes do what programs do, in any order: they register services and hosts
// of few names, change and close them, and lose and get links. In the end each name
// has one owner, and each node finds what there is and nothing else.
func TestWhateverProgramsDo(t *testing.T) {
	seeds := 100
	if testing.Short() {
		seeds = 10
	}
	for seed := range seeds {
		bubble(t, func(t *testing.T, e *ether) {
			r := rand.New(rand.NewPCG(uint64(seed), 1))
			const nodes, links = 3, 2
			type registered struct {
				*Registration
				port uint16
			}
			var all [nodes]*Node
			var stations [nodes]*station
			var services [nodes][]*registered
			var hosts [nodes][]*HostRegistration
			var mu sync.Mutex // of found
			var found [nodes]map[string]Service
			for i := range all {
				all[i], stations[i] = e.node(t, "host", links, r.IntN(2) == 0)
				found[i] = map[string]Service{}
				go func() {
					for event, err := range all[i].Browse(t.Context(), "_http._tcp") {
						mu.Lock()
						switch {
						case err != nil:
						case event.Kind == Removed:
							delete(found[i], event.Service.Instance)
						default:
							found[i][event.Service.Instance] = event.Service
						}
						mu.Unlock()
					}
				}()
			}
			service := func() Service {
				s := page(fmt.Sprintf("Page %d", r.IntN(3)))
				s.Port = uint16(1000 + r.IntN(1000))
				switch r.IntN(4) {
				case 0:
					s.Host, s.Addrs = fmt.Sprintf("proxy%d.local", r.IntN(2)), []netip.Addr{netip.AddrFrom4([4]byte{10, 0, 1, byte(100 + r.IntN(50))})}
				case 1:
					s.TTL = 10 * time.Minute
				}
				return s
			}
			for range 40 {
				i := r.IntN(nodes)
				switch r.IntN(8) {
				case 0, 1, 2:
					s := service()
					reg, err := all[i].Register(t.Context(), s)
					if err != nil {
						t.Fatal(err)
					}
					services[i] = append(services[i], &registered{reg, s.Port})
				case 3:
					if len(services[i]) > 0 {
						reg := services[i][r.IntN(len(services[i]))]
						s := page("")
						s.Port = uint16(3000 + r.IntN(1000))
						all[i].loop.mu.Lock()
						if h := reg.offer; h.host != "" {
							s.Host, s.Addrs = hostText(h.host), h.Addrs
						}
						all[i].loop.mu.Unlock()
						if err := reg.Update(s); err != nil {
							t.Fatal(err)
						}
						reg.port = s.Port
					}
				case 4:
					if n := len(services[i]); n > 0 {
						services[i][n-1].Close()
						services[i] = services[i][:n-1]
					}
				case 5:
					h, err := all[i].RegisterHost(t.Context(), Host{Name: fmt.Sprintf("app%d.local", r.IntN(2))})
					if err != nil {
						t.Fatal(err)
					}
					hosts[i] = append(hosts[i], h)
				case 6:
					if n := len(hosts[i]); n > 0 {
						hosts[i][n-1].Close()
						hosts[i] = hosts[i][:n-1]
					}
				case 7:
					stations[i].plug(1+r.IntN(links), r.IntN(3) > 0, true)
				}
				time.Sleep(time.Duration(r.IntN(3000)) * time.Millisecond)
				checkInvariants(t, all[i])
			}
			for _, s := range stations {
				for l := range links {
					s.plug(1+l, true, true)
					time.Sleep(time.Second)
				}
			}
			time.Sleep(12 * time.Minute) // longer than what was lost lives
			mu.Lock()
			defer mu.Unlock()
			owners, want := map[string]int{}, map[string]uint16{}
			for i := range all {
				for _, s := range services[i] {
					owners["service "+s.Instance()]++
					want[s.Instance()] = s.port
				}
				var names []string
				all[i].loop.mu.Lock()
				claimed := all[i].resp.own != nil
				all[i].loop.mu.Unlock()
				if claimed {
					names = append(names, all[i].Host())
				}
				for _, h := range hosts[i] {
					names = append(names, h.Name())
				}
				slices.Sort(names)
				for _, name := range slices.Compact(names) {
					owners["host "+name]++
				}
			}
			for name, n := range owners {
				if n != 1 {
					t.Errorf("seed %d: %s has %d owners", seed, name, n)
				}
			}
			for i := range all {
				for name, port := range want {
					if got := found[i][name]; got.Port != port || len(got.Addrs) == 0 {
						t.Errorf("seed %d: node %d finds %q at port %d of %v, want %d", seed, i, name, got.Port, got.Addrs, port)
					}
				}
				for name := range found[i] {
					if _, ok := want[name]; !ok {
						t.Errorf("seed %d: node %d finds %q, which has ended", seed, i, name)
					}
				}
			}
		})
	}
}
