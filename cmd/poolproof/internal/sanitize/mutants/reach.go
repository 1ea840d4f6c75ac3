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

// lines are those of a mutated file that hold an edit's new text.
type lines struct {
	file     string // path in the module
	from, to int
}

// mutated returns where the new texts are, in the mutated files.
func (m mutant) mutated(files map[string]string) (places []lines) {
	for _, e := range m.edits {
		at := strings.Index(files[e.file], e.new)
		if e.new == "" || at < 0 { // a later edit changed it again
			continue
		}
		from := 1 + strings.Count(files[e.file][:at], "\n")
		places = append(places, lines{e.file, from, from + strings.Count(strings.TrimSuffix(e.new, "\n"), "\n")})
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

// reached reports whether the coverage profile has a statement on these lines
// that was run.
func reached(profile, module string, places []lines) (bool, error) {
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
		var from, fromColumn, to, toColumn, statements, count int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &from, &fromColumn, &to, &toColumn, &statements, &count); err != nil {
			return false, fmt.Errorf("%s: %q: %w", profile, in.Text(), err)
		}
		for _, p := range places {
			if file == module+"/"+p.file && count > 0 && from <= p.to && p.from <= to {
				return true, nil
			}
		}
	}
	return false, nil
}
