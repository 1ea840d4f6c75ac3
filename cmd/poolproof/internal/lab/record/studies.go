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
	for _, c := range s.Verdict.Results {
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
// this one, and that nothing differed from it. whole says that git knows all of the
// history.
func (f *Finding) origins(ctx context.Context, root string, studies []committed.Study) (whole bool, err error) {
	shallow, err := git.Text(ctx, root, "rev-parse", "--is-shallow-repository")
	whole = err == nil && shallow == "false"
	if !whole {
		f.Skipped = append(f.Skipped, "the revisions of the results: git knows no whole history here")
	}
	for _, s := range studies {
		if s.Verdict == nil {
			continue
		}
		if why := origin(ctx, root, *s.Verdict, whole); why != "" {
			f.Problems = append(f.Problems, Problem{File: relative(root, filepath.Join(s.Dir, study.VerdictName)), Text: why})
		}
	}
	return whole, ctx.Err()
}

// origin says what is wrong with where a result comes from; "" for nothing.
func origin(ctx context.Context, root string, v study.VerdictFile, history bool) string {
	p := v.Plan
	switch {
	case p.Revision == "":
		return "the result names no revision"
	case p.Dirty:
		return "the repository differed from revision " + p.Revision + " when this was measured"
	case len(p.Binaries) == 0:
		return "the result keeps no digest of the binaries"
	case p.Program.Engine == 0 || p.Rule.Version == 0 || v.Judged == 0:
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

// printed checks that each note, and the table of the studies, are as the program
// prints from the results and the study files beside them.
func (f *Finding) printed(root string, studies []committed.Study) error {
	for _, s := range studies {
		if s.Verdict == nil {
			if _, err := os.Stat(s.NoteName()); err == nil {
				f.Problems = append(f.Problems, Problem{File: relative(root, s.NoteName()), Text: "there is no " + study.VerdictName + " beside it"})
			}
			continue
		}
		var note bytes.Buffer
		if err := s.Note(&note); err != nil {
			return err
		}
		if err := f.compare(root, s.NoteName(), note.String()); err != nil {
			return err
		}
	}
	dir := filepath.Join(root, "studies")
	table, err := committed.Index(dir, studies)
	if err != nil {
		return err
	}
	return f.compare(root, filepath.Join(dir, committed.IndexName), string(table))
}

// compare notes the first line in which a file is not the text that is printed.
func (f *Finding) compare(root, name, want string) error {
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if string(text) == want {
		return nil
	}
	got, wanted, i := strings.Split(string(text), "\n"), strings.Split(want, "\n"), 0
	for i < min(len(got), len(wanted)) && got[i] == wanted[i] {
		i++
	}
	f.Problems = append(f.Problems, Problem{File: relative(root, name), Line: i + 1, Says: lineOf(got, i),
		Text: fmt.Sprintf("the results print %q here; poolproof try -index studies prints it again", lineOf(wanted, i))})
	return nil
}

// lineOf is a line of a text, "" after its end.
func lineOf(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
