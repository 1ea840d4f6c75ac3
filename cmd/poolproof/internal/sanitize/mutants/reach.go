package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/modules/suite"
)

// A mutant whose text no test runs proves nothing, so the tests run once more
// with the coverage of the mutated packages. It is a run of its own: the counters
// of the coverage change what the compiler makes of the code, and with it what
// comes of a stale pointer.

// reaches runs the tests with coverage and reports whether they run the mutated
// text. A test binary that dies leaves no profile, and has run the mutant.
func (x *experiment) reaches(ctx context.Context, h host, m mutant, run suite.Run, profile string) (bool, error) {
	files, err := m.text(run.Dir)
	if err != nil {
		return false, err
	}
	run.Args = slices.Concat(run.Args, m.coverFlags(profile))
	o, err := run.In(ctx, suite.Plain)
	if err != nil {
		return false, err
	}
	yes, err := reached(profile, h.module.Path, m.mutated(files))
	if err != nil {
		return len(o.Failed()) > 0, nil
	}
	return yes, nil
}

// A place is a part of a mutated file that holds an edit's new text: the bytes
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

// mutated returns where the new texts are, in the mutated files. The spaces
// around them belong to whatever stands there.
func (m mutant) mutated(files map[string]string) (places []place) {
	for _, e := range m.edits {
		text, now := files[e.file], strings.TrimSpace(e.new)
		i := strings.Index(text, e.new)
		if now == "" || i < 0 { // a later edit changed it again
			continue
		}
		i += strings.Index(e.new, now)
		places = append(places, place{e.file, at(text, i), at(text, i+len(now))})
	}
	return places
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
