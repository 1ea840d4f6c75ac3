package trycmd

import (
	"fmt"
	"strings"
)

// Help returns the text of try -h.
func Help() string { return tryUsage + optionHelp() + tryCodes }

const tryUsage = `poolproof try measures whether reuse pays, and gives a verdict.

usage:
	poolproof try [flags] STUDY...                      run the studies in these folders, or all below DIR with DIR/...
	poolproof try -vary KEY -bench RE [flags] PACKAGE   compare the KEY=value variants of benchmarks
	poolproof try -base REV [-head REV] [flags] PACKAGE compare the working tree with a git revision
	poolproof try PACKAGE                               would reuse pay? where the package's benchmarks allocate most
	poolproof try -site FILE.go:LINE [flags] PACKAGE    the same at one allocation, as poolproof find names it
	poolproof try -patch FILE [flags] PACKAGE           does a change of yours pay?
	poolproof try -base REV -cmd COMMAND [-load COMMAND] PACKAGE   compare a whole program
	poolproof try -unpool [FILE.go:LINE] [PACKAGE]      do the pools of the packages pay? (default ./...)
	poolproof try -aa [-bench RE] [flags] [PACKAGE]     compare each benchmark with itself
	poolproof try -resume DIR [-budget D]               continue a stopped run; its time counts towards -budget
	poolproof try -judge DIR                            judge the records of a run by the rule of this program
	poolproof try -record -shard I/N [flags] PACKAGE    record on one of N machines, with the other flags as above
	poolproof try -judge DIR...                         judge what several machines recorded
	poolproof try -judge OLD.txt NEW.txt                judge what go test -bench printed into two files
	poolproof try -index DIR                            write a table of the committed results of the studies below DIR

PACKAGE is a folder (of any module), an import path, or a pattern such as ./... for all packages with
benchmarks. Flags may stand before or after it.

`

const tryCodes = `exit codes: 0 done; 1 a verdict is not the one that a study expects, or is NEGATIVE with -base, -site, -patch or
between two files; 2 usage or environment; 3 the package does not build or a benchmark fails; 4 a verdict
is undecided, with -strict; 5 an arm is UNSAFE; 130 interrupted.

examples:
	poolproof try ./studies/flatmap-slices
	poolproof try -vary slices -bench BenchmarkPipeline ./studies/flatmap-slices
	poolproof try -base main ./...
	poolproof try -base main -cmd 'server -addr $ADDR' -load 'hey -n 20000 http://$ADDR/' ./cmd/server
	poolproof try -judge old.txt new.txt
	poolproof try -site encode.go:20 ./codec
	poolproof try -patch change.diff ./codec
	poolproof try -unpool ./...
	poolproof try -aa -bench . encoding/json
	poolproof try -resume .poolproof/flatmap-slices
`

// optionHelp lists the flags by group.
func optionHelp() string {
	var b strings.Builder
	for _, group := range new(tryFlags).groups() {
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
