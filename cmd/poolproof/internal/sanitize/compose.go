package sanitize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// markTag is the build tag that turns on package mark.
const markTag = "poolproofmark"

// asked is the user's question: the command line, with what GOFLAGS add to it.
type asked struct {
	line gotest.Line // of the command line alone: the go command reads GOFLAGS itself
	env  gotest.Line // GOFLAGS
}

// get returns the value of a flag, which GOFLAGS may give too.
func (a asked) get(name string) string {
	if v, ok := a.line.Get(name); ok {
		return v
	}
	v, _ := a.env.Get(name)
	return v
}

func (a asked) has(name string) bool {
	_, line := a.line.Get(name)
	_, env := a.env.Get(name)
	return line || env
}

func (a asked) on(name string) bool {
	if _, ok := a.line.Get(name); ok {
		return a.line.On(name)
	}
	return a.env.On(name)
}

// refuse says what cannot be combined with the sanitizer.
func (a asked) refuse() error {
	bad := func(format string, args ...any) error {
		return fault.Errorf(fault.Input, format, args...)
	}
	for _, name := range []string{"race", "msan", "asan"} {
		if a.on(name) {
			return bad("-%s takes the place in the compiler that the sanitizer needs: run go test -%s on its own, as a second pass", name, name)
		}
	}
	if a.on("linkshared") {
		return bad("-linkshared links the standard library as it is, without the hooks")
	}
	if c := a.get("compiler"); c != "" && c != "gc" {
		return bad("-compiler=%s: the hooks are made for the gc compiler", c)
	}
	switch m := a.get("buildmode"); m {
	case "", "default", "exe", "pie":
	default:
		return bad("-buildmode=%s makes no test binary that can be watched", m)
	}
	return nil
}

// tags are the build tags: the user's, ours, and that of package mark.
func (a asked) tags() string {
	all := strings.FieldsFunc(a.get("tags"), func(r rune) bool { return r == ',' || r == ' ' })
	if !slices.Contains(all, markTag) {
		all = append(all, markTag)
	}
	return strings.Join(all, ",")
}

// gcflags gives all packages our compiler flags. The go command takes, for each
// package, the flags of the last pattern that it matches: so ours come first, for
// all packages, and then each of the user's values again, with ours
// after it. A package with flags of its own would otherwise not be watched.
func (a asked) gcflags(ours []string) []gotest.Flag {
	if len(ours) == 0 {
		return nil
	}
	add := strings.Join(ours, " ")
	flags := []gotest.Flag{{Name: "gcflags", Value: "all=" + add}}
	for _, value := range slices.Concat(a.env.All("gcflags"), a.line.All("gcflags")) {
		value = strings.TrimSpace(value)
		if value != "" && !strings.HasSuffix(value, "=") {
			value += " "
		}
		flags = append(flags, gotest.Flag{Name: "gcflags", Value: value + add})
	}
	return flags
}

// instrumented is the line that builds and runs with an overlay, the launcher
// in front of each binary.
func (a asked) instrumented(gcflags []string, overlay, exec string) gotest.Line {
	line := a.line.Without("gcflags").With("tags", a.tags()).With("overlay", overlay).With("exec", exec)
	if !a.has("count") {
		// The go command would give the result of an earlier run, of another mode for example.
		line = line.With("count", "1")
	}
	return line.First(a.gcflags(gcflags)...)
}

// plain is the line without the sanitizer.
func (a asked) plain() gotest.Line { return a.line.With("count", "1") }

// outputs are flags that write files, or change what is printed or run: a run
// that looks again must not have them.
var outputs = []string{
	"artifacts", "bench", "blockprofile", "c", "coverprofile", "cpuprofile", "failfast", "fuzz", "fuzztime", "fuzzminimizetime", "json",
	"list", "memprofile", "mutexprofile", "n", "o", "outputdir", "run", "shuffle", "skip", "trace", "v", "vet", "x",
}

// only is a line that runs just the named tests of one package, as far as
// patterns can say; without names, what the line runs anyway.
func only(line gotest.Line, pkg string, names []string) gotest.Line {
	again := line.Without(outputs...)
	again.Packages = []string{pkg}
	again = again.With("vet", "off").With("count", "1")
	if len(names) == 0 {
		return again.Like(line, "run", "skip", "bench")
	}
	var tests, benchmarks []string
	for _, name := range names {
		if strings.HasPrefix(name, "Benchmark") {
			benchmarks = append(benchmarks, name)
		} else {
			tests = append(tests, name)
		}
	}
	again = again.With("run", pattern(tests))
	if len(benchmarks) > 0 {
		again = again.With("bench", pattern(benchmarks))
	}
	return again
}

// pattern matches the top-level tests of these names; without any, nothing.
func pattern(names []string) string {
	if len(names) == 0 {
		return "^$"
	}
	var all []string
	for _, n := range names {
		top, _, _ := strings.Cut(n, "/")
		if strings.HasPrefix(top, "Benchmark") {
			top = withoutProcs(top)
		}
		if !slices.Contains(all, top) {
			all = append(all, top)
		}
	}
	return fmt.Sprintf("^(%s)$", strings.Join(all, "|"))
}

// withoutProcs cuts the -8 of BenchmarkX-8.
func withoutProcs(name string) string {
	if i := strings.LastIndexByte(name, '-'); i > 0 && strings.Trim(name[i+1:], "0123456789") == "" {
		return name[:i]
	}
	return name
}
