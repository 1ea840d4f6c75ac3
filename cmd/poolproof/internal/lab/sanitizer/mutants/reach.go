package mutants

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
)

// A mutant whose text no test runs proves nothing, so the tests run once more
// with coverage: of the module as it is, because go test -cover does not look at
// what -overlay puts in the place of a file.

// reaches runs the tests of the module as it is and reports whether they run
// the text that the mutant replaces.
func (x *experiment) reaches(ctx context.Context, h host, m mutant, run suite.Run, profile string) (bool, error) {
	places, err := m.places(run.Dir)
	if err != nil {
		return false, err
	}
	run.Args = slices.Concat(h.args, m.coverFlags(profile))
	o, err := run.In(ctx, suite.Plain)
	if err != nil {
		return false, err
	}
	if failed := o.Failed(); len(failed) > 0 {
		return false, fmt.Errorf("the module as it is fails with coverage: %s", strings.Join(failed, ", "))
	}
	return reached(profile, h.module.Path, places)
}

// A place is a part of a file that holds an edit's old text: the bytes
// from one position up to another.
type place struct {
	file     string // path in the module
	from, to position
}

type position struct{ line, column int }

func (p position) before(o position) bool {
	return p.line < o.line || p.line == o.line && p.column < o.column
}

// at returns the position of a byte of a text, as the coverage tool counts.
func at(text string, i int) position {
	before := text[:i]
	return position{1 + strings.Count(before, "\n"), i - strings.LastIndexByte(before, '\n')}
}

// places returns where the old texts are, in the files of a folder. The spaces
// around them belong to whatever stands there.
func (m mutant) places(dir string) (places []place, err error) {
	for _, e := range m.edits {
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(e.file)))
		if err != nil {
			return nil, err
		}
		text, old := string(b), strings.TrimSpace(e.old)
		i := strings.Index(text, e.old)
		if old == "" || i < 0 { // an earlier edit makes it
			continue
		}
		i += strings.Index(e.old, old)
		places = append(places, place{e.file, at(text, i), at(text, i+len(old))})
	}
	return places, nil
}

// coverFlags ask for the coverage of the mutated packages.
func (m mutant) coverFlags(profile string) []string {
	var packages []string
	for _, e := range m.edits {
		packages = append(packages, "./"+path.Dir(e.file))
	}
	return []string{"-coverprofile=" + profile, "-coverpkg=" + strings.Join(packages, ",")}
}

// reached reports whether the coverage profile has a block that was run and that
// holds a part of one of the places.
func reached(profile, module string, places []place) (bool, error) {
	f, err := os.Open(profile)
	if err != nil {
		return false, err
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		file, rest, ok := strings.Cut(in.Text(), ":")
		if !ok || file == "mode" {
			continue
		}
		var from, to position
		var statements, count int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &from.line, &from.column, &to.line, &to.column, &statements, &count); err != nil {
			return false, fmt.Errorf("%s: %q: %w", profile, in.Text(), err)
		}
		for _, p := range places {
			if file == module+"/"+p.file && count > 0 && from.before(p.to) && p.from.before(to) {
				return true, nil
			}
		}
	}
	return false, nil
}
