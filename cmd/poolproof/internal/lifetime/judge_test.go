package lifetime

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// The functions of the tests: make allocates, parse calls it, Parse calls that.
const (
	fnMake = iota + 1
	fnParse
	fnTop
)

// judged is the observation of one site from what one process has written.
func judged(p *record.Process) Observation {
	w := &watched{
		roots: []string{"/m"},
		functions: []function{
			{profile.Place{File: "/m/a.go", Line: 30}, "make"}, {profile.Place{File: "/m/a.go", Line: 20}, "parse"}, {profile.Place{File: "/m/a.go", Line: 10}, "Parse"},
		},
		of: [][]int{{fnMake}}, why: []string{""},
	}
	return w.observations([]*profile.Site{{File: "/m/a.go", Line: 31}}, []*record.Process{p}, nil)[0]
}

// of is a process with so many objects of each kind, made in operations of one run.
func of(lives ...record.Life) *record.Process {
	p := &record.Process{
		Sites: []record.Site{{Site: 1, Seen: len(lives)}},
		Runs:  []record.Run{{Test: "BenchmarkA", Run: 1, Operations: 8, Ended: true}},
		Stacks: map[int][]record.Frame{
			1: {{Func: "m.make", File: "/m/a.go", Line: 32}},
			2: {{Func: "strconv.Itoa", File: "/go/itoa.go", Line: 1}, {Func: "m.parse", File: "/m/a.go", Line: 22}},
			3: {{Func: "m.BenchmarkA.func1", File: "/m/a_test.go", Line: 5}, {Func: "m.parse", File: "/m/a.go", Line: 23}},
			4: {{Func: "dep.F", File: "/m/vendor/dep/f.go", Line: 9}},
			5: {{Func: "dep.F", File: "/m/vendor/dep/f.go", Line: 9}, {Func: "m.make", File: "/m/a.go", Line: 33}},
		},
	}
	for _, l := range lives {
		l.Site, l.Test, l.Size = 1, "BenchmarkA", 64
		if l.Run == 0 {
			l.Run = 1
		}
		if l.Operation == 0 {
			l.Operation = 2
		}
		p.Lives = append(p.Lives, l)
	}
	return p
}

// The kinds of objects.
func inFunction() record.Life { return record.Life{Tested: true, Died: fnMake, Depth: 2, Touch: 1} }
func inParse() record.Life {
	return record.Life{Tested: true, Died: fnParse, Outlived: fnMake, Depth: 1, Touch: 2, Zone: int(core.InCall)}
}
func inTop() record.Life {
	return record.Life{Tested: true, Died: fnTop, Outlived: fnParse, Touch: 2, Zone: int(core.InCall)}
}
func returned() record.Life {
	return record.Life{Tested: true, Outlived: fnTop, Out: true, Fate: int(core.Gone), Touch: 3, Zone: int(core.InOperation)}
}
func kept() record.Life {
	return record.Life{Tested: true, Outlived: fnTop, Out: true, Fate: int(core.Present), Touch: 2, Zone: int(core.After), Wrote: true}
}
func untested() record.Life { return record.Life{Touch: 1} }

func with(l record.Life, change func(*record.Life)) record.Life {
	change(&l)
	return l
}

func TestTheObjectThatLivesLongestDecides(t *testing.T) {
	f, p, top, r, k, u := inFunction(), inParse(), inTop(), returned(), kept(), untested()
	tests := []struct {
		name   string
		p      *record.Process
		class  Class
		within string
		why    string // a part of it
	}{
		{"all in their function", of(f, f, f), InFunction, "make", "of 3 objects, none can be reached once make has returned; the last access that is seen is in the function that made it: a.go:32 (read)"},
		{"one in its caller", of(f, f, p), InCall, "parse", "once parse has returned; the last access that is seen is in the call that made it: a.go:22 (read by strconv.Itoa)"},
		{"the outermost of several callers", of(p, p, top, p), InCall, "Parse", "of 4 objects, none can be reached once Parse"},
		{"some of which less is known", of(f, f, f, with(inTop(), func(l *record.Life) { l.Partial, l.Outlived, l.Touch, l.Zone = true, 0, 1, 0 })), InFunction, "make", "of 3 objects"},
		{"all of which less is known", of(with(f, func(l *record.Life) { l.Partial = true }), with(f, func(l *record.Life) { l.Partial = true }), with(inTop(), func(l *record.Life) { l.Partial = true })), InCall, "Parse", "of 3 objects"},
		{"one returned", of(f, f, p, r), Returned, "", "of 4 objects, 1 can be reached when the call by the benchmark has returned; the last access that is seen is after that call: a_test.go:5 (read)"},
		{"one kept", of(f, f, r, k), Kept, "", "of 4 objects, 1 can be reached when the operation has ended that made them; the last access that is seen is in a later operation: a.go:22 (written by strconv.Itoa)"},
		{"too few", of(f, f, u, u), Unknown, "", "2 objects were followed to their end: at least 3"},
		{"a recursive call", of(f, f, with(f, func(l *record.Life) { l.Outlived = fnMake })), InCall, "make", "once make has returned"},
		{"one of which nothing is known", of(f, f, f, with(f, func(l *record.Life) { l.Died = 0 })), Unknown, "", "of 1 of 4 objects"},
		{"touched late where nothing was tested", of(f, f, f, with(u, func(l *record.Life) { l.Touch, l.Zone = 2, int(core.InCall) })), Unknown, "", "but a later one is touched then: a.go:22"},
		{"touched in the benchmark", of(f, f, f, with(u, func(l *record.Life) { l.Touch, l.Zone = 3, int(core.InOperation) })), Returned, "", "is touched when the call by the benchmark has returned: a_test.go:5"},
		{"few kept until the end, by what was not seen", func() *record.Process {
			p := of(f, f, f, with(u, func(l *record.Life) { l.Fate, l.Touch = int(core.Present), 0 }))
			p.Sites[0].Seen = 2000
			return p
		}(), Unknown, "", "of 2000 objects, 1 can be reached when the benchmark has ended, and what has them was not seen"},
		{"few kept until the end, by what was seen", func() *record.Process {
			p := of(f, f, f, with(u, func(l *record.Life) { l.Fate = int(core.Present) }))
			p.Sites[0].Seen = 2000
			return p
		}(), Kept, "", "of 2000 objects, 1 can be reached when the benchmark has ended; the last access"},
		{"one of four kept until the end, by what was not seen", of(f, f, f, with(u, func(l *record.Life) { l.Fate, l.Touch = int(core.Present), 0 })), Kept, "", "of 4 objects, 1 can be reached when the benchmark has ended; no access was seen"},
		{"kept until the end", of(f, f, f, with(u, func(l *record.Life) { l.Fate = int(core.Present) })), Kept, "", "of 4 objects, 1 can be reached when the benchmark has ended"},
		{"in a callback", of(f, f, f, with(f, func(l *record.Life) { l.Touch = 3 })), Returned, "", "while the call runs, code of the benchmark gets the object: a_test.go:5"},
		{"by another goroutine", of(f, f, f, with(f, func(l *record.Life) { l.Other, l.OtherWrote = 2, true })), Shared, "", "touches it in a.go:22 (written by strconv.Itoa)"},
		{"by another goroutine, later", of(f, f, f, with(u, func(l *record.Life) { l.Other = 2 })), Shared, "", "touches it in a.go:22 (read by"},
		{"in vendored code", of(f, f, with(f, func(l *record.Life) { l.Touch, l.Zone = 5, int(core.InFunction) }), with(f, func(l *record.Life) { l.Touch = 5 }), with(f, func(l *record.Life) { l.Touch = 5 })), InFunction, "make", "a.go:33 (read by dep.F)"},
		{"mostly without an access", of(f, with(f, func(l *record.Life) { l.Touch = 0 }), with(f, func(l *record.Life) { l.Touch = 0 })), InFunction, "make", "that made it: a.go:32"},
		{"mostly touched early", of(with(p, func(l *record.Life) { l.Touch, l.Zone = 1, 0 }), with(p, func(l *record.Life) { l.Touch, l.Zone = 1, 0 }), p), InCall, "parse", "in the call that made it: a.go:22"},
		{"in vendored code alone", of(with(f, func(l *record.Life) { l.Touch = 4 }), with(f, func(l *record.Life) { l.Touch = 4 }), with(f, func(l *record.Life) { l.Touch = 4 })), InFunction, "make", "f.go:9 (read)"},
	}
	for _, test := range tests {
		o := judged(test.p)
		if o.Class != test.class || o.Within != test.within || !strings.Contains(o.Why, test.why) {
			t.Errorf("%s: %s within %q: %s", test.name, o.Class, o.Within, o.Why)
		}
	}
}

func TestSharesAreCounted(t *testing.T) {
	p := of(inFunction(), inFunction(), inParse(), inParse(), inParse(), returned(), kept(), untested())
	p.Sites[0].Freed, p.Sites[0].Waited = 4, 10
	o := judged(p)
	if o.Objects != 7 || o.Function != 2 || o.Call != 3 || o.Operation != 1 || o.Later != 1 || o.Wait != 2.5 {
		t.Errorf("%+v", o)
	}
	if o := judged(of(inFunction())); o.Wait != -1 {
		t.Errorf("wait %v where the collector has freed nothing", o.Wait)
	}
}

func TestSetUpCountsNothing(t *testing.T) {
	f, k := inFunction(), kept()
	setUp := with(k, func(l *record.Life) { l.Run = 2 })
	for name, p := range map[string]*record.Process{
		"the first operation":     of(f, f, f, with(k, func(l *record.Life) { l.Operation = 1 })),
		"a run that begins again": of(f, f, f, setUp),
		"before the operations":   of(f, f, f, setUp),
	} {
		switch name {
		case "a run that begins again":
			p.Runs = append(p.Runs, record.Run{Test: "BenchmarkA", Run: 2, Operations: 5})
		case "before the operations":
			p.Runs = append(p.Runs, record.Run{Test: "BenchmarkA", Run: 2, Operations: 5, Ended: true})
			p.Lives[3].Operation = 0
		}
		if o := judged(p); o.Class != InFunction || o.Objects != 3 {
			t.Errorf("%s: %s of %d objects: %s", name, o.Class, o.Objects, o.Why)
		}
	}
}

func TestTheOnlyOperationCounts(t *testing.T) {
	p := of(inFunction(), inFunction(), inFunction())
	p.Runs[0].Operations = 1
	for i := range p.Lives {
		p.Lives[i].Operation = 1
	}
	if o := judged(p); o.Class != InFunction {
		t.Errorf("%s: %s", o.Class, o.Why)
	}
}

func TestARunWithoutOperationsCounts(t *testing.T) {
	if o := judged(of(kept(), kept(), kept())); strings.Contains(o.Why, "no loop") {
		t.Error(o.Why)
	}
	p := of(kept(), kept(), kept())
	p.Runs[0].Operations = 0
	for i := range p.Lives {
		p.Lives[i].Operation = 0
	}
	if o := judged(p); o.Class != Kept || !strings.Contains(o.Why, "no loop over b.N, b.Loop or pb.Next was found in the test files of BenchmarkA") {
		t.Errorf("%s: %s", o.Class, o.Why)
	}
	p = of(inFunction(), inFunction(), inFunction())
	p.Runs[0].Several = true
	if o := judged(p); o.Class != Unknown || o.Why != "several goroutines begin the operations of BenchmarkA" {
		t.Errorf("%s: %s", o.Class, o.Why)
	}
}

func TestWhatWasNotSeenSaysWhy(t *testing.T) {
	w := &watched{of: [][]int{nil, {1}}, why: []string{"x.go is not read as Go", ""}, functions: []function{{}}}
	all := w.observations(make([]*profile.Site, 2), []*record.Process{{}}, []string{"BenchmarkB was not watched to its end"})
	if all[0].Why != "x.go is not read as Go" || all[1].Why != "BenchmarkB was not watched to its end" {
		t.Errorf("%q, %q", all[0].Why, all[1].Why)
	}
	if o := judged(of()); o.Why != "no benchmark that was watched makes objects here" {
		t.Error(o.Why)
	}
	p := of(inFunction(), inFunction(), inFunction())
	p.Sites[0].Cut, p.Sites[0].Seen = 2, 5
	if o := judged(p); o.Class != Unknown || !strings.Contains(o.Why, "too many objects: of 2 of 5") {
		t.Error(o.Why)
	}
	p = of()
	p.Sites[0].Seen, p.Sites[0].Small = 9, 9
	if o := judged(p); !strings.Contains(o.Why, "smaller than 16 bytes") {
		t.Error(o.Why)
	}
}
