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
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/diff"
)

// Set collects the changes of several files.
type Set struct {
	fset  *token.FileSet
	read  func(name string) ([]byte, error)
	texts map[string][]byte // original text of the files that change
	edits map[string][]change
}

// change replaces the bytes from..to; from == to inserts.
type change struct {
	from, to int
	text     string
	whole    bool // swallows the changes inside of it
}

// New returns an empty set over the files of fset, whose text comes from read.
func New(fset *token.FileSet, read func(name string) ([]byte, error)) *Set {
	return &Set{fset: fset, read: read, texts: map[string][]byte{}, edits: map[string][]change{}}
}

// Replace puts text in place of what stands from one position to another.
func (s *Set) Replace(from, to token.Pos, text string) {
	p := s.fset.PositionFor(from, false)
	s.edits[p.Filename] = append(s.edits[p.Filename], change{from: p.Offset, to: s.fset.PositionFor(to, false).Offset, text: text})
}

// Cut takes out what stands from one position to another, with all changes inside of
// it; and its lines, where nothing but a comment is left of them.
func (s *Set) Cut(from, to token.Pos) error {
	at, end := s.fset.PositionFor(from, false), s.fset.PositionFor(to, false).Offset
	text, err := s.text(at.Filename)
	if err != nil {
		return err
	}
	begin := at.Offset
	if end > len(text) || begin > end {
		return fmt.Errorf("%s changed while it was read", at.Filename)
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
	s.edits[at.Filename] = append(s.edits[at.Filename], change{from: begin, to: end, whole: true})
	return nil
}

// Swap puts text in place of what stands from one position to another, with all changes
// inside of it.
func (s *Set) Swap(from, to token.Pos, text string) {
	p := s.fset.PositionFor(from, false)
	s.edits[p.Filename] = append(s.edits[p.Filename], change{from: p.Offset, to: s.fset.PositionFor(to, false).Offset, text: text, whole: true})
}

// Node puts text in place of a node.
func (s *Set) Node(n ast.Node, text string) { s.Replace(n.Pos(), n.End(), text) }

// Code returns the source text of a node.
func (s *Set) Code(n ast.Node) (string, error) {
	from, to := s.fset.PositionFor(n.Pos(), false), s.fset.PositionFor(n.End(), false)
	text, err := s.text(from.Filename)
	if err != nil {
		return "", err
	}
	if to.Offset > len(text) || from.Offset > to.Offset {
		return "", fmt.Errorf("%s changed while it was read", from.Filename)
	}
	return string(text[from.Offset:to.Offset]), nil
}

func (s *Set) text(name string) ([]byte, error) {
	if text, ok := s.texts[name]; ok {
		return text, nil
	}
	text, err := s.read(name)
	if err == nil {
		s.texts[name] = text
	}
	return text, err
}

// Files returns the changed files by absolute name. Two changes of the same place
// are an error.
func (s *Set) Files() (map[string][]byte, error) {
	files := map[string][]byte{}
	for name, edits := range s.edits {
		text, err := s.text(name)
		if err != nil {
			return nil, err
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
