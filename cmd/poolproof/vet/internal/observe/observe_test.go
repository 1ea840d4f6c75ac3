package observe_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checktest"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
)

// Each file is about one part of the analysis. All checks look at it; those of the
// tier audit only if its name says so.
func TestReportsOfSources(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "audit") {
				checktest.Set(t, "tier", "audit")
			}
			checktest.Set(t, "explained", "true") // each file says what each check finds
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			sourcetest.Run(t, string(source), vet.Checks()...)
		})
	}
}
