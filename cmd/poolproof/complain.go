package main

import (
	"fmt"
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
)

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
