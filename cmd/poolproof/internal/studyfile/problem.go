package studyfile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

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

func (ps problems) fatal() bool {
	return slices.ContainsFunc(ps, func(p problem) bool { return p.fatal })
}

// sort brings the problems into the order of the file.
func (ps problems) sort() {
	slices.SortStableFunc(ps, func(a, b problem) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.col, b.col))
	})
}

func (ps problems) join(file string) error {
	errs := make([]error, len(ps))
	for i, p := range ps {
		errs[i] = fmt.Errorf("%s:%d:%d: %s", file, p.line, p.col, p.text)
	}
	return errors.Join(errs...)
}
