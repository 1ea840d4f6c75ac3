// Oas formats, checks and walks OpenAPI documents, and generates Go for them.
//
//	oas fmt [-yaml|-compact] [-indent TEXT] FILE   writes the document, its keys in their order
//	oas check FILE                                 says what is wrong with it, by the specification
//	oas walk [-all] FILE                           lists its objects: place, kind, pointer
//	oas edit [-w] [-set P=JSON]... FILE            changes values, and leaves all else as it is
//	oas bundle [-w] FILE                           copies what other files hold into the document
//	oas gen [-package NAME] [-out DIR] FILE        writes types.go, client.go and server.go
//
// FILE may be JSON or YAML, and - is the standard input. Exit status: 0 done, 1
// check found something or gen -strict did, 2 the file or the command line is wrong.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/check"
)

const usage = `usage: oas COMMAND [flags] FILE

  fmt    [-yaml|-compact] [-indent TEXT]  write the document, its keys in their order
  check                                   report where it breaks the specification
  walk   [-all]                           list its objects: line:column, kind, pointer
  edit   [-w] [-set POINTER=JSON] [-delete POINTER] [-rename POINTER=KEY]
                                          change values; all else stays byte for byte
  bundle [-w] [-root DIR]                 copy what references to other files refer to
  gen    [-package NAME] [-out DIR] [-strict]
                                          write types.go, client.go and server.go

FILE may be JSON or YAML; - is the standard input. oas COMMAND -h lists the flags of a command.
Exit status: 0 done; 1 check found something, or gen -strict did; 2 the file or the command line is wrong.
`

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// commands are named by their first argument. Each defines its flags, and
// returns what is done with the document.
var commands = map[string]func(p *program) func(file string, d *oas.Doc) (int, error){
	"fmt": format, "check": checkDocument, "walk": walk, "edit": edit, "bundle": bundle, "gen": generate,
}

func run(args []string, in io.Reader, out, wrong io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(wrong, usage)
		return 2
	}
	switch args[0] {
	case "-h", "-help", "--help", "help":
		fmt.Fprint(out, usage)
		return 0
	}
	command := commands[args[0]]
	if command == nil {
		fmt.Fprintf(wrong, "oas: there is no command %q\n%s", args[0], usage)
		return 2
	}
	p := &program{in, out, wrong, flag.NewFlagSet("oas "+args[0], flag.ContinueOnError)}
	p.flags.SetOutput(io.Discard)
	do := command(p)
	switch err := p.flags.Parse(args[1:]); {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(out, "usage: oas %s [flags] FILE\n", args[0])
		p.flags.SetOutput(out)
		p.flags.PrintDefaults()
		return 0
	case err != nil:
		fmt.Fprintf(wrong, "oas %s: %v; oas %s -h lists the flags\n", args[0], err, args[0])
		return 2
	}
	if p.flags.NArg() != 1 {
		fmt.Fprintf(wrong, "oas %s: it needs one file, after the flags, and got %d; - is the standard input\n", args[0], p.flags.NArg())
		return 2
	}
	file := p.flags.Arg(0)
	d, err := p.read(file)
	if err != nil {
		fmt.Fprintf(wrong, "%v\n", err)
		return 2
	}
	code, err := do(file, d)
	if err != nil {
		fmt.Fprintf(wrong, "oas %s: %v\n", args[0], err)
		return 2
	}
	return code
}

func format(p *program) func(string, *oas.Doc) (int, error) {
	yaml := p.flags.Bool("yaml", false, "write YAML")
	compact := p.flags.Bool("compact", false, "write JSON without space")
	indent := p.flags.String("indent", "  ", "the `text` by which a level of JSON is indented")
	return func(_ string, d *oas.Doc) (int, error) {
		switch {
		case *yaml && *compact:
			return 2, errors.New("-yaml and -compact exclude each other")
		case *yaml:
			_, err := p.out.Write(d.AppendYAML(nil))
			return 0, err
		case *compact:
			if _, err := d.WriteTo(p.out); err != nil {
				return 2, err
			}
			_, err := io.WriteString(p.out, "\n")
			return 0, err
		}
		_, err := p.out.Write(append(d.AppendIndent(nil, "", *indent), '\n'))
		return 0, err
	}
}

func checkDocument(p *program) func(string, *oas.Doc) (int, error) {
	return func(file string, d *oas.Doc) (int, error) {
		problems := check.Document(d)
		for _, problem := range problems {
			fmt.Fprintf(p.out, "%s:%v\n", file, problem)
		}
		return min(len(problems), 1), nil
	}
}

func walk(p *program) func(string, *oas.Doc) (int, error) {
	all := p.flags.Bool("all", false, "list each value, not only the objects of the specification")
	return func(file string, d *oas.Doc) (int, error) {
		out := bufio.NewWriter(p.out)
		d.Walk(func(c *oas.Cursor) oas.Action {
			kind := c.ObjectKind().String()
			if c.Is(oas.Free) {
				kind = c.Node().Kind().String()
			}
			if *all || !c.Is(oas.Free) {
				line, column := c.Pos()
				fmt.Fprintf(out, "%s:%d:%d\t%s\t%s\n", file, line, column, kind, c.Pointer())
			}
			return oas.Continue
		})
		return 0, out.Flush()
	}
}
