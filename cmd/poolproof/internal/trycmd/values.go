package trycmd

import (
	"errors"
	"regexp"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// span is a flag value such as 30s.
type span time.Duration

func (s *span) String() string { return time.Duration(*s).String() }

func (s *span) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil {
		return errors.New("write a number with its unit, such as 30s, 5m or 1m30s")
	}
	*s = span(d)
	return nil
}

// thresholds is a flag value such as 2% or time=3%,bytes=1%.
type thresholds study.Question

func (t *thresholds) String() string { return study.Question(*t).Thresholds() }

func (t *thresholds) Set(s string) error { return (*study.Question)(t).SetThresholds(s) }

// checkBench refuses what testing refuses: each element of a pattern, between
// slashes and bars that stand outside of brackets, is a regular expression.
func checkBench(pattern string) error {
	for _, alternative := range build.SplitOutside(pattern, '|') {
		for _, element := range build.SplitOutside(alternative, '/') {
			if _, err := regexp.Compile(element); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkMatrix refuses a matrix that has no cells. A study also names variables
// of its own.
func checkMatrix(matrix string, kind study.Kind) error {
	_, err := study.Cells(matrix)
	if err == nil && kind != study.KindStudy {
		err = study.CheckNames(matrix)
	}
	return err
}
