// Package mutate builds a package with a small error in it, to show that tests
// notice the error. The tree is not touched: the compiler sees the changed text
// through an overlay. [Test] builds one mutant. [Kill] compiles the mutants of a
// package together, into one test binary that is told which of them it is.
package mutate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Edit is one change of the source: of text that stands exactly once in a file or,
// if Func is set, of a place in a function that [Operator] names. The second form
// survives a change of names and of layout.
type Edit struct {
	File     string // slash-separated, from the root that is given with it
	Old, New string

	// Func is a function, as "New" or "Buffer.Resize"; File is then the folder of
	// its package, and Operator says what is changed: see [Operators].
	Func, Operator string
}

// In returns edits of one file, from pairs of old and new text.
func In(file string, texts ...string) []Edit {
	var edits []Edit
	for i := 0; i+1 < len(texts); i += 2 {
		edits = append(edits, Edit{File: file, Old: texts[i], New: texts[i+1]})
	}
	return edits
}

// Texts returns the changed files by their absolute paths. It is an error if the
// text of an edit is not there, or more than once: the edit must follow the
// source.
func Texts(root string, edits []Edit) (map[string]string, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	texts := make(map[string]string)
	for _, e := range edits {
		path := filepath.Join(root, filepath.FromSlash(e.File))
		if e.Func != "" {
			file, text, err := operate(path, texts, e.Func, e.Operator)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", e.File, err)
			}
			texts[file] = text
			continue
		}
		text, changed := texts[path]
		if !changed {
			read, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			text = string(read)
		}
		if n := strings.Count(text, e.Old); n != 1 {
			return nil, fmt.Errorf("%s has %d places like %q, want 1", e.File, n, e.Old)
		}
		texts[path] = strings.Replace(text, e.Old, e.New, 1)
	}
	return texts, nil
}

// Overlay writes the changed files into a folder, and beside them the file for
// the go command's flag -overlay, whose name it returns.
func Overlay(dir, root string, edits []Edit) (file string, err error) {
	texts, err := Texts(root, edits)
	if err != nil {
		return "", err
	}
	return write(dir, texts)
}

// write writes the texts of files, by their absolute paths, as Overlay does.
func write(dir string, texts map[string]string) (file string, err error) {
	replace := make(map[string]string)
	for path, text := range texts {
		changed := filepath.Join(dir, fmt.Sprintf("%d_%s", len(replace), filepath.Base(path)))
		if err := os.WriteFile(changed, []byte(text), 0o600); err != nil {
			return "", err
		}
		replace[path] = changed
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file = filepath.Join(dir, "overlay.json")
	return file, os.WriteFile(file, list, 0o600)
}

// Mutant is a small error that tests must notice.
type Mutant struct {
	Name  string
	Edits []Edit
	Tests string // the package whose tests must notice it, as "./flow"
}
