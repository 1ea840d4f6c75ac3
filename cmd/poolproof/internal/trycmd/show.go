package trycmd

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	xterm "golang.org/x/term"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/committed"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/gobench"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/history"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/note"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/page"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/term"
)

// show prints what was found.
func show(f *tryFlags, o experiment.Options, out experiment.Outcome) error {
	if f.json {
		return study.Encode(os.Stdout, out.Verdict)
	}
	fmt.Printf("%s\n\n", out.Verdict.Plan.Title)
	var err error
	switch o.Kind {
	case study.KindAA:
		err = term.NoiseFloor(os.Stdout, out.Verdict)
	case study.KindUnpool:
		if err = term.Pools(os.Stdout, columns(), stat.Pools(out.Verdict)); err != nil {
			break
		}
		fmt.Println()
		fallthrough
	case study.KindSite:
		if err = term.Variants(os.Stdout, columns(), stat.Variants(out.Verdict)); err != nil {
			break
		}
		fmt.Println()
		err = term.Table(os.Stdout, out.Verdict, columns())
	default:
		err = term.Table(os.Stdout, out.Verdict, columns())
	}
	fmt.Printf("\nfiles: %s\n", o.Out)
	return err
}

// columns is the width of the terminal, or what fits most places.
func columns() int {
	if w, _, err := xterm.GetSize(int(os.Stdout.Fd())); err == nil && w > 0 {
		return w
	}
	return 160
}

// Shown are the pages of a run, and what it says while it measures.
var Shown = ask.Show{
	Pages: []ask.Page{
		{Name: study.NoteName, Render: func(w io.Writer, v study.VerdictFile, _ []study.Record) error {
			return note.Write(w, v, committed.Present)
		}},
		{Name: "report.html", Render: page.Write},
		{Name: "bench.txt", Render: gobench.Write},
	},
	Standing: term.Live,
	Decided:  term.Verdict,
}

// update commits the verdict beside the study file, if the user wants that.
func update(f *tryFlags, o experiment.Options, out experiment.Outcome) error {
	if !f.update || o.Kind != study.KindStudy {
		return nil
	}
	names, err := committed.Update(o.Path, out.Verdict)
	if err != nil {
		return fault.Option("update", "", "%w", err)
	}
	for _, name := range names {
		fmt.Fprintln(os.Stderr, "wrote", name)
	}
	return nil
}

// keepIn keeps a verdict in the history that the user names, if there is one.
func keepIn(dir string, v study.VerdictFile) error {
	if dir == "" {
		return nil
	}
	name, err := history.Keep(dir, v)
	if err != nil {
		return fault.Option("keep", dir, "%w", err)
	}
	fmt.Fprintln(os.Stderr, "kept", name)
	return nil
}

// showPools shows the pools of all packages of a batch together, and returns their verdicts.
func showPools(f *tryFlags, b *batch, dir string) (files []study.VerdictFile, err error) {
	for _, part := range b.Parts {
		if part.Question.Kind != study.KindUnpool {
			return nil, nil
		}
		if part.State == done {
			v, err := study.ReadVerdict(filepath.Join(dir, part.Name, study.VerdictName))
			if err != nil {
				return nil, err
			}
			files = append(files, v)
		}
	}
	if len(files) < 2 || f.json {
		return files, nil
	}
	fmt.Printf("\nall pools, in the benchmarks of %d packages\n\n", len(files))
	return files, term.Pools(os.Stdout, columns(), stat.Pools(files...))
}
