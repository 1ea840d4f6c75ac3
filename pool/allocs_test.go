package pool_test

import (
	"runtime"
	"testing"

	"github.com/poolproof/poolproof/pool"
)

// forms are the pools that differ in what Get and Put do. Each is warm after one
// pair.
var forms = []struct {
	name  string
	rules pool.Options[item]
}{
	{"rules=none", pool.Options[item]{}},
	{"rules=New", pool.Options[item]{New: func() *item { return new(item) }}},
	{"rules=Reset", pool.Options[item]{Reset: clean}},
	{"rules=Keep", pool.Options[item]{Keep: always}},
	{"rules=Keep+Reset", pool.Options[item]{Keep: always, Reset: clean}},
	{"rules=MaxSize", pool.Options[item]{Size: large, MaxSize: 1 << 20}},
	{"rules=DropUnderused", pool.Options[item]{Size: large, Used: large, DropUnderused: true}},
	{"rules=Reserve", pool.Options[item]{Reserve: 4}},
	{"rules=all", pool.Options[item]{Reset: clean, Keep: always, Size: large, MaxSize: 1 << 20, Used: large, DropUnderused: true, Reserve: 4}},
	{"rules=none,stats=Uses", pool.Options[item]{Stats: pool.Uses}},
	{"rules=none,stats=Leaks", pool.Options[item]{Stats: pool.Leaks}},
}

// The rules of a real pool are rarely inlined; these never are.

//go:noinline
func clean(x *item) { x.words[0] = 0 }

//go:noinline
func always(x *item) bool { return x.words[1] == 0 }

//go:noinline
func large(x *item) int { return int(x.words[1]) + 8<<10 }

func TestAWarmPairAllocatesNothing(t *testing.T) {
	exactly(t)
	for _, form := range forms {
		t.Run(form.name, func(t *testing.T) {
			p := pool.New(form.rules)
			for name, pair := range map[string]func(){
				"Get, Put": func() { p.Put(p.Get()) },
				"With":     func() { p.With(clean) },
			} {
				pair()
				if got := testing.AllocsPerRun(100, pair); got != 0 {
					t.Errorf("%s: %v allocations, want 0", name, got)
				}
			}
			local := p.Local(4)
			defer local.Close()
			pair := func() { local.Put(local.Get()) }
			pair()
			if got := testing.AllocsPerRun(100, pair); got != 0 {
				t.Errorf("Local: %v allocations, want 0", got)
			}
		})
	}
}

func TestAllocationsOfOtherCalls(t *testing.T) {
	exactly(t)
	empty := pool.New(pool.Options[item]{})
	var kept *item
	for _, c := range []struct {
		name string
		want float64
		use  func()
	}{
		{"a Get that finds nothing", 1, func() { kept = empty.Get() }},
		{"a Put of nil", 0, func() { empty.Put(nil) }},
		{"Stats", 0, func() { empty.Stats() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := testing.AllocsPerRun(100, c.use); got != c.want {
				t.Errorf("%v allocations, want %v", got, c.want)
			}
		})
	}
	runtime.KeepAlive(kept)
}
