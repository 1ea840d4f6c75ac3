package findcmd

import (
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lifetime"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/candidate"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/own"
)

// leastShare is the part of the bytes or of the objects from which on a site is
// worth a line.
const leastShare = 0.03

// found is the result of a run of find.
type found struct {
	profile    *profile.Profile
	packages   []own.Package // whose benchmarks were profiled
	sources    []string      // profiles that were taken elsewhere
	candidates []candidate.Candidate
	lifetimes  map[*profile.Site]lifetime.Observation // nil: not watched
	watched    time.Duration                          // it took, with the builds
	more       int                                    // sites above leastShare that are not among them
	notes      []string
}

// code is 3 where a benchmark failed that was to be profiled, or else the exit code of
// the error of a package.
func (r *found) code() int {
	code := exitcode.OK
	for _, p := range r.packages {
		code = exitcode.Highest(code, exitcode.Of(p.Err))
		for _, l := range p.Left {
			if l.Failed {
				code = exitcode.Highest(code, exitcode.Build)
			}
		}
	}
	return code
}
