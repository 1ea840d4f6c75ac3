// Poolproof tells Go teams whether reusing memory pays, with proof.
//
// Usage:
//
//	poolproof try [flags] [packages or studies]
//	poolproof vet [flags] [packages]
//	poolproof test [flags] [flags of go test] [packages]
//
// "poolproof try -h" explains the flags and has examples.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetunit"
)

const usage = `poolproof: memory reuse for Go, with proof

usage:
	poolproof try [flags] [packages or studies]   does reuse pay? an experiment with a verdict
	poolproof vet [flags] [packages]              is a pool used correctly? found before running
	poolproof test [flags] [packages]             is it used correctly while the tests run? a sanitizer
	poolproof version                             the version of this binary

"poolproof try -h" and so on explain the flags, and have examples.

exit codes: 0 done; 1 findings; 2 usage or environment; 3 the code under test does not
build or its benchmarks fail; 4 INCONCLUSIVE or INVALID with -strict; 5 UNSAFE;
130 interrupted. The highest in the order 130, 2, 3, 5, 1, 4 wins.
`

func main() {
	if vetunit.Wanted(os.Args[1:]) {
		vetunit.Main() // the go command runs us as its -vettool
	}
	os.Exit(dispatch(interruptible(), os.Args[1:]))
}

func dispatch(ctx context.Context, args []string) int {
	if len(args) == 0 {
		fmt.Fprint(os.Stderr, usage)
		return exitcode.Usage
	}
	switch args[0] {
	case "try":
		return finish(try(ctx, args[1:]))
	case "vet":
		return finish(vetCommand(ctx, args[1:]))
	case "test":
		return finish(test(ctx, args[1:]))
	case "version", "-version", "--version":
		fmt.Println("poolproof", version())
		return exitcode.OK
	case "help", "-h", "-help", "--help":
		if len(args) > 1 && args[1] == "try" {
			fmt.Print(tryHelp)
			return exitcode.OK
		}
		if len(args) > 1 && args[1] == "vet" {
			fmt.Print(vetHelp)
			return exitcode.OK
		}
		if len(args) > 1 && args[1] == "test" {
			fmt.Print(helpOfTest())
			return exitcode.OK
		}
		fmt.Print(usage)
		return exitcode.OK
	default:
		complain(fmt.Errorf("there is no command %q; the commands are try, vet, test and version, see poolproof -h", args[0]))
		return exitcode.Usage
	}
}

// finish prints an error and returns the code to exit with.
func finish(code int, err error) int {
	complain(err)
	return exitcode.Highest(code, exitcode.Of(err))
}

// complain prints an error, if there is one, on standard error. What a
// compiler said may follow on further lines.
func complain(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "poolproof:", err)
	}
}

func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "of unknown version"
	}
	return info.Main.Version
}
