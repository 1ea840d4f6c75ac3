package historycmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/history"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/page"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/term"
)

// Run is the subcommand.
func Run(ctx context.Context, args []string) (int, error) {
	f, err := parse(args)
	switch {
	case err != nil:
		return exitcode.Usage, err
	case f.bisect != "":
		return search(ctx, f)
	}
	return show(f)
}

// show prints a history, and writes its page.
func show(f *flags) (int, error) {
	h, err := history.Read(f.arg, stat.Version)
	if err != nil {
		return exitcode.Usage, fault.Errorf(fault.Input, "%w", err)
	}
	for _, why := range h.Refused {
		cli.Complain(errors.New(why))
	}
	if h.Runs == 0 {
		return exitcode.Usage, fault.Errorf(fault.Input, "%s holds no run that can be used; try -base REV -keep %[1]s keeps one", f.arg)
	}
	if err := term.History(os.Stdout, h); err != nil {
		return exitcode.Usage, err
	}
	name := cmp.Or(f.html, filepath.Join(f.arg, "history.html"))
	err = study.WriteFile(name, func(w io.Writer) error { return page.History(w, "History of "+filepath.Base(filepath.Clean(f.arg)), h) })
	if err != nil {
		return exitcode.Usage, fault.Option("html", name, "%w", err)
	}
	fmt.Printf("\npage: %s\n", name)
	return exitcode.OK, nil
}
