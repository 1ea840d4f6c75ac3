package vetrun

import (
	"slices"
)

// explained leaves out the findings that another one on the same line explains, unless
// they are graver. The analysis does the same; here it is done among those that were
// asked for, so that one analysis, which the go command keeps, serves every question.
func explained(all []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f Finding) bool {
		return slices.ContainsFunc(all, func(by Finding) bool {
			check := by.Check()
			return by.File == f.File && by.Line == f.Line && by.Tier <= f.Tier && check.Explains(f.Code)
		})
	})
}
