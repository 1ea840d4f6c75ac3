package oas_test

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
)

// foreign are modules whose test data holds documents in JSON and YAML that other
// people wrote.
var foreign = []string{"github.com/pb33f/libopenapi@v0.39.0", "github.com/getkin/kin-openapi@v0.133.0", "github.com/ogen-go/ogen@v1.24.0", "github.com/go-openapi/spec@v1.0.1"}

// Documents of other people, in JSON and in YAML, are written as they were, one
// changed string changes its own line, and random edits can be put into all.
func TestForeignSourcesAreKept(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: documents of other modules, in short mode")
	}
	read, lines, scripts := map[string]int{}, 0, 0
	r := rand.New(rand.NewPCG(5, 6))
	for _, m := range foreign {
		dir := module(t, m)
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			kind := filepath.Ext(path)
			if err != nil || !slices.Contains([]string{".json", ".yaml", ".yml"}, kind) {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil || len(source) > 1<<20 {
				return err
			}
			d, err := oas.Parse(source)
			if err != nil || d.Version() == oas.Unknown {
				return nil
			}
			name := strings.TrimPrefix(path, dir)
			read[kind]++
			if got, err := d.AppendSource(nil); err != nil || !bytes.Equal(got, source) {
				t.Errorf("%s: error %v; %s", name, err, firstDifference(got, source))
			}
			lines += bytes.Count(source, []byte("\n"))
			version := d.Root().Get("openapi")
			if !version.Exists() {
				version = d.Root().Get("swagger")
			}
			if err := version.Replace("9.9.9"); err != nil {
				t.Error(err)
			}
			got, err := d.AppendSource(nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if n := differing(got, source); n != 1 {
				t.Errorf("%s: %d lines change by one string", name, n)
			}
			if len(source) > 200_000 {
				return nil
			}
			for range 4 {
				for range 1 + r.IntN(3) {
					if err := scramble(r, d); err != nil {
						t.Error(err)
					}
				}
				scripts++
				if _, err = d.AppendSource(nil); err != nil {
					t.Errorf("%s: %v", name, err)
					break
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%v documents of %d lines; %d scripts of edits", read, lines, scripts)
}

// differing returns how many lines two texts do not share at the beginning and end.
func differing(a, b []byte) int {
	x, y := strings.Split(string(a), "\n"), strings.Split(string(b), "\n")
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	return max(len(x), len(y))
}
