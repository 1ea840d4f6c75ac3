package sanitize

import (
	"fmt"
	"regexp"
	"strings"

	"al.essio.dev/pkg/shellescape"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
)

// ofFiles is the import path that the go command gives to a package whose files
// it was asked for, and that it does not take itself.
const ofFiles = "command-line-arguments"

// again is the command that runs a test again, for a user in the folder base.
func (p *plan) again(t finding.Test, base string) string {
	if t.Package == "" {
		return ""
	}
	args := []string{"poolproof", "test"}
	o := p.options
	if p.dir != base {
		args = append(args, "-C="+p.dir)
	}
	if o.Mode != Exact {
		args = append(args, "-mode="+string(o.Mode))
	}
	if o.Reuse == "off" {
		args = append(args, "-reuse=off")
	}
	if o.Delay != nil {
		args = append(args, fmt.Sprintf("-delay=%d", *o.Delay))
	}
	if o.Poison != "auto" {
		args = append(args, "-poison="+o.Poison)
	}
	line := p.asked.line.Without(outputs...).Without("fuzz", "fuzztime", "fuzzminimizetime", "count", "cover", "covermode", "coverpkg", "timeout", "p", "parallel")
	line.Packages = []string{t.Package}
	if t.Package == ofFiles {
		line.Packages = p.asked.line.Packages
	}
	switch {
	case t.Name == "":
		line = line.Like(p.asked.line, "run", "skip", "bench")
	case strings.HasPrefix(t.Name, "Benchmark"):
		line = line.With("run", "^$").With("bench", exactly(t.Name))
	default:
		line = line.Without("benchmem", "benchtime").With("run", exactly(t.Name))
	}
	return shellescape.QuoteCommand(append(args, line.Args()...))
}

// exactly is the pattern of go test -run that matches one test.
func exactly(name string) string {
	parts := strings.Split(name, "/")
	for i, name := range parts {
		parts[i] = "^" + regexp.QuoteMeta(name) + "$"
	}
	return strings.Join(parts, "/")
}
