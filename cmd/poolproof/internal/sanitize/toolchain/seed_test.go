package toolchain

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// misuse is an expected finding in a test of the module seed. The key is the
// word before "here", "put" and "get" in its comments.
type misuse struct {
	test, kind, typ, what, field string
	exact, fast                  bool
	unplaced                     bool // found by its checksum: nobody knows where
}

var seeded = map[string]misuse{
	"read":   {test: "TestRead", kind: "read-after-put", typ: "seed.item", what: "object", field: "n", exact: true},
	"write":  {test: "TestWrite", kind: "write-after-put", typ: "seed.item", what: "object", field: "n", exact: true, fast: true},
	"array":  {test: "TestArray", kind: "write-after-put", typ: "seed.item", what: "array", field: "buf", exact: true, fast: true},
	"double": {test: "TestDouble", kind: "double-put", typ: "seed.item", what: "object", exact: true, fast: true},
	"nil":    {test: "TestNil", kind: "nil-put", typ: "seed.item", what: "object", exact: true, fast: true},
	"key":    {test: "TestKey", kind: "read-after-put", typ: "bytes.Buffer", what: "array", field: "buf", exact: true, fast: true},
	"alias":  {test: "TestAlias", kind: "alias-put", typ: "seed.item", what: "array", exact: true, fast: true},
	"clear":  {test: "TestClear", kind: "write-after-put", typ: "seed.item", what: "array", field: "buf", exact: true, fast: true, unplaced: true},
}

// all are the arguments of a verbose run of all tests.
var all = []string{"-test.v", "-test.timeout=60s"}

// TestSeededMisuseIsFound runs the module seed in each form and asks that each
// misuse is found, at its place and in its test, and nothing else.
func TestSeededMisuseIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	for _, tt := range []struct {
		name, form, settings string
		mode                 Mode
	}{
		{"exact", "", "mode=exact", Exact},
		{"exact with poison", "", "mode=exact,poison=on", Exact},
		{"exact with reuse", "", "mode=exact,delay=1000", Exact},
		{"fast", "", "mode=fast", Fast},
		{"fast with poison", "", "mode=fast,poison=on", Fast},
		{"exact in the race detector's form", FormRace, "mode=exact", Exact},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := here(t, "seed", tt.mode)
			b.form = tt.form
			bin := b.compile(t)
			checkSeed(t, run(t, bin, tt.settings, nil, all...), tt.mode)
			checkBenchmark(t, run(t, bin, tt.settings, nil, "-test.run=^$", "-test.bench=.", "-test.benchtime=5x"))
		})
	}
}

func checkSeed(t *testing.T, o outcome, mode Mode) {
	t.Helper()
	at := places(t, "testdata/seed/seed_test.go")
	want := map[string]bool{}
	failing := map[string]bool{"TestParallel": true, "TestParallel/bad": true, "TestRepeatFirst": true, "TestRepeatSecond": true}
	for word, m := range seeded {
		if mode == Exact && m.exact || mode == Fast && m.fast {
			want[word], failing[m.test] = true, true
		}
	}
	var others []string
	for _, f := range o.of("report") {
		word := ""
		for w, m := range seeded {
			if m.test == f.Test && want[w] {
				word = w
			}
		}
		if word == "" {
			others = append(others, fmt.Sprintf("%s %s in %q at %s (%s %s)", f.Severity, f.Kind, f.Test, first(f.Access), f.Type, f.What))
			continue
		}
		m := seeded[word]
		if f.Kind != m.kind || f.Type != m.typ || f.What != m.what || f.Severity != "error" {
			t.Errorf("%s: %+v", word, f)
		}
		if mode == Exact && f.Field != m.field {
			t.Errorf("%s: field %q, want %q", word, f.Field, m.field)
		}
		here := at[word+" here"]
		if len(f.Access) == 0 && (mode == Fast || m.unplaced) {
			here = ""
		}
		if got := []string{first(f.Access), first(f.Put), first(f.Get)}; !slices.Equal(got, []string{here, at[word+" put"], at[word+" get"]}) {
			t.Errorf("%s: access, Put and Get at %v, want %s, %s and %s", word, got, here, at[word+" put"], at[word+" get"])
		}
		delete(want, word)
	}
	for word := range want {
		t.Errorf("%s was not found", word)
	}
	slices.Sort(others)
	expect := []string{
		fmt.Sprintf(`error write-after-put in "TestParallel/bad" at %s (seed.item object)`, at["parallel here"]),
		fmt.Sprintf(`error write-after-put in "TestRepeatFirst" at %s (seed.item object)`, at["repeat here"]),
		`warning write-after-put in "TestWorker" at ` + places(t, "testdata/seed/seed.go")["worker"] + ` (seed.worker object)`,
	}
	if mode == Fast {
		// Without an access to tell them apart, misuses with the same Put are one.
		others = slices.DeleteFunc(others, func(s string) bool { return strings.Contains(s, `in "" at`) })
		for i := range expect {
			before, _, _ := strings.Cut(expect[i], " at ")
			_, after, _ := strings.Cut(expect[i], " (")
			expect[i] = before + " at  (" + after
		}
	}
	exact := others
	others = nil
	for _, s := range exact { // the worker also reads, and may be seen to do so first
		if strings.Contains(s, `in "TestWorker"`) && strings.HasPrefix(s, "warning ") {
			s = expect[len(expect)-1]
		}
		// x.n++ reads before it writes.
		s = strings.Replace(s, "read-after-put", "write-after-put", 1)
		if !slices.Contains(others, s) {
			others = append(others, s)
		}
	}
	slices.Sort(expect)
	slices.Sort(others)
	if !slices.Equal(others, expect) {
		t.Errorf("found beside:\n%s\nwant\n%s", strings.Join(others, "\n"), strings.Join(expect, "\n"))
	}

	failed := o.failed()
	for name := range failing {
		if !failed[name] && name != "TestWorker" {
			t.Errorf("%s did not fail", name)
		}
	}
	for name := range failed {
		if !failing[name] {
			t.Errorf("%s failed", name)
		}
	}
	checkLeaks(t, o)
	if o.err == nil {
		t.Error("the process did not fail")
	}
	if e := o.of("end"); len(e) != 1 {
		t.Errorf("%d lines at the end", len(e))
	}
	if n := o.of("note"); len(n) != 0 {
		t.Errorf("notes %+v", n)
	}
	if t.Failed() {
		t.Log(o.output)
	}
}

// checkBenchmark: what happens in a benchmark is told under its name, and fails
// it.
func checkBenchmark(t *testing.T, o outcome) {
	t.Helper()
	at := places(t, "testdata/seed/seed_test.go")
	found := o.of("report")
	for _, f := range found {
		if f.Test != "BenchmarkBad/sub" || first(f.Put) != at["bench put"] {
			t.Errorf("%s in %q, put at %s", f.Kind, f.Test, first(f.Put))
		}
	}
	if len(found) == 0 || o.err == nil || !o.failed()["BenchmarkBad/sub"] {
		t.Errorf("%d findings, %v\n%s", len(found), o.err, o.output)
	}
}

// checkLeaks: six of nine objects are never put, and those that a program
// makes itself where Get gives it nothing belong to that Get.
func checkLeaks(t *testing.T, o outcome) {
	t.Helper()
	at := places(t, "testdata/seed/seed_test.go")
	leaks, puts := 0, 0
	for _, p := range o.of("pool") {
		if first(p.Get) == at["leak get"] {
			leaks, puts = leaks+p.Leaked, puts+p.Puts
		} else if p.Leaked > 0 && strings.HasPrefix(p.Type, "seed.") && first(p.Get) != at["alias get"] {
			t.Errorf("%d of %s leaked at %s", p.Leaked, p.Type, first(p.Get))
		}
		if first(p.Get) == at["made get"] && (p.Gets != 4 || p.Puts != 4 || p.Hits != 3) {
			t.Errorf("made: %+v", p)
		}
	}
	if leaks != 6 || puts != 3 {
		t.Errorf("%d leaked, %d put; want 6 and 3", leaks, puts)
	}
}

func TestFindingsAreOnDiskBeforeTheProcessDies(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	at := places(t, "testdata/seed/seed_test.go")
	bin := here(t, "seed", Exact).compile(t)
	for _, how := range []string{"exit", "panic", "kill", "goexit"} {
		o := run(t, bin, "mode=exact", []string{"SEED_DEATH=" + how}, "-test.run=TestLastWords")
		found := o.of("report")
		if len(found) != 2 || first(found[0].Access) != at["last here"] || found[0].Test != "TestLastWords" {
			t.Errorf("%s: %+v\n%s", how, found, o.output)
		}
		if o.err == nil && how != "exit" {
			t.Errorf("%s: the process ended well", how)
		}
	}
}

// TestMarkedMemoryIsWatched: an allocator with a free list of its own, and one
// that hands out parts.
func TestMarkedMemoryIsWatched(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	b := here(t, "marked", Exact)
	b.tags = "poolproofmark"
	o := run(t, b.compile(t), "mode=exact,poison=on", nil, "-test.v")
	at := places(t, "testdata/marked/marked_test.go")
	var got []string
	for _, f := range o.of("report") {
		got = append(got, fmt.Sprintf("%s %s %s put %s get %s", f.Test, f.Kind, first(f.Access), first(f.Put), first(f.Get)))
	}
	want := []string{
		fmt.Sprintf("TestUseAfterFree write-after-put %s put %s get ", at["use here"], at["use put"]),
		fmt.Sprintf("TestDoubleFree double-put %s put %s get ", at["double here"], at["double put"]),
		fmt.Sprintf("TestPartOfAnArena read-after-put %s put %s get ", at["before"], at["arena put"]),
		fmt.Sprintf("TestPartOfAnArena read-after-put %s put %s get ", at["behind"], at["arena put"]),
	}
	if !slices.Equal(got, want) || o.failed()["TestGood"] {
		t.Errorf("found\n%s\nwant\n%s\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"), o.output)
	}
	b.tags = ""
	if o := run(t, b.compile(t), "mode=exact", nil); len(o.of("report")) != 0 || o.err != nil {
		t.Errorf("without the tag: %+v, %v", o.of("report"), o.err)
	}
}

func TestWithoutItsVariablesABinaryIsAnOrdinaryOne(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	bin := here(t, "seed", Exact).compile(t)
	o := run(t, bin, "", nil, "-test.run=Test[A-K]", "-test.v")
	if o.err != nil || len(o.events) != 0 || strings.Contains(o.output, "poolproof") {
		t.Errorf("%v, %d events\n%s", o.err, len(o.events), o.output)
	}
}

func TestWhatTheUserIgnoresFailsNoTest(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	bin := here(t, "seed", Exact).compile(t)
	file, err := filepath.Abs("testdata/seed/seed_test.go")
	if err != nil {
		t.Fatal(err)
	}
	at := places(t, file)
	line := func(place string) string {
		_, n, _ := strings.Cut(at[place], ":")
		return n + " " + n + " " + file
	}
	for _, tt := range []struct{ name, rule, run string }{
		{"the line of the access", "at " + line("read here"), "TestRead"},
		{"the line of the Put", "at " + line("read put"), "TestRead"},
		{"the test", "test TestRead", "TestRead"},
		{"the test above", "test TestParallel", "TestParallel"},
		{"the functions", "known write-after-put example.org/seed.TestWrite example.org/seed.TestWrite", "TestWrite"},
		{"the function, without a Put", "known nil-put example.org/seed.TestNil example.org/seed.TestNil", "TestNil"},
	} {
		rules := filepath.Join(t.TempDir(), "rules")
		for _, matches := range []bool{true, false} {
			rule := "test Nobody\n" + tt.rule + "\n"
			if !matches {
				rule = strings.ReplaceAll(rule, tt.rule, tt.rule+"0")
			}
			if err := os.WriteFile(rules, []byte(rule), 0o666); err != nil {
				t.Fatal(err)
			}
			o := run(t, bin, "mode=exact", []string{"POOLPROOF_TEST_IGNORE=" + rules}, "-test.run=^"+tt.run+"$")
			found := o.of("report")
			if len(found) == 0 || found[0].Ignored != matches || (o.err == nil) != matches || strings.Contains(o.output, "poolproof: ") == matches {
				t.Errorf("%s, %v: %v, %+v\n%s", tt.name, matches, o.err, found, o.output)
			}
		}
	}
}

func TestLimitedAddressSpaceIsEnough(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library")
	}
	if runtime.GOOS != "linux" {
		t.Skip("needs ulimit -v")
	}
	bin := here(t, "seed", Exact).compile(t)
	for _, tt := range []struct {
		kilobytes int
		armed     bool
	}{{16 << 20, true}, {4 << 20, true}, {800 << 10, false}} {
		script := filepath.Join(t.TempDir(), "seed.test")
		text := fmt.Sprintf("#!/bin/sh\nulimit -v %d\nexec %s \"$@\"\n", tt.kilobytes, bin)
		if err := os.WriteFile(script, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
		o := run(t, script, "mode=exact", nil, "-test.run=TestWrite")
		if !tt.armed {
			if notes := o.of("note"); len(notes) != 1 || !strings.Contains(notes[0].Text, "ulimit -v") || len(o.of("start")) != 0 || o.err != nil {
				t.Errorf("%d kB: %+v, %v\n%s", tt.kilobytes, o.events, o.err, o.output)
			}
			continue
		}
		if len(o.of("start")) != 1 || len(o.of("report")) != 1 || o.err == nil {
			t.Errorf("%d kB: %+v, %v\n%s", tt.kilobytes, o.events, o.err, o.output)
		}
	}
}
