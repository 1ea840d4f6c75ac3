package facts_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/facts"
)

// The comments of the packages say what must be learned of their functions, one
// fact for each exported function that does anything with pooled objects.
func TestFactsOfFunctions(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), facts.Analyzer, "a", "b")
}
