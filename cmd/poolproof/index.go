package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/report"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// indexName is the name of the table of all studies in their folder.
const indexName = "README.md"

// tryIndex writes the table of the studies below a folder.
func tryIndex(dir string) (int, error) {
	text, err := index(dir)
	if err != nil {
		return exitcode.Usage, err
	}
	name := filepath.Join(dir, indexName)
	err = study.WriteFile(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return exitcode.Usage, exitcode.Errorf(exitcode.Usage, "-index: %w", err)
	}
	fmt.Fprintln(os.Stderr, "wrote", name)
	return exitcode.OK, nil
}

// index renders the table of the studies below a folder, in the order of their
// names: from the study files and the committed results, and nothing else.
func index(dir string) ([]byte, error) {
	dirs, err := studiesBelow(dir)
	if err != nil {
		return nil, err
	}
	var entries []report.Entry
	home := nameOf(dir)
	for _, d := range dirs {
		file, err := study.Read(d)
		if err != nil {
			return nil, exitcode.Errorf(exitcode.Usage, "-index: %w", err)
		}
		rel, err := filepath.Rel(dir, d)
		if err != nil {
			return nil, exitcode.Errorf(exitcode.Usage, "-index: %w", err)
		}
		e := report.Entry{Dir: filepath.ToSlash(rel), Path: path.Join(home, filepath.ToSlash(rel)), Title: file.Title, Claims: file.Claims}
		s, ok, err := study.ReadSummary(filepath.Join(d, study.SummaryName))
		if err != nil {
			return nil, exitcode.Errorf(exitcode.Usage, "-index: %w", err)
		}
		if ok {
			e.Summary = &s
		}
		entries = append(entries, e)
	}
	var b bytes.Buffer
	if err := report.Index(&b, entries); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
