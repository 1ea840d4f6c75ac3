package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/committed"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/report"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// sizeless lists the claims that have neither a size nor a reason for that. A
// claim that nothing changes needs none.
func sizeless(name string, file study.File) []Problem {
	var out []Problem
	for _, c := range file.Claims {
		if c.Size == "" && c.NoSize == "" && c.Class != study.Same {
			out = append(out, Problem{File: name, Text: fmt.Sprintf("the claim %q has neither a size nor a no_size that says why its source has none", c.Text)})
		}
	}
	return out
}

// unmissable lists the expectations that hold whatever is found: one that a
// comparison be POSITIVE or NEGATIVE expects nothing.
func unmissable(name string, file study.File) []Problem {
	var out []Problem
	for _, a := range file.Arms {
		for _, key := range slices.Sorted(maps.Keys(a.Expect)) {
			if v := a.Expect[key]; expectsNothing(v) {
				out = append(out, Problem{File: name, Text: fmt.Sprintf("the arm %q expects of %q POSITIVE or NEGATIVE, which cannot be missed; leave the expectation out", a.Name, key)})
			}
		}
	}
	return out
}

// expectsNothing reports whether no measurement can miss an expectation.
func expectsNothing(v []study.Verdict) bool {
	return slices.Contains(v, study.Positive) && slices.Contains(v, study.Negative)
}

// revised lists the comparisons for which the study file expects otherwise than it
// did when they were measured, and does not say so.
func revised(name string, s committed.Study) []Problem {
	var out []Problem
	for _, c := range s.Result.Comparisons {
		i := slices.IndexFunc(s.File.Arms, func(a study.Arm) bool { return a.Name == c.Arm })
		if i < 0 || len(c.Expect) == 0 || expectsNothing(c.Expect) {
			continue // of what nothing was expected, anything may be expected now
		}
		a := s.File.Arms[i]
		if now := a.Expected(c.Benchmark, c.Cell); !slices.Equal(now, c.Expect) && !slices.Equal(a.ExpectedBefore(c.Benchmark, c.Cell), c.Expect) {
			out = append(out, Problem{File: name, Text: fmt.Sprintf("the arm %q expects %v of %q, and expected %v when it was measured: measure again, or say so by expected_before",
				c.Arm, now, strings.TrimSpace(c.Benchmark+" "+strings.Join(c.Cell, " ")), c.Expect)})
		}
	}
	return out
}

// origins checks that the revision of each result exists in the history before
// this one, and that nothing differed from it. Results of the time before
// provenance are named.
func (f *Finding) origins(ctx context.Context, root string, studies []committed.Study) error {
	shallow, err := git.Text(ctx, root, "rev-parse", "--is-shallow-repository")
	if err != nil || shallow != "false" {
		f.Skipped = append(f.Skipped, "the revisions of the results: git knows no whole history here")
	}
	for _, s := range studies {
		if s.Result == nil {
			continue
		}
		name, p := relative(root, filepath.Join(s.Dir, study.SummaryName)), s.Result.Provenance
		if p == nil {
			f.Notes = append(f.Notes, Problem{File: name, Text: "without provenance: measured before results kept it"})
			continue
		}
		if why := origin(ctx, root, *p, shallow == "false"); why != "" {
			f.Problems = append(f.Problems, Problem{File: name, Text: why})
		}
	}
	return ctx.Err()
}

// origin says what is wrong with where a result comes from; "" for nothing.
func origin(ctx context.Context, root string, p study.Provenance, history bool) string {
	switch {
	case p.Revision == "":
		return "the result names no revision"
	case p.Dirty:
		return "the repository differed from revision " + p.Revision + " when this was measured"
	case len(p.Binaries) == 0:
		return "the result keeps no digest of the binaries"
	case p.Program.Engine == 0 || p.Rule == 0 || p.Judged == 0:
		return "the result does not keep the versions of engine and rule"
	case !history:
		return ""
	}
	hash, err := git.Commit(ctx, root, p.Revision)
	if err != nil || hash == "" {
		return "revision " + p.Revision + " does not exist"
	}
	if _, err := git.Output(ctx, root, "merge-base", "--is-ancestor", hash, "HEAD"); err != nil {
		return "revision " + p.Revision + " is not in the history of HEAD"
	}
	return ""
}

// agree checks that each note says what the result beside it says, and that the
// table of the studies is made of them.
func (f *Finding) agree(root string, studies []committed.Study) error {
	wrong := func(name, format string, args ...any) {
		f.Problems = append(f.Problems, Problem{File: relative(root, name), Text: fmt.Sprintf(format, args...)})
	}
	for _, s := range studies {
		text, err := os.ReadFile(s.Note())
		switch {
		case errors.Is(err, fs.ErrNotExist) && s.Result == nil:
			continue
		case errors.Is(err, fs.ErrNotExist):
			wrong(s.Dir, "there is a %s and no %s", study.SummaryName, study.NoteName)
			continue
		case err != nil:
			return err
		case s.Result == nil:
			wrong(s.Note(), "there is no %s beside it", study.SummaryName)
			continue
		}
		note := string(text)
		if s.Current(note) != note {
			wrong(s.Note(), "its conclusion, its claims or its origin are not those of the result; run poolproof try -index studies")
		}
		if !strings.Contains(note, "<!-- provenance -->") || !strings.Contains(note, "<!-- conclusion -->") {
			wrong(s.Note(), "it does not begin with its conclusion and its origin; run poolproof try -index studies")
		}
		for _, d := range report.Disagreements(note, s.File, *s.Result) {
			wrong(s.Note(), "%s", d)
		}
	}
	dir := filepath.Join(root, "studies")
	want, err := committed.Index(dir, studies)
	if err != nil {
		return err
	}
	name := filepath.Join(dir, committed.IndexName)
	if got, err := os.ReadFile(name); err != nil {
		return err
	} else if !bytes.Equal(got, want) {
		wrong(name, "it is not the table of the committed results; run poolproof try -index studies")
	}
	return nil
}
