package campaign

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// wholeSources is the package of the questions about whole costs.
//
//go:embed testdata/whole/*.go
var wholeSources embed.FS

const (
	wholeFolder = "testdata/whole"
	// wholeMod makes the package a module of its own. No proxy serves it.
	wholeMod = "module poolproof.local/whole\n\ngo 1.24\n"
)

// A draw is a set of pairs that was written at one time, and is measured as one
// module. Its name is that of the flag -whole.
type draw string

const (
	firstDraw   draw = "first"
	clockDraw   draw = "clocks"
	garbageDraw draw = "garbage"
)

var allDraws = []draw{firstDraw, clockDraw, garbageDraw}

// has reports whether a file belongs to the draw.
func (d draw) has(name string) bool {
	switch name {
	case "whole.go", "pair_test.go": // what all pairs need
		return true
	case "clocks_test.go":
		return d == clockDraw
	case "garbage_test.go":
		return d == garbageDraw
	}
	return d == firstDraw
}

// extract writes the module of the draw into dir.
func (d draw) extract(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(wholeMod), 0o666); err != nil {
		return err
	}
	return d.each(func(name string, text []byte) error {
		return os.WriteFile(filepath.Join(dir, name), text, 0o666)
	})
}

// digest identifies the pairs.
func (d draw) digest() string {
	h := sha256.New()
	d.each(func(name string, text []byte) error {
		_, err := fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
		return err
	})
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// each calls f with each file of the draw, by name.
func (d draw) each(f func(name string, text []byte) error) error {
	entries, err := fs.ReadDir(wholeSources, wholeFolder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !d.has(e.Name()) {
			continue
		}
		text, err := wholeSources.ReadFile(path.Join(wholeFolder, e.Name()))
		if err != nil {
			return err
		}
		if err := f(e.Name(), text); err != nil {
			return err
		}
	}
	return nil
}

// ask asks as a user does, padded builds included: by a run with a folder of its
// own, which another rule can judge again. The sanitizer has no say in a time.
func (c *campaign) ask(ctx context.Context, t Task) (Result, error) {
	h := fnv.New64a()
	h.Write([]byte(t.ID))
	dir := c.o.runOf(t.ID)
	// A run that a sitting did not end begins again.
	if err := os.RemoveAll(dir); err != nil {
		return Result{}, err
	}
	q := study.DefaultQuestion()
	q.Kind, q.Path, q.Key, q.Baseline, q.Bench = study.KindVary, c.src, "way", "old", t.pattern()
	q.Budget, q.Timeout, q.Seed, q.Sanitize = t.Budget, c.o.Timeout, h.Sum64(), false
	if len(t.Cell) > 0 {
		q.Matrix = t.Cell[0]
	}
	start := time.Now()
	out, err := experiment.Run(ctx, experiment.Options{Question: q, Out: dir, Progress: progress.Quiet()})
	if err != nil {
		return Result{}, err
	}
	if len(out.Verdict.Results) != 1 {
		return Result{}, fmt.Errorf("%s: %d comparisons instead of one", t.ID, len(out.Verdict.Results))
	}
	r := resultOf(out.Verdict.Results[0])
	r.Whole = study.Duration(time.Since(start))
	return r, os.RemoveAll(filepath.Join(dir, "bin"))
}

// runOf is the folder of the run of a question.
func (o Options) runOf(id string) string {
	name := filepath.Base(logOf("", id))
	return filepath.Join(o.Dir, launches, name[:len(name)-len(filepath.Ext(name))])
}
