// Package score says what the analysis finds of the corpus, and prints the tables
// of records/vet.md.
//
//	go run ./internal/lab score [-v] [corpus | held | fresh | later | asked | variants | peers]
//
// corpus is the code that was written by hand, held that of published bugs, which
// was written without sight of the analysis. variants are the packages that a
// program makes of it. peers are other checkers, asked about the code that was
// written by hand. With -v what was missed, and what was reported in excess, goes
// to standard error.
package score

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/peers"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/variant"
)

// Main is the tool, given its arguments. It returns the code to exit with.
func Main(ctx context.Context, args []string) int {
	fs := flag.NewFlagSet("score", flag.ExitOnError)
	verbose := fs.Bool("v", false, "list what was missed and what was reported in excess")
	keep := fs.String("keep", "", "write the variants into this `folder`, and leave them there")
	fs.Parse(args)
	if err := run(ctx, fs.Arg(0), *keep, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "score:", err)
		return 2
	}
	return 0
}

func run(ctx context.Context, what, keep string, verbose bool) error {
	scratch, err := os.MkdirTemp("", "score")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	c, err := corpus.Load(corpus.Folder())
	if err != nil {
		return err
	}
	if what == "peers" {
		return askPeers(ctx, c, verbose)
	}
	tool, err := corpus.Build(ctx, scratch)
	if err != nil {
		return err
	}
	switch what {
	case "held":
		return judgeThemes(ctx, tool, corpus.Held(), verbose)
	case "fresh":
		return judgeThemes(ctx, tool, corpus.Fresh(), verbose)
	case "later":
		return judgeThemes(ctx, tool, corpus.Later(), verbose)
	case "asked":
		return judgeThemes(ctx, tool, corpus.Asked(), verbose)
	case "", "corpus":
		return judge(ctx, tool, c, verbose)
	case "variants":
		if keep == "" {
			keep = scratch + "/variants"
		}
		v, err := variant.Write(ctx, corpus.Folder(), keep)
		if err != nil {
			return err
		}
		return judgeVariants(ctx, tool, v, verbose)
	}
	return fmt.Errorf("there is no %q to score; there are corpus, held, fresh, later, asked, variants and peers", what)
}

func judge(ctx context.Context, tool corpus.Tool, c *corpus.Corpus, verbose bool) error {
	s, err := analyse(ctx, tool, c, verbose)
	if err != nil {
		return err
	}
	s.Table(os.Stdout)
	fmt.Printf("\n%d places that must stay silent, %d false reports.\n", c.Count(corpus.Fine), len(s.False))
	return nil
}

func judgeThemes(ctx context.Context, tool corpus.Tool, folder string, verbose bool) error {
	c, err := corpus.Load(folder)
	if err != nil {
		return err
	}
	s, err := analyse(ctx, tool, c, verbose)
	if err != nil {
		return err
	}
	s.Themes(os.Stdout, c)
	fmt.Println()
	s.Table(os.Stdout)
	return nil
}

func analyse(ctx context.Context, tool corpus.Tool, c *corpus.Corpus, verbose bool) (corpus.Score, error) {
	run, err := tool.Vet(ctx, c.Dir, "./...")
	if err != nil {
		return corpus.Score{}, err
	}
	if len(run.Failures) > 0 {
		return corpus.Score{}, fmt.Errorf("the analysis failed:\n%s", strings.Join(run.Failures, "\n"))
	}
	s := c.Score(run.Reports)
	if verbose {
		s.Details(os.Stderr)
	}
	return s, nil
}

func judgeVariants(ctx context.Context, tool corpus.Tool, v *variant.Variants, verbose bool) error {
	s, err := analyse(ctx, tool, v.Corpus, verbose)
	if err != nil {
		return err
	}
	type row struct{ found, wants, falls, fines int }
	rows := make(map[string]*row)
	for _, t := range variant.Transforms() {
		rows[t.Name] = new(row)
	}
	way := func(file string) *row {
		name, _, _ := strings.Cut(file, "/")
		if rows[name] == nil {
			rows[name] = new(row)
		}
		return rows[name]
	}
	for _, h := range s.Hits {
		way(h.Func.File).found++
		way(h.Func.File).wants++
	}
	for _, m := range s.Missed {
		way(m.Func.File).wants++
	}
	for _, r := range s.False {
		way(r.File).falls++
	}
	for _, f := range v.Funcs {
		for _, m := range f.Marks {
			if m.Kind == corpus.Fine && !f.Skip {
				way(f.File).fines++
			}
		}
	}
	fmt.Println("| change | verdicts | functions | wants | found | silent places | false reports |")
	fmt.Println("|---|---|---|---|---|---|---|")
	var all row
	functions := 0
	for _, t := range variant.Transforms() {
		r := rows[t.Name]
		delete(rows, t.Name)
		verdicts := "change"
		if t.Keeps {
			verdicts = "hold"
		}
		fmt.Printf("| %s | %s | %d | %d | %d | %d | %d |\n", t.Doc, verdicts, v.Changed[t.Name], r.wants, r.found, r.fines, r.falls)
		all = row{all.found + r.found, all.wants + r.wants, all.falls + r.falls, all.fines + r.fines}
		functions += v.Changed[t.Name]
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) { // packages that variants share
		if r := rows[name]; r.falls > 0 {
			fmt.Printf("| %s | | | | | | %d |\n", name, r.falls)
			all.falls += r.falls
		}
	}
	fmt.Printf("| all | | %d | %d | %d | %d | %d |\n", functions, all.wants, all.found, all.fines, all.falls)
	return nil
}

func askPeers(ctx context.Context, c *corpus.Corpus, verbose bool) error {
	fmt.Println("| checker | wants | found | what it finds | false reports |")
	fmt.Println("|---|---|---|---|---|")
	show := func(name string, reports []corpus.Report, err error) {
		if err != nil {
			fmt.Printf("| %s | | | did not run | |\n", name)
			fmt.Fprintln(os.Stderr, "score:", err)
			return
		}
		s := c.Score(reports)
		if verbose {
			fmt.Fprintf(os.Stderr, "--- %s\n", name)
			s.Details(os.Stderr)
		}
		codes := make(map[string]int)
		for _, h := range s.Hits {
			codes[h.Report.Code]++
		}
		var kinds []string
		for _, code := range slices.Sorted(maps.Keys(codes)) {
			kinds = append(kinds, fmt.Sprintf("%s: %d", code, codes[code]))
		}
		fmt.Printf("| %s | %d | %d | %s | %d |\n", name, s.Wants(), len(s.Hits), strings.Join(kinds, ", "), len(s.False))
	}
	for _, p := range peers.Checkers {
		reports, err := p.Run(ctx, c.Dir)
		show(p.Name, reports, err)
	}
	reports, err := peers.Naive(ctx, c.Dir)
	show("the rule that a Get is followed by a deferred Put", reports, err)
	return nil
}
