package experiment

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
)

// Words without which no file has a pool that the sanitizer could watch.
var poolWords = [][]byte{[]byte("sync.Pool"), []byte("poolproof/mark")}

// usesPools reports whether a package of the binary outside of the standard
// library mentions a pool. It reads text, and takes a comment for a mention. What
// only the standard library pools, as in a call of fmt, is not a reason to watch.
func (t *target) usesPools(ctx context.Context) (bool, error) {
	const format = `{{if not .Standard}}{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}	{{.}}
{{end}}{{range .CgoFiles}}{{$dir}}	{{.}}
{{end}}{{end}}`
	args := []string{"list", "-deps", "-test", "-f", format}
	if t.tags != "" {
		args = append(args, "-tags="+t.tags)
	}
	out, err := t.chain.Go(ctx, t.pkg.Dir, append(args, ".")...)
	if err != nil {
		return false, err
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		dir, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if !ok || seen[name] {
			continue
		}
		seen[name] = true
		text, err := os.ReadFile(name)
		if err != nil {
			return false, exitcode.Errorf(exitcode.Usage, "%w", err)
		}
		for _, word := range poolWords {
			if bytes.Contains(text, word) {
				return true, nil
			}
		}
	}
	return false, nil
}
