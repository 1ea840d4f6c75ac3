// Package edit changes the text of Go files at positions of their syntax trees, so
// that everything else keeps its bytes. No file is written: the result goes to the
// go command's -overlay, or into a diff.
package edit

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
)

// Set collects the changes of several files.
type Set struct {
	fset  *token.FileSet
	texts map[string][]byte // original text of the files that change
	edits map[string][]change
	err   error // the first, which Files returns
}

// change replaces the bytes from..to; from == to inserts.
type change struct {
	from, to int
	text     string
	whole    bool // swallows the changes inside of it
}

// New returns an empty set over the files of fset.
func New(fset *token.FileSet) *Set {
	return &Set{fset: fset, texts: map[string][]byte{}, edits: map[string][]change{}}
}

// Replace puts text in place of what stands from one position to another.
func (s *Set) Replace(from, to token.Pos, text string) {
	p := s.fset.PositionFor(from, false)
	s.edits[p.Filename] = append(s.edits[p.Filename], change{from: p.Offset, to: s.fset.PositionFor(to, false).Offset, text: text})
}

// Cut takes out what stands from one position to another, with all changes inside of
// it; and its lines, where nothing but a comment is left of them.
func (s *Set) Cut(from, to token.Pos) {
	at, begin, end := s.span(from, to)
	text := s.texts[at]
	if begin > end {
		return
	}
	head := bytes.LastIndexByte(text[:begin], '\n') + 1
	tail := len(text)
	if i := bytes.IndexByte(text[end:], '\n'); i >= 0 {
		tail = end + i + 1
	}
	if after := bytes.TrimLeft(text[end:tail], " \t"); bytes.HasPrefix(after, []byte(";")) {
		end = tail - len(after) + 1
	}
	rest := bytes.TrimSpace(text[end:tail])
	if len(bytes.TrimSpace(text[head:begin])) == 0 && (len(rest) == 0 || bytes.HasPrefix(rest, []byte("//"))) {
		begin, end = head, tail
	}
	s.edits[at] = append(s.edits[at], change{from: begin, to: end, whole: true})
}

// Swap puts text in place of what stands from one position to another, with all changes
// inside of it.
func (s *Set) Swap(from, to token.Pos, text string) {
	p := s.fset.PositionFor(from, false)
	s.edits[p.Filename] = append(s.edits[p.Filename], change{from: p.Offset, to: s.fset.PositionFor(to, false).Offset, text: text, whole: true})
}

// Node puts text in place of a node.
func (s *Set) Node(n ast.Node, text string) { s.Replace(n.Pos(), n.End(), text) }

// Code returns the source text of a node; "" where the file changed since it was parsed.
func (s *Set) Code(n ast.Node) string {
	name, from, to := s.span(n.Pos(), n.End())
	if from > to {
		return ""
	}
	return string(s.texts[name][from:to])
}

// span is a part of a file, whose text it reads; from is above to where the file does not have the part.
func (s *Set) span(from, to token.Pos) (name string, begin, end int) {
	at, end := s.fset.PositionFor(from, false), s.fset.PositionFor(to, false).Offset
	if text := s.text(at.Filename); at.Offset > end || end > len(text) {
		s.err = cmp.Or(s.err, fmt.Errorf("%s changed while it was read", at.Filename))
		return at.Filename, 1, 0
	}
	return at.Filename, at.Offset, end
}

func (s *Set) text(name string) []byte {
	if _, ok := s.texts[name]; !ok {
		text, err := os.ReadFile(name)
		s.texts[name], s.err = text, cmp.Or(s.err, err)
	}
	return s.texts[name]
}

// Files returns the changed files by absolute name. Two changes of the same place
// are an error.
func (s *Set) Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, edits := range s.edits {
		text := s.text(name)
		if s.err != nil {
			return nil, s.err
		}
		edits = slices.Clone(edits)
		slices.SortStableFunc(edits, func(a, b change) int {
			if a.whole != b.whole && a.from == b.from {
				return cmp.Compare(b.to, a.to)
			}
			return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
		})
		var out []byte
		last, cut := 0, 0 // ends of the last change, and of the last whole one
		for i, e := range edits {
			if i > 0 && e == edits[i-1] || e.to <= cut {
				continue // asked for twice, or gone
			}
			if e.whole {
				cut = e.to
			}
			if e.from < last || e.to > len(text) {
				return nil, fmt.Errorf("%s: two changes meet at byte %d", name, e.from)
			}
			out = append(append(out, text[last:e.from]...), e.text...)
			last = e.to
		}
		files[name] = append(out, text[last:]...)
	}
	return files, nil
}

// Diff returns the unified diff from the old texts of files to the new ones, with
// names relative to root, in the form that git apply takes. An empty new text
// means that the file goes.
func Diff(root string, read func(name string) ([]byte, error), files map[string][]byte) (string, error) {
	var all []byte
	for _, name := range slices.Sorted(maps.Keys(files)) {
		old, err := read(name)
		if err != nil {
			return "", err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return "", err
		}
		rel = filepath.ToSlash(rel)
		all = append(all, diff.Diff("a/"+rel, old, "b/"+rel, files[name])...)
	}
	return string(all), nil
}
