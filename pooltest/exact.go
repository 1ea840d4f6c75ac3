package pooltest

import (
	"fmt"
	"strings"
	"time"

	"github.com/poolproof/poolproof/internal/ledger"
)

// begin notes what is not the test's.
func (c *check) begin() {
	if ledger.Checked {
		c.since = ledger.Now()
		return
	}
	if ledger.Watching() { // else there is nothing to lose yet
		collect()
	}
	c.lost = ledger.Losses()
}

// end reports what the test left behind.
func (c *check) end() {
	c.t.Helper()
	if !ledger.Checked {
		c.endWeak()
		return
	}
	late := ledger.Verify()       // before pools that the test alone knew are collected
	collectOnce(time.Millisecond) // finds containers of package hotswap that were dropped
	var out []ledger.Entry
	if !poll(func() bool { out = c.outstanding(); return len(out) == 0 }) {
		c.reportOut(out)
	}
	for _, w := range append(late, ledger.Verify()...) {
		if !c.ignored[w.Pool] {
			c.t.Errorf("pooltest: %s", w)
		}
	}
}

// outstanding returns the objects that were got since the check began and are
// out.
func (c *check) outstanding() []ledger.Entry {
	var out []ledger.Entry
	for _, e := range ledger.Outstanding() {
		if e.Seq > c.since && !c.ignored[e.Pool] {
			out = append(out, e)
		}
	}
	return out
}

// reportOut fails the test once for each pool, with the places where objects
// were got and how many at each, in the order of the first Get.
func (c *check) reportOut(out []ledger.Entry) {
	c.t.Helper()
	type place struct{ pool, stack string }
	var pools []string
	places := make(map[string][]place)
	objects := make(map[string]int)
	at := make(map[place]int)
	for _, e := range out {
		p := place{e.Pool, e.Got.String()}
		if objects[e.Pool] == 0 {
			pools = append(pools, e.Pool)
		}
		if at[p] == 0 {
			places[e.Pool] = append(places[e.Pool], p)
		}
		objects[e.Pool]++
		at[p]++
	}
	for _, pool := range pools {
		what, how := count(objects[pool])+" got in this test and not put", "got"
		if strings.HasPrefix(pool, ledger.Containers) {
			what, how = fmt.Sprintf("%d dropped in this test with a current value, which its Pool does not get back: call Close", objects[pool]), "made"
		}
		var b strings.Builder
		for _, p := range places[pool] {
			fmt.Fprintf(&b, "\n%d %s at\n%s", at[p], how, p.stack)
		}
		c.t.Errorf("pooltest: %s: %s\n%s", pool, what, b.String())
	}
}
