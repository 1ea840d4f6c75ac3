package vetrun

import (
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// explains says which findings on a line follow from another one there: who mends the
// first has mended the others.
var explains = map[string][]string{
	"PV001": {"PV005"},                   // used after the put: the path is not the trouble
	"PV002": {"PV001", "PV005", "PV015"}, // put twice: the second put is a use too
	"PV003": {"PV001", "PV004"},          // returned under a deferred put
	"PV004": {"PV001", "PV005"},
	"PV006": {"PV005", "PV011", "PV012"}, // never put
	"PV007": {"PV008", "PV018", "PV021"}, // another type is put
	"PV008": {"PV013"},                   // the local copy is put
	"PV009": {"PV019"},                   // the pool is overwritten by a copy
	"PV013": {"PV012"},
	"PV016": {"PV005"}, // deferred in a loop
	"PV021": {"PV011", "PV012", "PV017"},
	"PV011": {"PV017"}, // nothing is reset
}

// explained leaves out the findings that another one on the same line explains, unless
// they are graver.
func explained(all []vet.Finding) []vet.Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f vet.Finding) bool {
		return slices.ContainsFunc(all, func(by vet.Finding) bool {
			return by.File == f.File && by.Line == f.Line && by.Tier <= f.Tier && slices.Contains(explains[by.Code], f.Code)
		})
	})
}
