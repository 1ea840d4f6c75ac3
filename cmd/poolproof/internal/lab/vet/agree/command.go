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

// Main is the tool, given its arguments. It returns the code to exit with: 1 if vet
// reports an error that no execution shows.
func Main(ctx context.Context, args []string) int {
	fs := flag.NewFlagSet("vet-agree", flag.ContinueOnError)
	n := fs.Int("n", 10000, "draw so `many` programs")
	seed := fs.Uint64("seed", 1, "of the draw")
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
	wrong, err := run(ctx, Draw(*n, *seed), *sanitizer, *out, *most)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "vet-agree:", err)
		return 2
	case wrong:
		return 1
	}
	return 0
}

func run(ctx context.Context, programs []*Program, sanitizer bool, out string, most int) (wrong bool, err error) {
	scratch, err := os.MkdirTemp("", "agree")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(scratch)
	j := judges{scratch: scratch, sanitizer: sanitizer}
	if j.vet, err = corpus.Build(ctx, scratch); err != nil {
		return false, err
	}
	all, err := j.of(ctx, filepath.Join(scratch, "programs"), programs)
	if err != nil {
		return false, err
	}
	print(os.Stdout, all, sanitizer)
	wrong = slices.ContainsFunc(all, func(v *Verdict) bool {
		reached, _ := v.falseErrors()
		return len(reached) > 0
	})
	if out == "" {
		return wrong, nil
	}
	f, err := os.Create(out)
	if err != nil {
		return false, err
	}
	defer f.Close()
	for _, d := range disagreements {
		if d.sanitizer && !sanitizer {
			continue
		}
		if err := j.list(ctx, f, d, all, most); err != nil {
			return false, err
		}
	}
	return wrong, f.Close()
}

// disagreement is a way in which the judges differ about a program. What remains of it
// when the program shrinks is known by a name; "" is none.
type disagreement struct {
	title     string
	sanitizer bool
	names     func(*Verdict) []string
}

var disagreements = []disagreement{
	{"errors of vet that no execution shows", false, func(v *Verdict) (names []string) {
		reached, _ := v.falseErrors()
		for _, r := range reached {
			names = append(names, r.Code)
		}
		return names
	}},
	{"warnings of a loss where nothing is lost", false, func(v *Verdict) (names []string) {
		for _, r := range v.falseLosses() {
			names = append(names, r.Code)
		}
		return names
	}},
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
			if len(unseen) > 0 {
				names = append(names, string(m)+", not reported")
			}
			if len(invented) > 0 {
				names = append(names, string(m)+", reported and not so")
			}
		}
		return names
	}},
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
	fmt.Fprintf(w, "# %s\n", d.title)
	same := map[string][]*finding{}
	for _, f := range found {
		p := *f.v.Program
		p.Number = 0
		text := f.title + "\n" + p.Text()
		same[text] = append(same[text], f)
	}
	texts := slices.SortedFunc(maps.Keys(same), func(a, b string) int {
		return cmp.Or(cmp.Compare(same[a][0].title, same[b][0].title), cmp.Compare(len(same[b]), len(same[a])), strings.Compare(a, b))
	})
	title := ""
	for _, text := range texts {
		f := same[text][0]
		if f.title != title {
			title = f.title
			fmt.Fprintf(w, "\n## %s: %d programs\n", title, count[title])
		}
		fmt.Fprintf(w, "\n%d of them:\n\n```go\n%s\n```\n", len(same[text]), f.v.Text())
		for _, r := range f.v.reports {
			fmt.Fprintf(w, "- line %d: %s\n", r.Line, r.Message)
		}
	}
	return nil
}
