package vetrun

import (
	"cmp"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/places"
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
	File    string `json:"file"`
	Line    int    `json:"line"`
	Col     int    `json:"column"`
	Message string `json:"message"`
}

// places returns where a finding is, and then what it refers to.
func (f *Finding) places() []Location {
	list := []Location{{File: f.File, Line: f.Line, Col: f.Col}}
	for _, at := range f.Related {
		list = append(list, Location{File: at.File, Line: at.Line, Col: at.Col})
	}
	return list
}

// SuggestedFix is a change that makes a finding go away.
type SuggestedFix struct {
	Message string `json:"message"`
	Edits   []Edit `json:"edits"`
}

// Edit replaces the bytes from Start to End of a file.
type Edit struct {
	File  string `json:"file"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	New   string `json:"new"`
}

// explained leaves out the findings that another one explains, unless they are graver. The analysis does the same; here it is done among those that were
// asked for, so that one analysis, which the go command keeps, serves every question.
func explained(all []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f Finding) bool {
		return slices.ContainsFunc(all, func(by Finding) bool {
			check := by.Check()
			near := by.File == f.File && by.Line == f.Line || places.Tells(by.places(), f.places())
			return by.Tier <= f.Tier && check.Explains(f.Code, near)
		})
	})
}

// gravity is the checks by what their findings do to a program, the worst first: memory
// with two owners, then a panic, then data of the last user, then a pool that does not do
// its work, then remarks for a review.
var gravity = []string{
	"PV002", "PV001", "PV003", "PV004", "PV022", "PV014", "PV019", "PV009",
	"PV007", "PV018",
	"PV021", "PV015", "PV011",
	"PV006", "PV005", "PV016", "PV010", "PV013", "PV008",
	"PV020", "PV017", "PV012", "PV000",
}

// Gravest returns the finding that a reader should look at first: the first one of the
// worst kind in the highest tier. The list must not be empty.
func Gravest(list []Finding) Finding {
	return slices.MinFunc(list, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Tier, b.Tier),
			cmp.Compare(slices.Index(gravity, a.Code), slices.Index(gravity, b.Code)),
		)
	})
}
