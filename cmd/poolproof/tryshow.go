package main

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/report"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
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
		err = report.NoiseFloor(os.Stdout, out.Verdict)
	case study.KindUnpool:
		if err = report.Pools(os.Stdout, columns(), stat.Pools(out.Verdict)); err != nil {
			break
		}
		fmt.Println()
		fallthrough
	default:
		err = report.Table(os.Stdout, out.Verdict, columns())
	}
	fmt.Printf("\nfiles: %s\n", o.Out)
	return err
}

// columns is the width of the terminal, or what fits most places.
func columns() int {
	if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && w > 0 {
		return w
	}
	return 160
}

// update writes the verdict beside the study file, if the user wants that.
func update(f *tryFlags, o experiment.Options, out experiment.Outcome) error {
	if !f.update || o.Kind != study.KindStudy {
		return nil
	}
	if earlier, ok, err := study.ReadSummary(filepath.Join(o.Path, study.SummaryName)); err == nil && ok {
		out.Verdict.Revise(earlier)
	}
	name := filepath.Join(o.Path, study.NoteName)
	if err := experiment.WriteNote(name, out.Verdict); err != nil {
		return fault.Option("update", "", "%w", err)
	}
	fmt.Fprintln(os.Stderr, "wrote", name)
	name = filepath.Join(o.Path, study.SummaryName)
	if err := study.WriteSummary(name, study.Summarise(out.Verdict)); err != nil {
		return fault.Option("update", "", "%w", err)
	}
	fmt.Fprintln(os.Stderr, "wrote", name)
	return nil
}
