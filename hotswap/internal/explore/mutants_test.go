package explore_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var mutants = flag.Bool("mutants", false, "change the protocol in each way that is known to break it, and expect that to be noticed (takes minutes)")

// edit replaces text that occurs once in a file of package hotswap.
type edit struct{ file, old, new string }

// mutant is a change that must not go unnoticed.
type mutant struct {
	name  string
	tests bool // noticed by the tests of package hotswap, in one thread; else by the explorer
	edits []edit
}

// in returns edits of one file.
func in(file string, texts ...string) (edits []edit) {
	for i := 0; i < len(texts); i += 2 {
		edits = append(edits, edit{file, texts[i], texts[i+1]})
	}
	return edits
}

const (
	slot   = "internal/slots/slot.go"
	cell   = "internal/slots/cell.go"
	gate   = "internal/slots/gate.go"
	shared = "internal/slots/anyshard.go"
)

var protocolMutants = []mutant{
	{name: "a release does not look", edits: in(slot,
		"if w := s.Word(); w.State() == Retired { // look\n\t\t\t\t\ts.reclaim(w)\n\t\t\t\t}", "_ = k")},
	{name: "a release reads the state before it counts", edits: in(slot,
		"if n.CompareAndSwap(k, k-1) {\n\t\t\tif k == 1 {\n\t\t\t\tif w := s.Word(); w.State()", "w := s.Word()\n\t\tif n.CompareAndSwap(k, k-1) {\n\t\t\tif k == 1 {\n\t\t\t\tif w.State()")},
	{name: "a release compares the generation after it has counted", edits: in(slot,
		"\tif s.Word().Gen() != gen {\n\t\ts.leaveOther(n, gen)\n\t\treturn\n\t}\n", "",
		"\t\t\tif k == 1 {\n\t\t\t\tif w := s.Word(); w.State() == Retired { // look", "\t\t\tif s.Word().Gen() != gen {\n\t\t\t\ts.leaveOther(n, gen)\n\t\t\t\treturn\n\t\t\t}\n\t\t\tif k == 1 {\n\t\t\t\tif w := s.Word(); w.State() == Retired { // look")},
	{name: "a release counts below 0", tests: true, edits: in(slot,
		"\t\tk := n.Load()\n\t\tif k <= 0 {\n\t\t\ts.overdrawn(gen)\n\t\t}\n\t\tif n.CompareAndSwap(k, k-1) {\n\t\t\tif k == 1 {\n\t\t\t\tif w", "\t\tk := n.Load()\n\t\tif n.CompareAndSwap(k, k-1) {\n\t\t\tif k == 1 {\n\t\t\t\tif w")},
	{name: "an undo does not look", edits: in(slot,
		"if k == 1 {\n\t\t\t\ts.look()\n\t\t\t}", "_ = k")},
	{name: "an undo is counted in another shard", edits: in(cell,
		"s.undo(n)", "s.undo(s.near())")},
	{name: "a clone is counted in another shard", edits: append(in(slot,
		"func (s *Slot) Again(n *Counter, gen uint64) {", "func (s *Slot) Again(n *Counter, gen uint64) *Counter {\n\tn = s.near()\n\tn.Add(1)\n\treturn n\n}\n\nfunc (s *Slot) again(n *Counter, gen uint64) {"),
		in("ref.go", "r.slot.Again(r.count, r.gen.n)\n\treturn Ref[T]{value: r.value, slot: r.slot, count: r.count", "n := r.slot.Again(r.count, r.gen.n)\n\treturn Ref[T]{value: r.value, slot: r.slot, count: n")...)},
	{name: "the scan is one shard short", edits: in(slot,
		"for shard := range s.shards {\n\t\tif", "for shard := range s.shards - 1 {\n\t\tif")},
	{name: "a claim does not compare the generation", edits: in(slot,
		"if !s.word.CompareAndSwap(uint64(w), uint64(w.claimed())) {", "if w = s.Word(); w.State() != Retired || !s.word.CompareAndSwap(uint64(w), uint64(w.claimed())) {")},
	{name: "a claim is a load and a store", edits: in(slot,
		"if !s.word.CompareAndSwap(uint64(w), uint64(w.claimed())) {\n\t\treturn\n\t}", "if s.Word() != w {\n\t\treturn\n\t}\n\ts.word.Store(uint64(w.claimed()))")},
	{name: "a claim resets the counts", edits: in(slot,
		"\tif s.condemned.Load() == w.Gen() {", "\tfor shard := range s.shards {\n\t\ts.counter(shard).Store(0)\n\t}\n\tif s.condemned.Load() == w.Gen() {")},
	{name: "a claim does not raise the generation", tests: true, edits: in(slot,
		"return (w + 1<<stateBits).with(Owned)", "return w.with(Owned)")},
	{name: "Enter does not look again", edits: in(cell,
		"if c.cur.Load() == s {", "if s != nil {")},
	{name: "the value is read before the hold", edits: in("container.go",
		"func (c *Container[T]) Acquire() Ref[T] {\n\ts, n", "func (c *Container[T]) Acquire() Ref[T] {\n\tv := c.cell.Current().Load().Value\n\ts, n",
		"return trace[T](s, n, gen, kindRef)\n\t}\n\treturn Ref[T]{value: (*T)(s.Value)", "return trace[T](s, n, gen, kindRef)\n\t}\n\treturn Ref[T]{value: (*T)(v)")},
	{name: "the generation is read before the hold", edits: in(cell,
		"\t\tn := s.near()\n\t\tn.Add(1)", "\t\tgen := s.Word().Gen()\n\t\tn := s.near()\n\t\tn.Add(1)",
		"return s, n, s.Word().Gen()", "return s, n, gen")},
	{name: "the retirer does not scan", edits: in(cell,
		"\told.scan(w)\n\treturn Published", "\t_, _ = old, w\n\treturn Published")},
	{name: "the retirer scans before it retires", edits: in(cell,
		"\told.word.Store(uint64(retired))\n\treturn old, retired", "\tquiet := old.unheld(retired)\n\told.word.Store(uint64(retired))\n\tif !quiet {\n\t\treturn old, 0\n\t}\n\treturn old, retired")},
	{name: "a slot is retired before the swap", edits: in(cell,
		"\told = c.cur.Load()\n\tc.cur.Store(s)\n\tif old.fixed {\n\t\treturn old, 0", "\told = c.cur.Load()\n\tif old.fixed {\n\t\tc.cur.Store(s)\n\t\treturn old, 0",
		"\told.word.Store(uint64(retired))\n", "\told.word.Store(uint64(retired))\n\tc.cur.Store(s)\n")},
	{name: "writers exclude each other not", edits: in(cell,
		"\tmu      atom.Mutex\n", "\tmu      none\n",
		"// hold names", "type none struct{}\n\nfunc (none) Lock()   {}\nfunc (none) Unlock() {}\n\n// hold names")},
	{name: "Synchronize waits for nobody", edits: in(cell,
		"return Pending(slices.Clone(c.retired))", "return nil")},
	{name: "Close does not retire", tests: true, edits: in(cell,
		"old, w := c.swap(c.table.Never())", "old, w := c.cur.Load(), Word(0)\n\tc.cur.Store(c.table.Never())")},
	{name: "who waits does not try again after Raise", edits: in(gate,
		"if done() || other != nil && other.Happened() {\n\t\t\treturn nil\n\t\t}\n\t\tif err := change.Wait(ctx, other); err != nil {\n\t\t\treturn err\n\t\t}", "if err := change.Wait(ctx, other); err != nil {\n\t\t\treturn err\n\t\t}\n\t\tif done() || other != nil && other.Happened() {\n\t\t\treturn nil\n\t\t}")},
	{name: "who reclaims reads the flag before its store", edits: in(slot,
		"\ts.word.Store(uint64(s.Word().with(state)))\n\ts.table.Gate.Pass()", "\ts.table.Gate.Pass()\n\ts.word.Store(uint64(s.Word().with(state)))")},
	{name: "Get does not look again whether the pool was closed", edits: in("pool.go",
		"if p.closed.Load() { // Close may have looked before the claim", "if false {")},
	{name: "a Reader keeps its slot after Release", tests: true, edits: in("reader.go",
		"r.value, r.slot, r.count = nil, nil, nil", "r.value, r.count = nil, nil")},
	{name: "the log of a Delta is trimmed one early", tests: true, edits: in("delta.go",
		"need := min(int(x.now-oldest), maxLog)", "need := min(max(int(x.now-oldest)-1, 0), maxLog)")},
	{name: "any shard: the scan wants zeros", edits: in(slot,
		"\tif s.table.any {\n\t\treturn s.unheldAny(w)\n\t}\n", "")},
	{name: "any shard: only who reaches 0 looks", edits: in(shared,
		"\ts.near().Add(-1)\n\ts.look()", "\tif s.near().Add(-1) == 0 {\n\t\ts.look()\n\t}")},
	{name: "any shard: the scan is one shard short", edits: in(slot,
		"for shard := range s.shards {\n\t\tn +=", "for shard := range s.shards - 1 {\n\t\tn +=")},
}

var firstFailure = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S*/\S+|Test\w+) `)

// TestMutants builds hotswap with each of the changes, without touching its
// files.
func TestMutants(t *testing.T) {
	if !*mutants {
		t.Skip("-mutants is not given")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range protocolMutants {
		t.Run(m.name, func(t *testing.T) {
			overlay := m.overlay(t, root)
			args := []string{"test", "-short", "-count=1", "-overlay=" + overlay}
			if m.tests {
				args = append(args, root)
			} else {
				args = append(args, "-tags=poolproofexplore", "-run=TestEverySchedule", ".")
			}
			out, err := exec.Command("go", args...).CombinedOutput()
			switch {
			case err == nil:
				if !m.tests { // one preemption more
					args[1] = "-timeout=30m"
					out, err = exec.Command("go", args...).CombinedOutput()
				}
				if err == nil {
					t.Fatal("nobody has noticed")
				}
			case strings.Contains(string(out), "[build failed]"):
				t.Fatalf("the mutant does not compile:\n%s", out)
			}
			killer := "nobody"
			for _, match := range firstFailure.FindAllStringSubmatch(string(out), -1) {
				killer = match[1]
				if strings.Contains(killer, "/") {
					break
				}
			}
			t.Logf("noticed by %s", killer)
			if killer == "nobody" && !strings.Contains(string(out), "panic:") && !strings.Contains(string(out), "timed out") {
				t.Errorf("it failed in another way:\n%s", out)
			}
		})
	}
}

// overlay writes the changed files and the overlay that puts them in place.
func (m mutant) overlay(t *testing.T, root string) string {
	dir := t.TempDir()
	texts := make(map[string]string)
	for _, e := range m.edits {
		path := filepath.Join(root, e.file)
		if texts[path] == "" {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			texts[path] = string(text)
		}
		if n := strings.Count(texts[path], e.old); n != 1 {
			t.Fatalf("%s has %d places like\n%s\nwant 1: the mutant must follow the source", e.file, n, e.old)
		}
		texts[path] = strings.Replace(texts[path], e.old, e.new, 1)
	}
	replace := make(map[string]string)
	for path, text := range texts {
		changed := filepath.Join(dir, strings.ReplaceAll(path[len(root)+1:], string(filepath.Separator), "_"))
		if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		replace[path] = changed
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, list, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
