package main

import (
	"fmt"
	"strings"
)

// tryHelp is what try -h prints.
func tryHelp() string { return tryUsage + optionHelp() + tryCodes }

const tryUsage = `poolproof try: does reuse pay? An experiment with a verdict.

usage:
	poolproof try [flags] STUDY...                  study folders (with a study.toml), or DIR/... for all below
	poolproof try -vary KEY -bench RE [flags] PACKAGE
	poolproof try -base REV [-head REV] [flags] PACKAGE
	poolproof try -aa [-bench RE] [flags] [PACKAGE]
	poolproof try -resume DIR [-budget D]           go on with a stopped run; -budget counts what it spent
	poolproof try -judge DIR                        what a run recorded, judged by the rule of this program
	poolproof try -index DIR                        the table of the studies below DIR, from their committed results

A PACKAGE is a folder, also of another module, an import path, or a pattern as ./... for all packages
with benchmarks. Flags may stand before or after it.

`

const tryCodes = `exit codes: 0 done; 1 a study does not end as it expects, or -base found harm; 2 usage or environment; 3 the
package does not build or a benchmark fails; 4 undecided, with -strict; 5 UNSAFE;
130 interrupted.

examples:
	poolproof try ./studies/flatmap-slices
	poolproof try -vary slices -bench BenchmarkPipeline ./studies/flatmap-slices
	poolproof try -base main ./...
	poolproof try -aa -bench . encoding/json
	poolproof try -resume .poolproof/flatmap-slices
`

// optionHelp lists the flags by group.
func optionHelp() string {
	var b strings.Builder
	for _, group := range tryOptions {
		fmt.Fprintf(&b, "%s:\n", group.title)
		for _, o := range group.options {
			name := "-" + o.name
			switch {
			case strings.HasPrefix(o.value, "="):
				name += o.value
			case o.value != "":
				name += " " + o.value
			}
			for i, line := range strings.Split(o.help, "\n") {
				if i > 0 {
					name = ""
				}
				fmt.Fprintf(&b, "\t%-17s %s\n", name, line)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
