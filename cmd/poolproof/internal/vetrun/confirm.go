package vetrun

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

var (
	// seenRunning are the checks whose defects "poolproof test" reports when a test reaches
	// the line.
	seenRunning = []string{"PV001", "PV002", "PV003", "PV004", "PV007", "PV011", "PV014", "PV015", "PV017"}

	// seenCounted are those that the table of its flag -leaks shows.
	seenCounted = []string{"PV005", "PV006"}
)

// Confirmer says how to see a finding while tests run. It keeps what it has read of the
// source. The zero Confirmer is ready for use, by one goroutine.
type Confirmer struct {
	Dir  string // where the command is to run; "" if that is not known
	Tags string // the build tags of the analysis

	folders map[string]calls
}

// Confirmer returns what says how to see the findings of a result.
func (r *Result) Confirmer() *Confirmer { return &Confirmer{Dir: r.Dir, Tags: r.Tags} }

// foreignMemory reports whether a finding of PV021 is about memory that was in no pool: its
// owner goes on to use it, which is seen. That a pool gets an object of another one is not.
func foreignMemory(f Finding) bool {
	return f.Code == "PV021" && !strings.Contains(f.Message, "comes from the pool") && !strings.Contains(f.Message, "comes from another pool")
}

// Command returns the command that shows a finding while tests run, "" if the sanitizer
// does not look for such a defect, or the folder has no test, or lies in no module. The command names the test around the finding, or a few
// tests of the same folder that lead to it; otherwise it runs all tests of the package.
func (c *Confirmer) Command(f Finding) string {
	command := "poolproof test "
	if c.Tags != "" {
		command += "-tags " + quoted(c.Tags) + " "
	}
	switch {
	case slices.Contains(seenCounted, f.Code):
		command += "-leaks "
	case !slices.Contains(seenRunning, f.Code) && !foreignMemory(f):
		return ""
	}
	known := c.calls(filepath.Dir(f.File))
	if len(known) > 0 && !slices.ContainsFunc(known, func(d declared) bool { return d.test }) {
		return ""
	}
	path := c.packageOf(f)
	if path == "" {
		return ""
	}
	switch tests := known.testsAround(f.File, f.Line); len(tests) {
	case 0:
	case 1:
		command += "-run '^" + tests[0] + "$' "
	default:
		command += "-run '^(" + strings.Join(tests, "|") + ")$' "
	}
	return command + path
}

// packageOf returns the package of a finding as the command names it, "" if it names none:
// poolproof test runs in a module. Files that were
// named one by one are of no package that the go command could find by its path: it is
// called by its folder.
func (c *Confirmer) packageOf(f Finding) string {
	path := strings.TrimSuffix(f.Package, "_test")
	if path != "command-line-arguments" {
		return path
	}
	folder := filepath.Dir(f.File)
	if overlay.NearestModule(folder) == "" {
		return ""
	}
	if rel, err := filepath.Rel(c.Dir, folder); err == nil && filepath.IsLocal(rel) {
		if rel == "." {
			return "."
		}
		return "./" + filepath.ToSlash(rel)
	}
	return folder
}

// calls returns the functions of a folder.
func (c *Confirmer) calls(dir string) calls {
	known, ok := c.folders[dir]
	if !ok {
		known = callsOf(dir)
		if c.folders == nil {
			c.folders = map[string]calls{}
		}
		c.folders[dir] = known
	}
	return known
}

// quoted returns an argument as a shell takes it.
func quoted(arg string) string {
	if strings.ContainsAny(arg, " '\"$`\\") {
		return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
	}
	return arg
}
