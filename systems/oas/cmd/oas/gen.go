package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/gen"
)

// generate writes Go for a document. It says on the standard error what the code does
// not express.
func generate(p *program) func(string, *oas.Doc) (int, error) {
	name := p.flags.String("package", "api", "the `name` of the package")
	dir := p.flags.String("out", ".", "the `folder` for the files, which is made if it is not there")
	root := p.flags.String("root", "", "the `folder` out of which no reference to another file may lead; that of FILE if it is empty")
	strict := p.flags.Bool("strict", false, "write nothing, and exit with 1, if the code would not express all of the document")
	force := p.flags.Bool("force", false, "overwrite files that were not generated")
	return func(file string, d *oas.Doc) (int, error) {
		notes := 0
		note := func(text string) {
			notes++
			fmt.Fprintf(p.err, "%s\n", text)
		}
		if err := bundled(d, *root, file); err != nil {
			for line := range strings.Lines(err.Error()) {
				note(strings.TrimSuffix(line, "\n"))
			}
		}
		files, err := gen.Generate(d, gen.Options{Package: *name, Note: func(n gen.Note) { note(file + ":" + n.String()) }})
		if err != nil {
			return 2, err
		}
		if *strict && notes > 0 {
			fmt.Fprintln(p.err, "oas gen: -strict: nothing is written, because the code would not express what the lines above name")
			return 1, nil
		}
		if err := os.MkdirAll(*dir, 0o755); err != nil {
			return 2, err
		}
		order := []string{"types.go", "client.go", "server.go"}
		for _, name := range order {
			if path := filepath.Join(*dir, name); !*force && !ours(path) {
				return 2, fmt.Errorf("%s was not generated, and stays as it is; -force overwrites it", path)
			}
		}
		for _, name := range order {
			path := filepath.Join(*dir, name)
			if err := replace(path, files[name]); err != nil {
				return 2, err
			}
			fmt.Fprintf(p.out, "%s: %d bytes\n", path, len(files[name]))
		}
		return 0, nil
	}
}

// ours reports whether a file is not there, or was written by generate.
func ours(path string) bool {
	text, err := os.ReadFile(path)
	return errors.Is(err, fs.ErrNotExist) || bytes.HasPrefix(text, []byte(gen.Header))
}
