package vetrun

import (
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// explained leaves out the findings that another one on the same line explains, unless
// they are graver. The analysis does the same; here it is done among those that were
// asked for, so that one analysis, which the go command keeps, serves every question.
func explained(all []vet.Finding) []vet.Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f vet.Finding) bool {
		return slices.ContainsFunc(all, func(by vet.Finding) bool {
			return by.File == f.File && by.Line == f.Line && by.Tier <= f.Tier && vet.Explains(by.Code, f.Code)
		})
	})
}
