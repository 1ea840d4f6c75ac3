package main

const tryHelp = `poolproof try: does reuse pay? An experiment with a verdict.

usage:
	poolproof try [flags] STUDY...                  study folders (with a study.toml), or DIR/... for all below
	poolproof try -vary KEY -bench RE [flags] PACKAGE
	poolproof try -base REV [-head REV] [flags] PACKAGE
	poolproof try -aa [-bench RE] [flags] [PACKAGE]
	poolproof try -resume DIR [-budget D]           go on with a stopped run; -budget counts what it spent
	poolproof try -index DIR                        the table of the studies below DIR, from their committed results

A PACKAGE is a folder, also of another module, or an import path. Flags may stand before or after it.

what to ask:
	-vary KEY         arms are the KEY=value parts of benchmark names
	-baseline VALUE   the value that the others are compared with (default the first)
	-base REV         the benchmarks of a git revision against those of the working tree as it is;
	                  exits 1 where the verdict is NEGATIVE
	-head REV         with -base: another revision in place of the working tree
	-aa               every benchmark against itself: the noise floor of this machine;
	                  without PACKAGE, benchmarks that poolproof brings
	-bench RE         which benchmarks, as for go test -bench
	-matrix CELLS     one verdict a cell, as 'GOGC=100,off GOMAXPROCS=1,2'; of a study, in place
	                  of its own cells

how much and how:
	-budget D         measuring time, builds not counted (default 3m; of each study)
	-threshold P      practical equality, as 2% (default 2%, or the study's)
	-clock C          wall, cpu or auto (default auto: cpu for parallel code or a busy machine)
	-timeout D        longest time without an answer of a benchmark (default 1m)
	-tags LIST        build tags
	-sanitize=false   do not run the benchmarks under poolproof test first, where the package or what it imports
	                  uses a sync.Pool: an arm that misuses one is UNSAFE, and is not timed
	-layout=false     do not confirm time-only verdicts on shifted builds
	-seed N           of the coins that choose which side goes first (default 1)
	-dry-run          print the plan and measure nothing

what comes out:
	-out DIR          where files go (default .poolproof/NAME): plan.json, records.jsonl,
	                  verdict.json, VERDICT.md, report.html, bench.txt and the test binaries; an earlier run there
	                  moves to DIR/previous. Several studies get a folder each in DIR (.poolproof)
	-resume DIR       go on with the run in DIR, or with all studies of the command whose folder it
	                  is, in the folder and environment that it was started in
	-update           write a study's VERDICT.md beside its study.toml too, and RESULT.json, the same in short
	-index DIR        write DIR/README.md, of what -update wrote last in the studies below DIR; measure nothing
	-json             print verdict.json (-dry-run: plan.json) in place of the table
	-strict           exit 4 where a verdict is INCONCLUSIVE, or INVALID unexpectedly
	-v                say what was decided as it goes

exit codes: 0 done; 1 a study does not end as it expects, or -base found harm; 2 usage or environment; 3 the
package does not build or its benchmarks fail; 4 undecided, with -strict; 5 UNSAFE;
130 interrupted.

examples:
	poolproof try ./studies/flatmap-slices
	poolproof try -vary slices -bench BenchmarkPipeline ./studies/flatmap-slices
	poolproof try -base main -bench . ./codec
	poolproof try -aa -bench . encoding/json
	poolproof try -resume .poolproof/flatmap-slices
`
