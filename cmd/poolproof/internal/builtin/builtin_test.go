package builtin

import (
	"bytes"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// extract writes the module and returns its folder.
func extract(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "made", "by", "extract")
	if err := Extract(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// goTool runs the go command in dir, as a caller of Extract does.
func goTool(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// result is a line of benchmark text.
type result struct {
	name          string
	bytes, allocs int
}

var resultLine = regexp.MustCompile(`(?m)^(Benchmark\S+?)(?:-\d+)?\s+\d+\s+[\d.]+ ns/op\s+(\d+) B/op\s+(\d+) allocs/op$`)

func results(t *testing.T, text string) map[string]result {
	t.Helper()
	out := map[string]result{}
	for _, m := range resultLine.FindAllStringSubmatch(text, -1) {
		bytes, err1 := strconv.Atoi(m[2])
		allocs, err2 := strconv.Atoi(m[3])
		if err1 != nil || err2 != nil {
			t.Fatalf("result line %q", m[0])
		}
		out[m[1]] = result{m[1], bytes, allocs}
	}
	return out
}

func TestEveryBenchmarkOfTheModuleRuns(t *testing.T) {
	dir := extract(t)
	goTool(t, dir, "vet", "./...")
	got := results(t, goTool(t, dir, "test", "-run", "^$", "-bench", ".", "-benchtime", "1x", "."))

	want := []string{"BenchmarkLoop", "BenchmarkJSON", "BenchmarkLong", "BenchmarkChannel", "BenchmarkParallel"}
	for _, kind := range []string{"loop", "alloc"} {
		for _, extra := range []string{"0", "1", "2", "3", "5", "10", "100", "900"} {
			want = append(want, "BenchmarkEffect/kind="+kind+"/extra="+extra)
		}
	}
	for _, pair := range []string{"free", "paid", "dear", "slab", "half"} {
		want = append(want, "BenchmarkGarbage/pair="+pair+"/way=old", "BenchmarkGarbage/pair="+pair+"/way=new")
	}
	for _, name := range want {
		if _, ok := got[name]; !ok {
			t.Errorf("%s gave no result", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d benchmarks gave a result, want %d", len(got), len(want))
	}
}

func TestThePatternAASelectsWhatIsComparedWithItself(t *testing.T) {
	got := results(t, goTool(t, extract(t), "test", "-run", "^$", "-bench", AA, "-benchtime", "1x", "."))
	for _, name := range []string{"BenchmarkLoop", "BenchmarkJSON", "BenchmarkLong", "BenchmarkChannel", "BenchmarkParallel"} {
		if _, ok := got[name]; !ok {
			t.Errorf("%s is not selected", name)
		}
	}
	if len(got) != 5 {
		t.Errorf("%d benchmarks are selected, want 5", len(got))
	}
}

func TestGarbageIsWhatTheBenchmarksPromise(t *testing.T) {
	text := goTool(t, extract(t), "test", "-run", "^$", "-bench", "Loop|JSON|Long|Channel|Effect|Garbage", "-benchtime", "200x", ".")
	got := results(t, text)

	for name, r := range got {
		quiet := name == "BenchmarkLoop" || strings.Contains(name, "kind=loop")
		if strings.HasSuffix(name, "way=new") && !strings.Contains(name, "pair=half") {
			quiet = true
		}
		if quiet != (r.allocs == 0) {
			t.Errorf("%s: %d allocs/op, want none: %t", name, r.allocs, quiet)
		}
	}

	zero := got["BenchmarkEffect/kind=alloc/extra=0"]
	if zero.allocs == 0 || zero.allocs%100 != 0 {
		t.Fatalf("kind=alloc/extra=0: %d allocs/op, want a multiple of 100", zero.allocs)
	}
	for _, extra := range []int{1, 2, 3, 5, 10, 100, 900} {
		r := got["BenchmarkEffect/kind=alloc/extra="+strconv.Itoa(extra)]
		if want := zero.allocs * (100 + extra) / 100; r.allocs != want {
			t.Errorf("kind=alloc/extra=%d: %d allocs/op, want %d", extra, r.allocs, want)
		}
		if want := zero.bytes * (100 + extra) / 100; r.bytes < want-2 || r.bytes > want+2 {
			t.Errorf("kind=alloc/extra=%d: %d B/op, want %d", extra, r.bytes, want)
		}
	}

	for _, pair := range []string{"free", "paid", "dear", "slab", "half"} {
		old, new := got["BenchmarkGarbage/pair="+pair+"/way=old"], got["BenchmarkGarbage/pair="+pair+"/way=new"]
		if new.bytes > old.bytes*6/10 {
			t.Errorf("pair=%s: %d -> %d B/op, want a fall by 40 %% at least", pair, old.bytes, new.bytes)
		}
	}
}

func TestFilesAreFormattedAndReplacedByASecondExtract(t *testing.T) {
	dir := extract(t)
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range names {
		names[i] = filepath.Base(names[i])
	}
	if want := []string{"aa_test.go", "builtin.go", "effect_test.go", "garbage_test.go", "go.mod"}; !slices.Equal(names, want) {
		t.Fatalf("files %v, want %v", names, want)
	}

	other := filepath.Join(dir, "notes.txt")
	for _, name := range append(names, "notes.txt") {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("changed"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := Extract(dir); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(other); err != nil || string(text) != "changed" {
		t.Errorf("a file of another name: %q, %v; want it left alone", text, err)
	}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "go.mod" {
			if !strings.HasPrefix(string(text), "module "+Module+"\n") || strings.Contains(string(text), "require") {
				t.Errorf("go.mod is\n%s", text)
			}
			continue
		}
		formatted, err := format.Source(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(text, formatted) {
			t.Errorf("%s is not formatted", name)
		}
	}
}

func TestExtractSaysWhereItCouldNotWrite(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	err := Extract(filepath.Join(file, "below"))
	if err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("error %v, want one that names %s", err, file)
	}
}
