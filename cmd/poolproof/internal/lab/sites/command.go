// Package sites runs poolproof find on drawn modules, and prints their hot sites, which of them can
// be tried, and how long it took. There are two draws.
//
//	go run ./internal/lab sites -list             # the modules and their packages
//	go run ./internal/lab sites -measure NAME ... # into records/find/NAME.json; the first run stays
//	go run ./internal/lab sites                   # the tables of records/find.md
//	go run ./internal/lab sites -run 2 ...        # the same of a later run, in records/find-2
//	go run ./internal/lab sites -ask NAME ...     # the sites of the first run once more, into records/find-again/NAME.json
//	go run ./internal/lab sites -again            # the table of what can be tried of them then
package sites

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Main is the tool.
func Main(ctx context.Context, args []string) int {
	fs := flag.NewFlagSet("sites", flag.ContinueOnError)
	show := fs.Bool("list", false, "print the modules and their packages")
	measure := fs.Bool("measure", false, "run find on the modules that are named, as NAME, or on one package, as NAME:./PACKAGE")
	ask := fs.Bool("ask", false, "say what could be tried today at the sites of the first runs; names as for -measure")
	again := fs.Bool("again", false, "print what could be tried when the sites were asked again")
	draw := fs.Int("draw", 1, "which draw")
	nth := fs.Int("run", 1, "which run of it")
	root := fs.String("root", filepath.Join("..", ".."), "the repository")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	if err := run(ctx, *root, *draw, *nth, *show, *measure, *ask, *again, fs.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "sites:", err)
		return 1
	}
	return 0
}

func run(ctx context.Context, root string, draw, nth int, show, measure, ask, again bool, names []string) error {
	all, err := modules(draw, nth)
	if err != nil {
		return err
	}
	for _, m := range all {
		switch {
		case show:
			fmt.Println(m.Name, m.Path+"@"+m.Version, m.Packages)
		case measure, ask:
			do := m.measure
			if ask {
				do = m.ask
			}
			for _, pkg := range m.Packages {
				if slices.Contains(names, m.Name) || slices.Contains(names, m.Name+":"+pkg) {
					if err := do(ctx, root, pkg); err != nil {
						return fmt.Errorf("%s %s: %w", m.Name, pkg, err)
					}
				}
			}
		}
	}
	if show || measure || ask {
		return nil
	}
	print := Text
	if again {
		print = Again
	}
	text, err := print(all, root)
	fmt.Print(text)
	return err
}
