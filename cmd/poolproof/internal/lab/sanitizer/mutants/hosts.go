package mutants

import (
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
)

// host is a module whose tests run on mutants of it.
type host struct {
	module   suite.Module
	packages []string // whose tests run
	args     []string // flags of go test
	mutants  []mutant
}

// mutant is a misuse of a pool: each edit's old text, found once in its file,
// is replaced by its new text.
type mutant struct {
	name  string
	edits []edit
}

type edit struct{ file, old, new string }

// swap is a mutant that puts two pieces of code that follow each other in the
// other order.
func swap(name, file, first, second string) mutant {
	return one(name, file, first+second, second+first)
}

func one(name, file, old, new string) mutant {
	return mutant{name, []edit{{file, old, new}}}
}
