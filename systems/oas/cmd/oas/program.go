package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/poolproof/poolproof/systems/oas"
)

// program is one run of the command.
type program struct {
	in       io.Reader
	out, err io.Writer
	flags    *flag.FlagSet
}

// read parses a file. An error begins with the name of the file, and with line
// and column if it is one of syntax.
func (p *program) read(file string) (*oas.Doc, error) {
	var source []byte
	var err error
	if file == "-" {
		source, err = io.ReadAll(p.in)
	} else {
		source, err = os.ReadFile(file)
	}
	if err != nil {
		return nil, err
	}
	d, err := oas.Parse(source)
	var syntax *oas.SyntaxError
	if errors.As(err, &syntax) {
		return nil, fmt.Errorf("%s:%w", file, err)
	}
	return d, err
}
