package mdns

import (
	"maps"
	"slices"
	"testing"

	"github.com/poolproof/poolproof/systems/mdns/message"
)

// checkInvariants compares what a node keeps up to date, change by change, with the
// same made from the start.
func checkInvariants(t testing.TB, n *Node) {
	t.Helper()
	n.loop.mu.Lock()
	defer n.loop.mu.Unlock()
	q, c := n.quer, n.quer.cache

	// The cache: each entry is where it must be, once.
	total, loose := 0, map[*entry]bool{}
	for key, set := range c.sets {
		if len(set) == 0 {
			t.Errorf("an empty set of %v", key)
		}
		for i, e := range set {
			total++
			if e.pos != i || e.key != key || c.known[recordKey{e.ifIndex, key, e.resource.Data}] != e || c.queue[e.place] != e {
				t.Errorf("%v is not where it must be", e.resource)
			}
			if key.typ == message.TypePTR {
				if !slices.Contains(c.pointers[e.target], e) {
					t.Errorf("%v is not found by its target", e.resource)
				}
				loose[e] = len(c.sets[questionKey{e.target, message.TypeSRV}]) == 0
			}
		}
	}
	if total != len(c.known) || total != len(c.queue) || total > maxRecords {
		t.Errorf("%d records in sets, %d known, %d in the queue", total, len(c.known), len(c.queue))
	}
	for e := c.loose.ends.then; e != &c.loose.ends; e = e.then {
		if !loose[e] {
			t.Errorf("%v is in the list of loose pointers, and its service is known or it is gone", e.resource)
		}
		delete(loose, e)
	}
	for e, is := range loose {
		if is {
			t.Errorf("%v is not in the list of loose pointers", e.resource)
		}
	}

	// The watches: what they want is where the roots lead.
	watches := map[*watch]bool{}
	for _, asked := range q.questions {
		for w := range asked.watches {
			watches[w] = true
		}
	}
	all := map[questionKey]bool{}
	for w := range watches {
		wants, seeks, hosts := leads(q, w)
		if !maps.Equal(wants, w.wants) {
			t.Errorf("a watch wants %v, its records lead to %v", w.wants, wants)
		}
		if !maps.Equal(seeks, w.seeks) {
			t.Errorf("a watch seeks %v, its pointers lead to %v", w.seeks, seeks)
		}
		if !maps.EqualFunc(hosts, w.hosts, maps.Equal[map[message.Name]int, map[message.Name]int]) {
			t.Errorf("a watch knows the hosts %v, its services lead to %v", w.hosts, hosts)
		}
		for key := range wants {
			all[key] = true
			if asked := q.questions[key]; asked == nil {
				t.Errorf("nobody asks %v", key)
			} else if _, ok := asked.watches[w]; !ok {
				t.Errorf("%v is not asked for its watch", key)
			}
		}
	}
	for key := range q.questions {
		if !all[key] {
			t.Errorf("%v is asked, and no watch wants it", key)
		}
	}

	// The registry.
	for _, claim := range n.resp.registry.claims {
		if n.resp.registry.names[claim.name.Fold()] != claim {
			t.Errorf("claim %v is not found by its name", claim.name)
		}
		for _, r := range claim.shared {
			if s := n.resp.registry.shared[r.Name.Fold()]; s == nil || s.byData[r.Data] == nil || !slices.ContainsFunc(s.byData[r.Data].owners, func(o sharedOwner) bool { return o.claim == claim }) {
				t.Errorf("%v is not found by its name", r)
			}
		}
	}
	if len(n.resp.registry.names) != len(n.resp.registry.claims) {
		t.Errorf("%d names of %d claims", len(n.resp.registry.names), len(n.resp.registry.claims))
	}
	if len(n.resp.pending) > maxPending {
		t.Errorf("%d replies wait", len(n.resp.pending))
	}
}

// leads follows the roots of a watch through the cache.
func leads(q *querier, w *watch) (wants map[questionKey]int, seeks map[message.Name]int, hosts map[message.Name]map[message.Name]int) {
	wants, seeks, hosts = map[questionKey]int{}, map[message.Name]int{}, map[message.Name]map[message.Name]int{}
	var want func(name message.Name, t message.Type)
	want = func(name message.Name, t message.Type) {
		key := questionKey{name.Fold(), t}
		if wants[key]++; wants[key] > 1 {
			return
		}
		for _, e := range q.cache.find(key) {
			switch t {
			case message.TypePTR:
				seeks[e.target]++
				if w.follow {
					want(e.target, message.TypeSRV)
					want(e.target, message.TypeTXT)
				}
			case message.TypeSRV:
				if _, _, _, target, ok := message.ReadSRV(e.resource.Data); ok && w.follow {
					host := target.Fold()
					if hosts[host] == nil {
						hosts[host] = map[message.Name]int{}
					}
					hosts[host][e.key.name]++
					want(target, message.TypeA)
					want(target, message.TypeAAAA)
				}
			}
		}
	}
	for key := range w.roots {
		want(key.name, key.typ)
	}
	return wants, seeks, hosts
}
