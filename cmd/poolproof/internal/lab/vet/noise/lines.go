package noise

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Lines counts the lines that hold Go code, comments and blank lines left out, in
// the files of a tree that are not tests: those of all files, and of the generated ones
// among them, in which nothing is reported. Folders that the go command leaves out
// of ./... are left out, and modules inside the module.
func Lines(dir string) (total, generated int, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path == dir {
				return nil
			}
			if name == "testdata" || name == "vendor" || name == "cmd" && filepath.Base(dir) == "src" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		n := codeLines(src)
		total += n
		if generatedFile.Match(src) {
			generated += n
		}
		return nil
	})
	return total, generated, err
}

// generatedFile is the line that generated files have.
var generatedFile = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// codeLines counts the lines of a file that hold tokens.
func codeLines(src []byte) (n int) {
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	last := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return n
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		first := file.Line(pos)
		end := first + strings.Count(lit, "\n") // raw strings
		for line := max(first, last+1); line <= end; line++ {
			n++
		}
		last = max(last, end)
	}
}
