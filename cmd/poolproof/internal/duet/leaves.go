package duet

import (
	"context"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Leaf is one benchmark that a test binary has.
type Leaf struct {
	Name string
	// Once is the real time that the benchmark took with b.N = 1, with what
	// its parents did before it.
	Once time.Duration
	// Failed says in one line why the benchmark cannot be measured; "" if it
	// can.
	Failed string
	// Skipped: the benchmark skips itself, with all that may be below it.
	Skipped bool
}

// Leaves runs every benchmark that matches the pattern once (b.N = 1) and
// returns them in their order, those that fail included. A benchmark that
// takes the process with it (a panic, os.Exit, a hang) is listed as failed, and
// the rest is run without it. A *BenchError says that the process broke off and
// that no benchmark can be blamed for it.
func Leaves(ctx context.Context, s Program, pattern string, timeout time.Duration) ([]Leaf, error) {
	return (&lister{run: func(args ...string) (listing, error) { return list(ctx, s, pattern, timeout, args) }}).all()
}

// LeavesPlain is Leaves for a binary that is not instrumented.
func LeavesPlain(ctx context.Context, s Program, pattern string, timeout time.Duration) ([]Leaf, error) {
	return (&lister{run: func(args ...string) (listing, error) { return listPlain(ctx, s, pattern, timeout, args) }}).all()
}

// listing holds the benchmarks that one process listed.
type listing struct {
	leaves []Leaf      // that ran, and those that failed without ending the process
	broken *BenchError // why the process broke off; nil if it came to its end
	about  string      // how the words of broken name the benchmark
	output string      // the end of its standard output
}

// lister runs processes until one comes to its end.
type lister struct {
	run     func(args ...string) (listing, error)
	leaves  []Leaf
	skipped []string // benchmarks that ended a process
}

// all lists every benchmark, in the order in which they begin.
func (l *lister) all() ([]Leaf, error) {
	var order []string
	for {
		got, err := l.run(l.skip()...)
		if err != nil {
			return nil, err
		}
		l.add(got.leaves)
		fails := slices.ContainsFunc(got.leaves, func(leaf Leaf) bool { return leaf.Failed != "" })
		if got.broken == nil && !fails && len(l.skipped) == 0 {
			return l.leaves, nil
		}
		// What testing prints of a failure comes out of order, and of a crash
		// not always with a name. In its verbose form each benchmark is named
		// when it begins.
		told, err := l.run(append(l.skip(), "-test.v=test2json")...)
		if err != nil {
			return nil, err
		}
		names := begun(told.output)
		order = merge(order, names)
		if got.broken == nil {
			break
		}
		if told.broken == nil {
			return l.leaves, got.broken
		}
		name, text, err := l.culprit(got, suspects(names, got.about, told.output))
		if err != nil {
			return nil, err
		}
		if name == "" || slices.Contains(l.skipped, name) {
			return l.leaves, got.broken
		}
		l.skipped = append(l.skipped, name)
		l.blame(name, text)
	}
	return sorted(l.leaves, order), nil
}

// add takes in what is new. A parent fails with each of its benchmarks; it is
// listed only where none of them is to blame.
func (l *lister) add(leaves []Leaf) {
	for _, leaf := range leaves {
		same := func(known Leaf) bool {
			return known.Name == leaf.Name || leaf.Failed != "" && known.Failed != "" && strings.HasPrefix(known.Name, leaf.Name+"/")
		}
		if !slices.ContainsFunc(l.leaves, same) {
			l.leaves = append(l.leaves, leaf)
		}
	}
}

// skip is the argument that leaves out the benchmarks that end the process.
func (l *lister) skip() []string {
	if len(l.skipped) == 0 {
		return nil
	}
	var patterns []string
	for _, name := range l.skipped {
		patterns = append(patterns, Pattern(name))
	}
	return []string{"-test.skip=" + strings.Join(patterns, "|")}
}

// blame notes that a benchmark ended the process. It may be listed already: a
// panic lets testing go on for a moment.
func (l *lister) blame(name, text string) {
	i := slices.IndexFunc(l.leaves, func(leaf Leaf) bool { return leaf.Name == name })
	if i < 0 {
		i = len(l.leaves)
		l.leaves = append(l.leaves, Leaf{Name: name})
	}
	l.leaves[i].Failed = text
}

// culprit is the benchmark that ended the process of got, and what is to be
// said of it. Each suspect is run without the others: what it says then is not
// mixed with what another one did meanwhile. Where none of them ends its process
// alone, the last suspect is to blame, in the words of got.
func (l *lister) culprit(got listing, suspects []string) (name, text string, err error) {
	if len(suspects) == 0 {
		return "", "", nil
	}
	if got.broken.Status != study.StatusTimeout { // to wait again would tell no more
		for _, name := range suspects {
			alone, err := l.run(append(l.skip(), "-test.bench="+Pattern(name), "-test.count=3")...)
			if err != nil {
				return "", "", err
			}
			if alone.broken != nil {
				return name, renamed(alone, name), nil
			}
		}
	}
	name = suspects[len(suspects)-1]
	return name, renamed(got, name), nil
}

// renamed returns the process's last words with the benchmark's name in them.
func renamed(l listing, name string) string {
	if rest, ok := strings.CutPrefix(l.broken.Text, l.about); ok {
		return name + rest
	}
	return l.broken.Text
}

// suspects lists the benchmarks that may have ended the process, the likeliest
// last: those that began and have no end, and the one that was running.
//
// While a panic is printed the next benchmark may begin, and may itself end the
// process. Of the one that panicked testing then prints a result without a time.
func suspects(names []string, about, output string) []string {
	running := running(names, about, output)
	var all []string
	for i, name := range names {
		part := func(later string) bool { return strings.HasPrefix(later, name+"/") }
		if name != running && !strings.HasPrefix(running, name+"/") && !slices.ContainsFunc(names[i+1:], part) && !hasEnd(name, output) {
			all = append(all, name)
		}
	}
	if running == "" {
		return all
	}
	return append(all, running)
}

// hasEnd reports whether testing printed how the benchmark ended: a result with
// its time, or that it failed or skipped itself.
func hasEnd(name, output string) bool {
	name = regexp.QuoteMeta(name) + `(?:-\d+)?`
	return regexp.MustCompile(`(?m)^` + name + `\s+\d+\s.* ns/op|--- (?:FAIL|SKIP|BENCH): ` + name + `$`).MatchString(output)
}

// running is the benchmark that was running when the process broke off: the
// last that began or, where the result of that one is printed, the one that it
// is part of. about is what the process said of it: where that names a
// function, it is one of the benchmarks of that function.
func running(names []string, about, output string) string {
	of := func(name string) bool { return name == about || strings.HasPrefix(name, about+"/") }
	if slices.ContainsFunc(names, of) {
		for !of(names[len(names)-1]) {
			names = names[:len(names)-1]
		}
	}
	if len(names) == 0 {
		return ""
	}
	last := names[len(names)-1]
	if parent, _, ok := strings.Cut(last, "/"); ok && hasEnd(last, output) {
		return parent
	}
	return last
}

// runLine matches how the verbose form announces a benchmark.
var runLine = regexp.MustCompile(`=== RUN   (Benchmark\S*)\n`)

func begun(output string) (names []string) {
	for _, m := range runLine.FindAllStringSubmatch(output, -1) {
		names = append(names, m[1])
	}
	return names
}

// merge adds the names that are new at the end: what follows a benchmark that
// broke off is seen by a later process only.
func merge(order, names []string) []string {
	for _, name := range names {
		if !slices.Contains(order, name) {
			order = append(order, name)
		}
	}
	return order
}

// sorted sorts leaves as their names are listed; names that are not come last.
func sorted(leaves []Leaf, order []string) []Leaf {
	place := func(leaf Leaf) int {
		if i := slices.Index(order, leaf.Name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortStableFunc(leaves, func(a, b Leaf) int { return place(a) - place(b) })
	return leaves
}

// list runs the benchmarks of an instrumented binary once.
func list(ctx context.Context, s Program, pattern string, timeout time.Duration, args []string) (listing, error) {
	p, err := Start(ctx, s, pattern, timeout, args...)
	var broken *BenchError
	if errors.As(err, &broken) {
		return listing{broken: broken}, nil
	}
	if err != nil {
		return listing{}, err
	}
	got, err := p.list(ctx)
	got.about = p.subject()
	p.Leave()
	got.output = p.output.String()
	return got, err
}

func (p *Proc) list(ctx context.Context) (got listing, err error) {
	for {
		start := time.Now()
		name, err := p.Next(ctx)
		for _, skipped := range p.skipped {
			got.leaves = append(got.leaves, Leaf{Name: skipped, Skipped: true})
		}
		p.skipped = nil
		var broken *BenchError
		failures := func() []Leaf {
			if err == nil {
				return nil
			}
			return p.failures()
		}()
		switch {
		case errors.Is(err, io.EOF):
			if why, ok := p.ranNothing(); ok {
				got.broken = &BenchError{study.StatusFailed, why}
				return got, nil
			}
			got.leaves = append(got.leaves, failures...)
			return got, nil
		case errors.As(err, &broken):
			got.leaves = append(got.leaves, failures...)
			if !p.saidFail() {
				got.broken = broken
			}
			return got, nil
		case err != nil:
			return got, err
		}
		got.leaves = append(got.leaves, Leaf{Name: name, Once: time.Since(start)})
	}
}

// listPlain runs the benchmarks of a binary that is not instrumented once.
func listPlain(ctx context.Context, s Program, pattern string, timeout time.Duration, args []string) (listing, error) {
	args = append([]string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=1x", "-test.cpu=1"}, args...)
	p, printed, broken, err := runPlain(ctx, s, "", timeout, args...)
	if err != nil {
		return listing{}, err
	}
	got := listing{broken: broken, about: p.subject(), output: printed.String()}
	for _, res := range results(printed, "") {
		leaf := Leaf{Name: "Benchmark" + res.Name.String()}
		sl, err := burstOf(res)
		if err != nil {
			leaf.Failed = err.Error()
		}
		leaf.Once = time.Duration(sl.Wall)
		got.leaves = append(got.leaves, leaf)
	}
	got.leaves = append(got.leaves, p.failures()...)
	if p.saidFail() {
		got.broken = nil
	}
	return got, nil
}
