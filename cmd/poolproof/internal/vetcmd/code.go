package vetcmd

import (
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetrun"
)

// vetCode is the exit code of an analysis. A package that the analysis itself
// cannot deal with is a setting that does not work.
func vetCode(r *vetrun.Result) int {
	codes := []int{exitcode.OK}
	if len(r.Findings) > 0 {
		codes = append(codes, exitcode.Findings)
	}
	if len(r.Broken) > 0 {
		codes = append(codes, exitcode.Build)
	}
	if len(r.Failed) > 0 {
		codes = append(codes, exitcode.Usage)
	}
	return exitcode.Highest(codes...)
}
