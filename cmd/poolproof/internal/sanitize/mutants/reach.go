package main

import (
	"bufio"
	"fmt"
	"os"
	"path"
	"strings"
)

// A mutant whose text no test runs proves nothing, so the plain run asks for
// the coverage of the mutated packages.

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
