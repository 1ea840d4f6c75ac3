// Package studyfile reads study.toml, and says of each mistake where it stands and
// what the correct form is.
package studyfile

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Read reads a study file. A directory stands for the FileName in it.
//
// The result is complete and consistent: every name that it mentions exists,
// every word is known, Matrix and Threshold can be parsed, and Package is "."
// where the file leaves it out. Otherwise the error joins everything that is
// wrong, in the order of the file, each as
//
//	file:line:col: what is wrong; what to do
//
// A file that is not TOML gives one error, at the place where the syntax ends.
func Read(path string) (study.File, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, study.FileName)
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return study.File{}, fmt.Errorf("%s: no such file; name a study file, or a directory that holds a %s", path, study.FileName)
	}
	if err != nil {
		return study.File{}, err
	}
	f, problems := parse(data)
	if len(problems) == 0 {
		problems = checkFolders(f, filepath.Dir(path))
	}
	if len(problems) > 0 {
		return study.File{}, problems.join(path)
	}
	f.Path = relative(path)
	return f.File, nil
}

// parsed is a study file with the places of its parts.
type parsed struct {
	study.File
	places
}

// parse decodes and checks a study file. The file is usable when there are no
// problems.
func parse(data []byte) (parsed, problems) {
	doc, found := locate(data)
	p := parsed{places: doc}
	if slices.ContainsFunc(found, func(p problem) bool { return p.fatal }) {
		return p, found
	}
	if err := toml.Unmarshal(data, &p.File); err != nil {
		// The syntax and the types are right, so this is a key or a table
		// which stands there twice.
		return p, append(found, decodeProblem(err))
	}
	p.Package = cmp.Or(p.Package, ".")
	found = append(found, p.only()...)
	found = append(found, check(p)...)
	slices.SortStableFunc(found, func(a, b problem) int { return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col)) })
	return p, found
}

// only turns the arms that a benchmark names into those that it skips.
func (p parsed) only() (found problems) {
	for i, b := range p.Benchmarks {
		if b.Arms == nil {
			continue
		}
		if b.Skip != nil {
			found.add(p.at("benchmark", i, "skip"), "skip and arms exclude each other; name the arms that %q has, or those that it skips", b.Name)
		}
		for _, a := range p.File.Arms {
			if a.Name != p.Baseline && !slices.Contains(b.Arms, a.Name) {
				p.Benchmarks[i].Skip = append(p.Benchmarks[i].Skip, a.Name)
			}
		}
	}
	return found
}

// decodeProblem is an error of the TOML decoder.
func decodeProblem(err error) problem {
	pb := problem{place: place{1, 1}, text: strings.TrimPrefix(err.Error(), "toml: ") + "; correct the TOML there"}
	if e, ok := errors.AsType[*toml.DecodeError](err); ok {
		pb.line, pb.col = e.Position()
	}
	return pb
}

// relative is path relative to the working directory, with slashes, so that a
// committed report names the same file on every machine.
func relative(path string) string {
	if filepath.IsAbs(path) {
		if wd, err := os.Getwd(); err == nil {
			if rel, err := filepath.Rel(wd, path); err == nil {
				path = rel
			}
		}
	}
	return filepath.ToSlash(filepath.Clean(path))
}

// place is a position in a study file. Lines and columns count from 1,
// columns in bytes.
type place struct{ line, col int }

// problem is one thing that is wrong in a study file.
type problem struct {
	place
	text  string // "what is wrong; what to do"
	fatal bool   // the file cannot be decoded
}

type problems []problem

func (ps *problems) add(at place, format string, args ...any) {
	*ps = append(*ps, problem{place: at, text: fmt.Sprintf(format, args...)})
}

func (ps *problems) addFatal(at place, format string, args ...any) {
	*ps = append(*ps, problem{place: at, text: fmt.Sprintf(format, args...), fatal: true})
}

func (ps problems) join(file string) error {
	errs := make([]error, len(ps))
	for i, p := range ps {
		errs[i] = fmt.Errorf("%s:%d:%d: %s", file, p.line, p.col, p.text)
	}
	return errors.Join(errs...)
}
