package vetrun

import (
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// Finding is one report.
type Finding struct {
	Code, Package, Message string // Message without code and name
	Tier                   vet.Tier
	File                   string // absolute
	Line, Col              int
	EndLine, EndCol        int // the end of what is reported; the start where it is not known
	Related                []Location
	Fixes                  []SuggestedFix
}

// Check returns the check that a finding is of, the zero Check if there is none.
func (f *Finding) Check() (c vet.Check) {
	all := vet.Checks()
	if i := slices.IndexFunc(all, func(c vet.Check) bool { return c.Code == f.Code }); i >= 0 {
		c = all[i]
	}
	return c
}

// Location is a place that a finding refers to: the line of the get, of the put
// or of the defer.
type Location struct {
	File      string
	Line, Col int
	Message   string
}

// SuggestedFix is a change that makes a finding go away.
type SuggestedFix struct {
	Message string
	Edits   []Edit
}

// Edit replaces the bytes from Start to End of a file.
type Edit struct {
	File       string
	Start, End int
	New        string
}
