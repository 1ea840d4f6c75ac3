package trycmd

import (
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// again is a question of an earlier sitting with what this one chooses.
func (f *tryFlags) again(q study.Question) study.Question {
	if f.given["budget"] {
		q.Budget = f.Budget
	}
	if f.given["timeout"] {
		q.Timeout = f.Timeout
	}
	return q
}

// missing reports whether the folder that the question names is not there, as
// seen from here. An import path is none, and a revision may have a folder that
// the working tree has not.
func missing(q study.Question) bool {
	if q.Path == "" || q.Head != "" || q.Kind != study.KindStudy && !build.IsFolder(q.Path) {
		return false
	}
	_, err := os.Stat(q.Path)
	return err != nil
}
