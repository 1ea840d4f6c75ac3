package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/committed"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// tryIndex writes the table of the studies below a folder, and brings their notes
// up to date.
func tryIndex(dir string) (int, error) {
	text, studies, err := index(dir)
	if err != nil {
		return exitcode.Usage, err
	}
	for _, s := range studies {
		if err := updateNote(s); err != nil {
			return exitcode.Usage, err
		}
	}
	name := filepath.Join(dir, committed.IndexName)
	err = study.WriteFile(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err != nil {
		return exitcode.Usage, fault.Option("index", "", "%w", err)
	}
	fmt.Fprintln(os.Stderr, "wrote", name)
	return exitcode.OK, nil
}

// index renders the table of the studies below a folder, in the order of their
// names: from the study files and the committed results, and nothing else.
func index(dir string) (text []byte, studies []committed.Study, err error) {
	dirs, err := studiesBelow(dir)
	if err != nil {
		return nil, nil, err
	}
	if studies, err = committed.Read(dirs); err == nil {
		text, err = committed.Index(dir, studies)
	}
	if err != nil {
		return nil, nil, fault.Option("index", "", "%w", err)
	}
	return text, studies, nil
}

// updateNote brings a committed note up to date.
func updateNote(s committed.Study) error {
	text, err := os.ReadFile(s.Note())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fault.Option("index", "", "%w", err)
	}
	updated := s.Current(string(text))
	if updated == string(text) {
		return nil
	}
	err = study.WriteFile(s.Note(), func(w io.Writer) error {
		_, err := io.WriteString(w, updated)
		return err
	})
	if err != nil {
		return fault.Option("index", "", "%w", err)
	}
	fmt.Fprintln(os.Stderr, "wrote", s.Note())
	return nil
}
