package toolchain

import (
	"flag"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"
)

var stress = flag.Duration("stress", 0, "run the stress test in each mode for so long, not for a number of rounds")

// stressTypes are the names that the module stress gives to types in its counts.
var stressTypes = map[string]string{
	"node": "stress.node", "Buffer": "bytes.Buffer", "bytes": "[]uint8", "array": "[64]int", "short": "[3]uint8", "inner": "stress.inner", "crowd": "stress.crowd",
}

// TestStress uses pools rightly, from 64 goroutines, under a collection each
// millisecond. Nothing may be reported, and each Get and Put must be counted.
func TestStress(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	for _, tt := range []struct {
		mode     Mode
		settings string
		form     string
	}{
		{Exact, "mode=exact", ""},
		{Exact, "mode=exact,poison=on", ""},
		{Exact, "mode=exact,delay=16", ""},
		{Exact, "mode=exact,delay=0", ""},
		{Fast, "mode=fast", ""},
		{Fast, "mode=fast,poison=on", ""},
		{Fast, "mode=fast,delay=16", ""},
		{Fast, "mode=fast,poison=on,leaks=off,sample=on", ""},
		{Exact, "mode=exact", FormRace},
	} {
		t.Run(tt.settings+" "+tt.form, func(t *testing.T) {
			b := here(t, "stress", tt.mode)
			b.form = tt.form
			// Nothing depends on how long it takes, but a deadlock must end.
			limit := *stress + 10*time.Minute
			o := run(t, b.compile(t), tt.settings, nil, "-test.v", "-test.timeout="+limit.String(), "-for="+stress.String())
			if o.err != nil || len(o.of("report")) != 0 || len(o.of("end")) != 1 {
				if len(o.output) > 6000 {
					o.output = o.output[:6000]
				}
				t.Fatalf("%v, %+v\n%s", o.err, o.of("report"), o.output)
			}
			checkCounts(t, o, strings.Contains(tt.settings, "sample=on"))
			for line := range strings.Lines(o.output) {
				if strings.Contains(line, "collections") {
					t.Log(strings.TrimSpace(line))
				}
			}
			for _, n := range o.of("note") {
				t.Log(n.Text)
			}
		})
	}
}

// checkCounts compares what the sanitizer has counted with what the program has.
// Where Gets that repeat are not all followed it counts some of them only.
func checkCounts(t *testing.T, o outcome, sampled bool) {
	t.Helper()
	type count struct{ gets, puts int }
	want, got, all := map[string]count{}, map[string]count{}, count{}
	for line := range strings.Lines(o.output) {
		var name string
		var c count
		if n, _ := fmt.Sscanf(line, "count %s %d %d", &name, &c.gets, &c.puts); n == 3 {
			want[stressTypes[name]] = c
			all.gets, all.puts = all.gets+c.gets, all.puts+c.puts
		}
	}
	for _, p := range o.of("pool") {
		if _, ours := want[p.Type]; ours {
			c := got[p.Type]
			got[p.Type] = count{c.gets + p.Gets, c.puts + p.Puts}
		}
	}
	same := maps.Equal(got, want)
	if sampled {
		same = len(got) == len(want)
		followed := 0
		for name, c := range got {
			same = same && 0 < c.gets && c.gets <= want[name].gets && 0 < c.puts && c.puts <= want[name].puts
			followed += c.gets
		}
		same = same && followed < all.gets
	}
	if len(want) != len(stressTypes) || !same {
		t.Errorf("counted %v, want %v", got, want)
	}
	t.Logf("%d Gets, %d Puts", all.gets, all.puts)
}
