// Package vetunit is poolproof as a tool of the go command: go vet -vettool and
// go fix -fixtool start it once for each package, and keep its facts and what
// it found in the build cache.
package vetunit

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// The flags of poolproof vet, and of go vet beside -vettool.
const (
	Tier         = "tier"
	Checks       = "checks"
	RequireDefer = "require-defer"
	DropOnError  = "drop-on-error"
	Generated    = "generated"
)

// Without is the flag that names packages not to analyse: the process ended on them
// before, in a way that it could not recover from.
const Without = "without"

// Everything is the flag by which poolproof vet asks for all that the analysis knows: the
// places that a finding refers to, findings that another one explains, and functions that
// were not analysed. Go vet would print each of them as a finding of its own.
const Everything = "report-everything"

// Dependency ends the name of a package that was analysed because another imports it, and so
// without the files of its tests.
const Dependency = " [dependency]"

// Wanted reports whether the go command has started us as a tool: it asks for
// the version or the flags, or hands over the description of a package after
// flags. A subcommand, which stands first, has arguments of its own.
func Wanted(args []string) bool {
	if len(args) == 0 || len(args) > 1 && !strings.HasPrefix(args[0], "-") {
		return false
	}
	last := args[len(args)-1]
	return strings.HasPrefix(last, "-V=") || last == "-flags" || strings.HasSuffix(last, ".cfg") && !strings.HasPrefix(last, "-")
}

// Main does what the go command asks for, and ends the process.
func Main() {
	startLarge()
	analyzers := append([]*analysis.Analyzer{vet.Facts}, vet.Analyzers()...)
	// The options of all checks are flags of the shared analyzer, as
	// -poolproof.tier. Here they go by the names that they have elsewhere.
	for _, name := range []string{Tier, Checks, RequireDefer, DropOnError, Generated, Without} {
		f := vet.Facts.Flags.Lookup(name)
		flag.Var(f.Value, f.Name, f.Usage)
	}
	everything := false
	flag.BoolFunc(Everything, "report all that the analysis knows, for poolproof vet, which chooses among it", func(value string) (err error) {
		if everything, err = strconv.ParseBool(value); err != nil {
			return err
		}
		return vet.Facts.Flags.Set("explained", value)
	})
	if name := os.Args[len(os.Args)-1]; factsOnly(name) && !promoted(name, os.Args[1:]) {
		for _, a := range analyzers[1:] {
			a.Run = func(*analysis.Pass) (any, error) { return nil, nil }
		}
	}
	for _, a := range analyzers {
		a.Run = guarded(a.Name, plain(a.Run, &everything))
	}
	unitchecker.Main(analyzers...)
}

// factsOnly reports whether the package is a dependency only. Unitchecker
// would run the checks there too, for they build on facts, and drop what they
// report.
func factsOnly(file string) bool {
	data, err := os.ReadFile(file)
	if err != nil {
		return false // no description of a package; unitchecker says so, if it is meant to be one
	}
	var cfg unitchecker.Config
	return json.Unmarshal(data, &cfg) == nil && cfg.VetxOnly
}

// promoted makes a dependency outside the standard library one that is reported on, if
// poolproof vet asks, which leaves out what it did not name; and reports whether it is now.
//
// The go command keeps what we print, and gives it back when the package itself is named. It
// does not tell a run for facts alone from one that reports: Go 1.26 finds nothing in a
// package that it has seen as a dependency, with any tool.
func promoted(file string, args []string) bool {
	if !slices.ContainsFunc(args, func(a string) bool {
		name, value, set := strings.Cut(strings.TrimLeft(a, "-"), "=")
		return name == Everything && (!set || value == "true")
	}) {
		return false
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return false
	}
	var cfg map[string]json.RawMessage // all of it, also what this version of unitchecker does not know
	var module, id string
	if json.Unmarshal(data, &cfg) != nil || json.Unmarshal(cfg["ModulePath"], &module) != nil || json.Unmarshal(cfg["ID"], &id) != nil || module == "" {
		return false // of the standard library
	}
	cfg["VetxOnly"] = json.RawMessage("false")
	if cfg["ID"], err = json.Marshal(id + Dependency); err != nil {
		return false
	}
	data, err = json.Marshal(cfg)
	return err == nil && os.WriteFile(file, data, 0o666) == nil
}

// guarded turns a panic into an error, which concerns one package: the others
// are analysed.
func guarded(name string, run func(*analysis.Pass) (any, error)) func(*analysis.Pass) (any, error) {
	return func(pass *analysis.Pass) (result any, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("%s panicked on %s: %v\n%s", name, pass.Pkg.Path(), p, debug.Stack())
			}
		}()
		return run(pass)
	}
}

// plain makes an analyzer leave out the places that a finding refers to, unless everything
// is asked for: go vet prints each place as if it were a finding of its own. The flag -json
// does not tell the two apart, because go vet passes it always, from Go 1.26.
func plain(run func(*analysis.Pass) (any, error), everything *bool) func(*analysis.Pass) (any, error) {
	return func(pass *analysis.Pass) (any, error) {
		if !*everything {
			report, bare := pass.Report, *pass
			bare.Report = func(d analysis.Diagnostic) {
				d.Related = nil
				report(d)
			}
			pass = &bare
		}
		return run(pass)
	}
}
