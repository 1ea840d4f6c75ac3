package reuse_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/golden"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/oracle"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/edit"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/edit/edittest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/rewrite/reuse"
)

// read loads the package of a folder, and what the compiler says of it.
func read(t *testing.T, dir string) (*packages.Package, []oracle.Fact) {
	t.Helper()
	chain, err := overlay.Find(t.Context(), dir, t.TempDir(), "GOWORK=off", "GOFLAGS=")
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := reuse.Load(t.Context(), dir, "", edittest.Env())
	if err != nil {
		t.Fatal(err)
	}
	facts, err := oracle.Escapes(t.Context(), chain, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	return pkg, facts
}

var marked = regexp.MustCompile(`// site (\d+)(?::(\d+))?( seen)?$`)

// sites are the marked lines of a file.
func sites(t *testing.T, file string) (all []reuse.Site) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		if m := marked.FindStringSubmatch(line); m != nil {
			size, _ := strconv.ParseFloat(m[1], 64)
			column, _ := strconv.Atoi(m[2])
			all = append(all, reuse.Site{File: file, Line: i + 1, Column: column, Bytes: size, Objects: 1, Observed: m[3] != ""})
		}
	}
	return all
}

// found is a variant of the archive.
type found struct {
	dir string
	reuse.Variant
}

// all finds the variants of each site of the archive, and writes what it finds.
func all(t *testing.T, dir string, out *bytes.Buffer) (vs []found) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	last := ""
	var pkg *packages.Package
	var facts []oracle.Fact
	for _, file := range files {
		if here := filepath.Dir(file); here != last {
			last = here
			pkg, facts = read(t, here)
		}
		for _, s := range sites(t, file) {
			rel, _ := filepath.Rel(dir, s.File)
			fmt.Fprintf(out, "%s:%d\n", filepath.ToSlash(rel), s.Line)
			got, why := reuse.Variants(pkg, facts, s)
			if (why == "") != (len(got) > 0) {
				t.Errorf("%s:%d: %d variants, and %q", rel, s.Line, len(got), why)
			}
			if why != "" {
				fmt.Fprintf(out, "none: %s\n", why)
			}
			for _, v := range got {
				fmt.Fprintf(out, "%s, by %s\n", v.Name, v.Evidence)
				files, err := v.Files(reuse.Written)
				if err != nil {
					t.Errorf("%s:%d %s: %v", rel, s.Line, v.Name, err)
					continue
				}
				d, err := edit.Diff(dir, os.ReadFile, files)
				if err != nil {
					t.Fatal(err)
				}
				out.WriteString(d)
				vs = append(vs, found{last, v})
			}
			fmt.Fprintln(out)
		}
	}
	return vs
}

// TestEverySite compares the variants of an archive's sites, as a programmer would write
// them, with a golden file.
func TestEverySite(t *testing.T) {
	for _, name := range archives {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			all(t, edittest.Module(t, "testdata/"+name+".txtar"), &out)
			golden.Equal(t, "testdata/"+name+".golden", out.String())
		})
	}
}

// archives hold the modules whose sites are asked. In reasons, each site has another reason. In presize, a program can tell whether a slice or
// buffer has room; in copies, whether bytes are a copy, or nil; in wrong are programs for which a variant
// would be wrong; in turns are objects of loops, in single one of a function.
var archives = []string{"sites", "reasons", "presize", "wrong", "old", "modules", "copies", "turns", "single"}

// TestVariantsPassTheTests runs the tests of each variant's package in two forms; what is
// measured differs from what is poisoned by the poison alone. Neither moves a line.
func TestVariantsPassTheTests(t *testing.T) {
	for _, name := range archives {
		t.Run(name, func(t *testing.T) {
			dir := edittest.Module(t, "testdata/"+name+".txtar")
			passTheTests(t, dir, all(t, dir, new(bytes.Buffer)))
		})
	}
}

func passTheTests(t *testing.T, dir string, vs []found) {
	for form, name := range map[reuse.Form]string{reuse.Poisoned: "poisoned", reuse.Written: "written"} {
		t.Run(name, func(t *testing.T) {
			for rest := vs; len(rest) > 0; { // a variant of each package in turn
				round := map[string][]byte{}
				taken := map[string]bool{}
				var later []found
				for _, v := range rest {
					if taken[v.dir] {
						later = append(later, v)
						continue
					}
					taken[v.dir] = true
					files, err := v.Files(form)
					if err != nil {
						t.Fatal(err)
					}
					for name, text := range files {
						if was, err := os.ReadFile(name); err == nil && form != reuse.Written && bytes.Count(was, []byte("\n")) != bytes.Count(text, []byte("\n")) {
							t.Errorf("%s of %s: lines have moved", v.Name, name)
						}
						round[name] = text
					}
				}
				if out, err := edittest.Test(t, dir, round, "./..."); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
				rest = later
			}
		})
	}
}

// traps are sites where generated code goes wrong easily, though no test of its package would see it.
var traps = []struct {
	place string // of the site
	name  reuse.Name
	test  string // in the package of the site
}{
	{"pool/pool.go:7", reuse.Pool, `
func TestTooLargeIsDropped(t *testing.T) {
	p := getCopyBuf(2 << 20)
	putCopyBuf(p)
	if copyBufPool.Get() != nil {
		t.Error("a slice of 2 MiB is kept")
	}
	putCopyBuf(getCopyBuf(100))
	if p, _ := copyBufPool.Get().(*[]byte); p == nil || cap(*p) != 100 {
		t.Error("a slice of 100 bytes is not kept")
	}
}`},
	{"pool/pool.go:26", reuse.Pool, `
func TestZeroes(t *testing.T) {
	p := getMostCounts(10)
	for i := range *p {
		(*p)[i] = 7
	}
	putMostCounts(p)
	for _, x := range *getMostCounts(5) {
		if x != 0 {
			t.Fatal("not zero")
		}
	}
}`},
	{"pointers/pointers.go:7", reuse.Pool, `
func TestNothingIsKept(t *testing.T) {
	p := getWordsWords(3)
	(*p)[2] = "x"
	*p = (*p)[:1]
	putWordsWords(p)
	if p, _ := wordsWordsPool.Get().(*[]string); p == nil || (*p)[:3][2] != "" {
		t.Error("what an element points to is kept")
	}
}`},
	{"marshal/marshal.go:11", reuse.PoolCopyOut, `
func TestTooLargeIsDropped(t *testing.T) {
	b := marshalBufPool.Get().(*bytes.Buffer)
	for b.Cap() != 0 { // of other tests
		b = marshalBufPool.Get().(*bytes.Buffer)
	}
	b.Grow(2 << 20)
	putMarshalBuf(b)
	if marshalBufPool.Get().(*bytes.Buffer).Cap() != 0 {
		t.Error("a buffer of 2 MiB is kept")
	}
	b = new(bytes.Buffer)
	b.WriteString("abc")
	putMarshalBuf(b)
	if b = marshalBufPool.Get().(*bytes.Buffer); b.Cap() == 0 || b.Len() != 0 {
		t.Error("it is not kept, or not empty")
	}
}`},
	{"marshal/marshal.go:11", reuse.Presize, `
func TestHintFollows(t *testing.T) {
	result := func(n int) int { defer noteMarshalBuf(n); return sizeMarshalBuf() }
	result(100)
	for _, of := range []struct{ n, want int }{{1000, 64}, {1000, 128}, {1000, 256}, {1000, 512}, {1000, 1000}, {1000, 1000}, {0, 1000}, {0, 500}} {
		if got := result(of.n); got != of.want {
			t.Errorf("%d is asked for, want %d", got, of.want)
		}
	}
	for range 10 {
		result(0)
	}
	if got := sizeMarshalBuf(); got != 0 {
		t.Error("it does not fall: ", got)
	}
	if got := sizeMarshalBuf(); got != 0 {
		t.Error("nothing is known: ", got)
	}
	for range 30 {
		result(2 << 20)
	}
	if got := result(2 << 20); got != 1<<20 {
		t.Error("it follows what is too large: ", got)
	}
}`},
	{"growth/growth.go:8", reuse.PresizeGrowth, `
func TestHintFollows(t *testing.T) {
	result := func(n int) (room int) {
		s := []int(nil)
		for i := range n {
			if s = append(roomAddItems(s, 1), 1); i == 0 {
				room = cap(s)
			}
		}
		return room
	}
	addItemsSize, addItemsMost = 0, 0
	if s := roomAddItems([]int(nil), 1); s != nil {
		t.Error("room without a need")
	}
	for range 10 {
		result(1000)
	}
	if room := result(1000); room < 1000 || room > 1125 {
		t.Error("room for 1000: ", room)
	}
	unused := 0
	for range 300 {
		unused += result(1) - 1
	}
	if room := result(1); unused > 2*1125 || room > 2 {
		t.Errorf("after large results, 300 small ones have %d elements that nothing needs, and the next has %d", unused, room)
	}
	result(60000)
	if room := result(1); room > 8 {
		t.Error("it follows one large result: ", room)
	}
}`},
}

func TestGeneratedCodeKeepsOutOfTraps(t *testing.T) {
	dir := edittest.Module(t, "testdata/sites.txtar")
	for _, trap := range traps {
		t.Run(trap.place+" "+string(trap.name), func(t *testing.T) {
			file, line, _ := strings.Cut(trap.place, ":")
			file = filepath.Join(dir, filepath.FromSlash(file))
			pkg, facts := read(t, filepath.Dir(file))
			n, _ := strconv.Atoi(line)
			vs, why := reuse.Variants(pkg, facts, reuse.Site{File: file, Line: n, Bytes: 4096, Objects: 1})
			i := slices.IndexFunc(vs, func(v reuse.Variant) bool { return v.Name == trap.name })
			if i < 0 {
				t.Fatalf("no such variant of %d: %s", len(vs), why)
			}
			files, err := vs[i].Files(reuse.Measured)
			if err != nil {
				t.Fatal(err)
			}
			imports := `import "testing"`
			if strings.Contains(trap.test, "bytes.") {
				imports = "import (\n\t\"bytes\"\n\t\"testing\"\n)"
			}
			files[filepath.Join(filepath.Dir(file), "trap_test.go")] = []byte("package " + pkg.Name + "\n\n" + imports + "\n" + trap.test)
			if out, err := edittest.Test(t, filepath.Dir(file), files, "."); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// An object without pointers is overwritten when it is given back, and zero when it is taken.
func TestAnObjectIsPoisoned(t *testing.T) {
	dir := filepath.Join(edittest.Module(t, "testdata/single.txtar"), "pooled")
	pkg, facts := read(t, dir)
	all := sites(t, filepath.Join(dir, "pooled.go"))
	i := slices.IndexFunc(all, func(s reuse.Site) bool { return s.Size() == 24 })
	vs, why := reuse.Variants(pkg, facts, all[i])
	if why != "" {
		t.Fatal(why)
	}
	files, err := vs[0].Files(reuse.Poisoned)
	if err != nil {
		t.Fatal(err)
	}
	files[filepath.Join(dir, "trap_test.go")] = []byte(`package pooled

import "testing"

func TestPoison(t *testing.T) {
	x := headerInPool.Get().(*header)
	if putHeaderIn(x); x.Kind != 0xDBDBDBDB || x.Sum[3] != 0xDB {
		t.Error(x)
	}
}
`)
	if out, err := edittest.Test(t, dir, files, "."); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// A module of an old go version gets nothing that its language does not have.
func TestModulesOfAnOldVersion(t *testing.T) {
	dir := edittest.Module(t, "testdata/sites.txtar")
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/sites\n\ngo 1.12\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"pointers/pointers.go", "marshal/marshal.go", "mapped/mapped.go"} {
		file = filepath.Join(dir, filepath.FromSlash(file))
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(text, []byte("any"), []byte("interface{}"))
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		os.Remove(strings.TrimSuffix(file, ".go") + "_test.go")
		pkg, facts := read(t, filepath.Dir(file))
		for _, s := range sites(t, file) {
			vs, why := reuse.Variants(pkg, facts, s)
			if len(vs) == 0 && s.Bytes > 32 && filepath.Base(file) != "mapped.go" {
				t.Fatal(why)
			}
			if s.Line == 21 && slices.ContainsFunc(vs, func(v reuse.Variant) bool { return v.Name == reuse.Hoist }) {
				t.Error("a loop does not take NaN out of a map")
			}
			for _, v := range vs {
				for _, form := range []reuse.Form{reuse.Poisoned, reuse.Written} {
					files, err := v.Files(form)
					if err != nil {
						t.Fatal(err)
					}
					if out, err := edittest.Test(t, filepath.Dir(file), files, "."); err != nil {
						t.Errorf("%s: %v\n%s", v.Name, err, out)
					}
				}
			}
		}
	}
}
