package mutants

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/rt"
)

// codeOf names the code of the sanitizer that runs in the tests of a mode. A
// result that another code gave says nothing of this one.
func codeOf(mode suite.Mode) string {
	if mode != suite.Fast && mode != suite.Exact {
		return ""
	}
	return ours()
}

var ours = sync.OnceValue(func() string {
	sum, err := sumOf(core.Source, rt.Source)
	if err != nil {
		panic(err) // files that are part of this program cannot be missing
	}
	return sum
})

// sumOf is a short sum of the names and texts of all files that are no tests.
func sumOf(sources ...fs.ReadFileFS) (string, error) {
	h := sha256.New()
	for _, source := range sources {
		err := fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go") {
				return err
			}
			text, err := source.ReadFile(name)
			fmt.Fprintf(h, "%q %q\n", name, text)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8]), nil
}
