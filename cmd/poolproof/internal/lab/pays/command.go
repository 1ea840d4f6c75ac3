// Package pays asks of the pools of well-known modules whether they still pay, by
// poolproof try -unpool, and prints docs/do-pools-pay.md and records/pays.md from what it has found.
//
//	go run ./internal/lab pays -list              # the modules
//	go run ./internal/lab pays -measure NAME ...  # into records/pays/NAME.json; the first run stays
//	go run ./internal/lab pays -write             # the pages
//
// The modules stand in modules.toml, with the benchmarks that are run: those that were chosen
// before anything was timed, so that a module takes five minutes.
package pays

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2"
)

//go:embed modules.toml
var list string

// module is one of the list.
type module struct {
	Name    string // of its record
	Path    string
	Version string
	Pool    string // FILE:LINE of the only pool that is asked about
	Package string // with the pools and the benchmarks, as ./json or ./...
	Bench   string
	Matrix  string
	Budget  string
	Found   string // what people found when they asked
}

// modules reads the list.
func modules() ([]module, error) {
	var l struct{ Module []module }
	if err := toml.Unmarshal([]byte(list), &l); err != nil {
		return nil, fmt.Errorf("modules.toml: %w", err)
	}
	return l.Module, nil
}

// Main is the tool.
func Main(ctx context.Context, args []string) int {
	fs := flag.NewFlagSet("pays", flag.ContinueOnError)
	show := fs.Bool("list", false, "print the modules")
	measure := fs.Bool("measure", false, "measure the modules that are named, on an idle machine")
	prepare := fs.Bool("prepare", false, "only fetch and plan them, so that what is built then is in the cache")
	write := fs.Bool("write", false, "write the pages")
	root := fs.String("root", filepath.Join("..", ".."), "the repository")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	if err := run(ctx, *root, *show, *measure || *prepare, *prepare, *write, fs.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "pays:", err)
		return 1
	}
	return 0
}

func run(ctx context.Context, root string, show, measure, prepare, write bool, names []string) error {
	all, err := modules()
	if err != nil {
		return err
	}
	if show {
		for _, m := range all {
			fmt.Println(m.Name, m.Path+"@"+m.Version, m.Bench)
		}
	}
	for _, m := range all {
		if measure && slices.Contains(names, m.Name) {
			if err := m.measure(ctx, root, prepare); err != nil {
				return fmt.Errorf("%s: %w", m.Name, err)
			}
		}
	}
	texts, err := Texts(root)
	if err != nil || !write {
		return err
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}
