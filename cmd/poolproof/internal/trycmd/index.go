package trycmd

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/committed"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// tryIndex prints the table of the studies below a folder and their notes again,
// from the study files and the committed results, and nothing else.
func tryIndex(dir string) (int, error) {
	dirs, err := studiesBelow(dir)
	if err != nil {
		return exitcode.Usage, err
	}
	var text []byte
	studies, err := committed.Read(dirs)
	if err == nil {
		text, err = committed.Index(dir, studies)
	}
	if err != nil {
		return exitcode.Usage, fault.Option("index", "", "%w", err)
	}
	for _, s := range studies {
		if s.Verdict == nil {
			continue
		}
		if err := printed(s.NoteName(), s.Note); err != nil {
			return exitcode.Usage, err
		}
	}
	return exitcode.OK, printed(filepath.Join(dir, committed.IndexName), func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// printed writes a page that is not as it is printed now.
func printed(name string, render func(io.Writer) error) error {
	var b bytes.Buffer
	err := render(&b)
	if err == nil {
		if old, _ := os.ReadFile(name); bytes.Equal(old, b.Bytes()) {
			return nil
		}
		err = study.WriteFile(name, render)
	}
	if err != nil {
		return fault.Option("index", "", "%w", err)
	}
	fmt.Fprintln(os.Stderr, "wrote", name)
	return nil
}
