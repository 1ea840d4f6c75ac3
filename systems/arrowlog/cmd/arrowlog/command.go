package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
)

// command is a subcommand.
type command struct {
	name, args, short, long string
	run                     func(ctx context.Context, env environment, f *flag.FlagSet, args []string) error
}

// environment holds the streams that a command reads and writes beside its files.
type environment struct {
	stdout, stderr io.Writer
}

// usageError is an error in how the command was called.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// flagError is an error that package flag has printed.
type flagError struct{ error }

// parse reads flags that stand before or after the other arguments, which it
// returns.
func parse(f *flag.FlagSet, args []string) ([]string, error) {
	var rest []string
	for {
		if err := f.Parse(args); err != nil {
			if errors.Is(err, flag.ErrHelp) {
				return nil, err
			}
			return nil, flagError{err}
		}
		if f.NArg() == 0 {
			return rest, nil
		}
		rest, args = append(rest, f.Arg(0)), f.Args()[1:]
	}
}

func trimPrefix(s string) string {
	const prefix = "arrowlog: "
	if len(s) > len(prefix) && s[:len(prefix)] == prefix {
		return s[len(prefix):]
	}
	return s
}
