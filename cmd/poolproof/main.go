// Poolproof tells Go teams whether reusing memory pays, with proof.
//
// Usage:
//
//	poolproof find [flags] [packages]
//	poolproof try [flags] [packages or studies]
//	poolproof vet [flags] [packages]
//	poolproof test [flags] [flags of go test] [packages]
//	poolproof ci [flags] [packages]
//	poolproof history [flags] DIR
//
// "poolproof try -h" explains the flags and has examples.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cicmd"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/findcmd"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/historycmd"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/testcmd"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/trycmd"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetcmd"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetunit"
)

const usage = `poolproof: memory reuse for Go, with proof

usage:
	poolproof find [flags] [packages]             shows where memory could be used again
	poolproof try [flags] [packages or studies]   measures whether reuse pays, with a verdict
	poolproof vet [flags] [packages]              finds misuses of pools in source code
	poolproof test [flags] [packages]             finds misuses of pools while your tests run
	poolproof ci [flags] [packages]               all three on a pull request: summary, annotations, one comment
	poolproof history [flags] DIR                 benchmarks over revisions; -bisect finds the one that changed
	poolproof version                             the version of this binary

"poolproof find -h", and so for each command, explains the flags and shows examples.

exit codes: 0 done; 1 findings; 2 usage or environment; 3 the code under test does not
build, or its tests or benchmarks fail; 4 INCONCLUSIVE or INVALID with -strict; 5 UNSAFE;
130 interrupted. Where several apply, the first of 130, 2, 3, 5, 1, 4 is used.
`

// roles lists the ways in which the go command, and not a user, starts this binary.
var roles = []struct {
	wanted func(args []string) bool
	play   func(args []string) int
}{
	{sanitize.Launched, sanitize.Launch},                                        // -exec of the go command: starts a test binary
	{vetunit.Wanted, func([]string) int { vetunit.Main(); return exitcode.OK }}, // -vettool of the go command
}

func main() {
	args := os.Args[1:]
	for _, r := range roles {
		if r.wanted(args) {
			os.Exit(r.play(args))
		}
	}
	os.Exit(dispatch(cli.Interruptible(), args))
}

func dispatch(ctx context.Context, args []string) int {
	if len(args) == 0 {
		fmt.Fprint(os.Stderr, usage)
		return exitcode.Usage
	}
	for _, c := range commands {
		if c.name == args[0] {
			code, err := c.run(ctx, args[1:])
			return cli.Finish(c.prefix, code, err)
		}
	}
	switch args[0] {
	case "version", "-version", "--version":
		fmt.Println("poolproof", cli.Version())
		return exitcode.OK
	case "help", "-h", "-help", "--help":
		fmt.Print(helpOf(args[1:]))
		return exitcode.OK
	default:
		cli.Complain(fmt.Errorf("there is no command %q; the commands are find, try, vet, test, ci, history and version, see poolproof -h", args[0]))
		return exitcode.Usage
	}
}

// commands are the subcommands.
var commands = []struct {
	name   string
	prefix string // of its errors; those of try begin with a study file, a package or a flag
	run    func(ctx context.Context, args []string) (code int, err error)
	help   func() string
}{
	{"find", "find: ", findcmd.Run, findcmd.Help},
	{"try", "", trycmd.Run, trycmd.Help},
	{"vet", "vet: ", vetcmd.Run, func() string { return vetcmd.Help }},
	{"test", "test: ", testcmd.Run, testcmd.Help},
	{"history", "history: ", historycmd.Run, func() string { return historycmd.Help }},
	{"ci", "ci: ", cicmd.Run, func() string { return cicmd.Help }},
}

// helpOf is the help of a subcommand, or of the whole.
func helpOf(args []string) string {
	for _, c := range commands {
		if len(args) > 0 && c.name == args[0] {
			return c.help()
		}
	}
	return usage
}
