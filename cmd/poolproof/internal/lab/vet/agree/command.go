package agree

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
)

// Main is the tool, given its arguments. It returns the code to exit with.
func Main(ctx context.Context, args []string) int {
	fs := flag.NewFlagSet("vet-agree", flag.ContinueOnError)
	n := fs.Int("n", 10000, "draw so `many` programs")
	seed := fs.Uint64("seed", 1, "of the draw")
	wide := fs.Bool("wide", false, "draw from the wide grammar")
	sanitizer := fs.Bool("sanitizer", true, "run the programs under poolproof test")
	out := fs.String("findings", "", "write the disagreements into this `file`, each as a short program")
	most := fs.Int("shrink", 40, "of each kind of disagreement so `many` at most")
	fs.Usage = func() {
		fmt.Fprint(fs.Output(), "usage: go run ./internal/lab vet-agree [flags]\n\nDraws programs over pools, executes them, and asks vet and the sanitizer about them.\n\n")
		fs.PrintDefaults()
	}
	if err := fs.Parse(args); err != nil {
		if err == flag.ErrHelp {
			return 0
		}
		return 2
	}
	if err := run(ctx, Draw(*n, *seed, *wide), *sanitizer, *out, *most); err != nil {
		fmt.Fprintln(os.Stderr, "vet-agree:", err)
		return 2
	}
	return 0
}

func run(ctx context.Context, programs []*Program, sanitizer bool, out string, most int) error {
	scratch, err := os.MkdirTemp("", "agree")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	j := judges{scratch: scratch, sanitizer: sanitizer}
	if j.vet, err = corpus.Build(ctx, scratch); err != nil {
		return err
	}
	all, err := j.of(ctx, filepath.Join(scratch, "programs"), programs)
	if err != nil {
		return err
	}
	print(os.Stdout, all, sanitizer)
	if out == "" {
		return nil
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, d := range disagreements {
		if d.sanitizer && !sanitizer {
			continue
		}
		if err := j.list(ctx, f, d, all, most); err != nil {
			return err
		}
	}
	return f.Close()
}

// disagreement is a way in which the judges differ about a program. What remains of it
// when the program shrinks is known by a name; "" is none.
type disagreement struct {
	title     string
	sanitizer bool
	names     func(*Verdict) []string
}

var disagreements = []disagreement{
	{"errors of vet that no execution shows", false, func(v *Verdict) []string {
		wrong, _ := v.falseErrors()
		return codesOf(wrong)
	}},
	{"errors of vet that name a line which no execution comes to", false, func(v *Verdict) []string {
		_, idle := v.falseErrors()
		return codesOf(idle)
	}},
	{"warnings of a loss where nothing is lost", false, func(v *Verdict) []string { return codesOf(v.falseLosses()) }},
	{"misuses that vet does not report", false, func(v *Verdict) (names []string) {
		for _, m := range misuses {
			if v.shows(m) && v.tier(m) == "" {
				names = append(names, string(m))
			}
		}
		return names
	}},
	{"executions that the sanitizer sees otherwise", true, func(v *Verdict) (names []string) {
		for _, m := range []Misuse{usedAfterPut, putTwice} {
			unseen, invented := v.unlike(m)
			if len(unseen) > 0 && !v.hidden {
				names = append(names, string(m)+", not reported")
			}
			if len(invented) > 0 {
				names = append(names, string(m)+", reported and not so")
			}
		}
		return names
	}},
}

func codesOf(all []Report) (codes []string) {
	for _, r := range all {
		codes = append(codes, r.Code)
	}
	return codes
}

// list writes the programs about which the judges disagree, those that shrink to the
// same one together.
func (j judges) list(ctx context.Context, w io.Writer, d disagreement, all []*Verdict, most int) error {
	j.sanitizer = d.sanitizer
	var found []*finding
	count := map[string]int{}
	for _, v := range all {
		for _, name := range slices.Compact(slices.Sorted(slices.Values(d.names(v)))) {
			if count[name]++; count[name] <= most {
				found = append(found, &finding{name, func(v *Verdict) bool { return slices.Contains(d.names(v), name) }, v})
			}
		}
	}
	if err := j.shrink(ctx, found); err != nil {
		return err
	}
	same := map[string][]*finding{}
	for _, f := range found {
		kind := f.title + ": " + f.v.shape()
		same[kind] = append(same[kind], f)
	}
	fmt.Fprintf(w, "# %s\n", d.title)
	for _, title := range slices.Sorted(maps.Keys(count)) {
		fmt.Fprintf(w, "\n## %s: %d programs\n", title, count[title])
		for _, kind := range slices.SortedFunc(maps.Keys(same), func(a, b string) int {
			return cmp.Or(cmp.Compare(len(same[b]), len(same[a])), strings.Compare(a, b))
		}) {
			f := same[kind][0]
			if f.title != title {
				continue
			}
			fmt.Fprintf(w, "\n%d times `%s`\n\n```go\n%s\n```\n", len(same[kind]), f.v.shape(), f.v.Text())
			for _, r := range f.v.reports {
				fmt.Fprintf(w, "- line %d: %s\n", r.Line, r.Message)
			}
		}
	}
	return nil
}
