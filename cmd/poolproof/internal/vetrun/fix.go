package vetrun

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// rounds is how often fixes are applied again. Fixes that touch each other wait
// for the next round.
const rounds = 8

// Fixed lists the changes of a run with fixes.
type Fixed struct {
	Findings int      // that are gone by their fixes
	Files    []string // that were written, in order
}

// Fix runs the checks and applies the first fix of each finding, again and again
// until none is left, and returns what remains. Files of packages that do not
// belong to a main module are left alone, as are fixes that overlap. Where
// packages that compiled do not do so any more, or it is not known, because the run
// was interrupted, all files are put back.
func Fix(ctx context.Context, o Options) (*Result, Fixed, error) {
	var done Fixed
	originals := map[string][]byte{}
	r, err := Run(ctx, o)
	for range rounds {
		if err != nil {
			break
		}
		changed, n, failed := r.fixes()
		if failed != nil {
			err = failed
			break
		}
		if n == 0 {
			break
		}
		for _, file := range slices.Sorted(maps.Keys(changed)) {
			c := changed[file]
			if _, ok := originals[file]; !ok {
				originals[file] = c.before
			}
			if err := write(file, c.after); err != nil {
				return nil, done, errors.Join(err, restore(originals))
			}
		}
		done.Findings += n
		broken := len(r.Broken)
		if r, err = Run(ctx, o); err == nil && len(r.Broken) > broken {
			return r, Fixed{}, errors.Join(fault.Errorf(fault.Defect,
				"with the fixes the code does not compile (%s): all files are as they were before; this is a defect of poolproof", r.Broken[0]), restore(originals))
		}
	}
	if err != nil {
		return nil, Fixed{}, errors.Join(err, restore(originals))
	}
	done.Files = slices.Sorted(maps.Keys(originals))
	return r, done, nil
}

// Diff returns what Fix would change first, as a patch in unified form. name
// gives each file the name that it has in there.
func (r *Result) Diff(name func(string) string) ([]byte, error) {
	changed, _, err := r.fixes()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, file := range slices.Sorted(maps.Keys(changed)) {
		c := changed[file]
		out.Write(diff.Diff("a/"+name(file), c.before, "b/"+name(file), c.after))
	}
	return out.Bytes(), nil
}

// change is a file before and after its fixes.
type change struct{ before, after []byte }

// fixes puts the first fixes of all findings together, without those that
// overlap with an earlier one, and counts them.
func (r *Result) fixes() (map[string]change, int, error) {
	taken := map[string][]Edit{}
	n := 0
	for _, f := range r.Findings {
		if len(f.Fixes) == 0 || !r.fits(taken, f.Fixes[0].Edits) {
			continue
		}
		for _, e := range f.Fixes[0].Edits {
			taken[e.File] = append(taken[e.File], e)
		}
		n++
	}
	changed := map[string]change{}
	for _, file := range slices.Sorted(maps.Keys(taken)) {
		before, err := os.ReadFile(file)
		if err != nil {
			return nil, 0, fault.Option("fix", "", "%w", err)
		}
		after, err := apply(before, taken[file])
		if err != nil {
			return nil, 0, fault.Option("fix", "", "%s: %w", file, err)
		}
		changed[file] = change{before, after}
	}
	return changed, n, nil
}

// fits reports whether the edits are in files that may be changed, and touch
// none of those taken so far.
func (r *Result) fits(taken map[string][]Edit, edits []Edit) bool {
	for _, e := range edits {
		if !r.own[filepath.Dir(e.File)] {
			return false
		}
		if slices.ContainsFunc(taken[e.File], func(t Edit) bool {
			return e.Start < t.End && t.Start < e.End || e.Start == t.Start // two insertions have no order
		}) {
			return false
		}
	}
	return len(edits) > 0
}

// apply makes the edits, and formats what was formatted before.
func apply(before []byte, edits []Edit) ([]byte, error) {
	edits = slices.SortedFunc(slices.Values(edits), func(a, b Edit) int { return cmp.Compare(a.Start, b.Start) })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(before) {
			return nil, fmt.Errorf("the fix of bytes %d to %d does not fit a file of %d bytes: was it changed meanwhile?", e.Start, e.End, len(before))
		}
		out.Write(before[at:e.Start])
		out.WriteString(e.New)
		at = e.End
	}
	out.Write(before[at:])
	if formatted, err := format.Source(before); err != nil || !bytes.Equal(formatted, before) {
		return out.Bytes(), nil
	}
	return format.Source(out.Bytes())
}

// write replaces the text of a file and keeps its mode.
func write(file string, text []byte) error {
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, info.Mode().Perm())
}

// restore puts files back.
func restore(originals map[string][]byte) error {
	var errs []error
	for _, file := range slices.Sorted(maps.Keys(originals)) {
		errs = append(errs, write(file, originals[file]))
	}
	return errors.Join(errs...)
}
