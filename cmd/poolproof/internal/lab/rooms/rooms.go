// Package rooms measures how a module's packages read: how many of the arrows
// between their files point back up, how many methods their types have, and how
// deep their imports go.
//
// An arrow leads from file A to file B of the same package if A mentions a name
// that B declares; the receiver of a method is not counted. A reader can begin at
// the top of a package whose files have an order in which all arrows point down.
// [Order] finds the order in which the fewest point back up; those that remain are
// cycles. A [Walk] counts how often a reader comes back to a file who follows a way
// through the packages.
package rooms

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// The limits of a package that can be read. A package with few files has few
// arrows, of which one alone is more than a tenth; one arrow back is allowed
// everywhere.
const (
	MostMethods = 40  // of a type: its own, those of its fields, and functions that take it first
	MostBack    = 0.1 // of the arrows between a package's files
)

// Package holds the counts of a package, its tests left out.
type Package struct {
	Path  string   // import path
	Files []string // base names, from the top down, in the order with the fewest arrows back
	// Arrows are the pairs of files that one mentions names of the other, each
	// with one name, in the order of Files.
	Arrows  []Arrow
	Back    int            // arrows that point from a later file to an earlier one
	Methods map[string]int // by type
	Depth   int            // the longest chain of imports below it within the module; 0 without any
}

// Arrow leads from a file to another whose name it mentions.
type Arrow struct {
	From, To string // base names of files
	Name     string // of what is mentioned, or TYPE.METHOD
	Back     bool   // To stands above From
}

// Share is the part of the arrows that point back; 0 without arrows.
func (p Package) Share() float64 {
	if len(p.Arrows) == 0 {
		return 0
	}
	return float64(p.Back) / float64(len(p.Arrows))
}

// Largest is the type with the most methods, the first by name where several
// have as many; "" if no type has one.
func (p Package) Largest() (name string, methods int) {
	for t, n := range p.Methods {
		if n > methods || n == methods && t < name {
			name, methods = t, n
		}
	}
	return name, methods
}

// Winding reports whether more than [MostBack] of the arrows point back, and
// more than one.
func (p Package) Winding() bool { return p.Back > 1 && p.Share() > MostBack }

// Main is the tool: it prints a line for each package that its patterns match,
// ./... by default.
func Main(ctx context.Context, args []string) int {
	fs := flag.NewFlagSet("rooms", flag.ContinueOnError)
	dir := fs.String("C", ".", "the folder of the module")
	verbose := fs.Bool("v", false, "print the order of the files, and each arrow back")
	all := fs.Bool("all", false, "print packages of one file too")
	if err := fs.Parse(args); err != nil {
		return 2
	}
	patterns := fs.Args()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	module, err := Load(ctx, *dir, patterns...)
	if err != nil {
		fmt.Fprintln(os.Stderr, "lab: rooms:", err)
		return 2
	}
	list := module.Count()
	if !*all {
		list = slices.DeleteFunc(list, func(p Package) bool { return len(p.Files) < 2 })
	}
	Print(os.Stdout, list, *verbose)
	return 0
}

// Print writes a table of packages, those with the most arrows back first.
func Print(w io.Writer, list []Package, verbose bool) {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b Package) int {
		if a.Back != b.Back {
			return b.Back - a.Back
		}
		return strings.Compare(a.Path, b.Path)
	})
	prefix := common(list)
	fmt.Fprintf(w, "%-36s %5s %6s %4s %6s %5s  %s\n", "package", "files", "arrows", "back", "share", "depth", "most methods")
	for _, p := range list {
		mark := ""
		if p.Winding() {
			mark = " !"
		}
		largest := ""
		if name, n := p.Largest(); n > 0 {
			largest = fmt.Sprintf("%d of %s", n, name)
			if n > MostMethods {
				largest += " !"
			}
		}
		fmt.Fprintf(w, "%-36s %5d %6d %4d %5.0f%% %5d  %s%s\n",
			strings.TrimPrefix(p.Path, prefix), len(p.Files), len(p.Arrows), p.Back, 100*p.Share(), p.Depth, largest, mark)
		if verbose {
			fmt.Fprintf(w, "\t%s\n", strings.Join(p.Files, " "))
			for _, a := range p.Arrows {
				if a.Back {
					fmt.Fprintf(w, "\tback: %s -> %s (%s)\n", a.From, a.To, a.Name)
				}
			}
		}
	}
}

// common is the import path that all packages begin with, up to a slash.
func common(list []Package) string {
	if len(list) < 2 {
		return ""
	}
	prefix := list[0].Path
	for _, p := range list[1:] {
		for !strings.HasPrefix(p.Path+"/", prefix) {
			prefix = prefix[:strings.LastIndex(strings.TrimSuffix(prefix, "/"), "/")+1]
		}
	}
	if !strings.HasSuffix(prefix, "/") {
		prefix = prefix[:strings.LastIndex(prefix, "/")+1]
	}
	return prefix
}
