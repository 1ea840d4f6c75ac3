package trycmd

import (
	"cmp"
	"flag"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// tryFlags is the command line of try: a question but for its package, and what
// is to be done with the answer.
type tryFlags struct {
	study.Question
	aa, unpool, write            bool
	out, resume, judge, index    string
	keep, shard                  string
	record                       bool
	cmd, load, ready             string
	metrics                      list
	shards                       *study.Shard // of shard
	dryRun, update, json, strict bool
	verbose                      bool
	mode                         mode // that the flags choose

	args  []string        // without flags
	given map[string]bool // names of the flags that were there
}

// mode is the kind of question that try answers. Those that a flag chooses are named after it.
type mode string

const (
	modeStudy  mode = "" // no flag chooses it
	modeVary   mode = "vary"
	modeBase   mode = "base"
	modeAA     mode = "aa"
	modeUnpool mode = "unpool"
	modeSite   mode = "site"
	modePatch  mode = "patch"
	modeBest   mode = "best" // no flag chooses it: a package that is no study
	modeResume mode = "resume"
	modeJudge  mode = "judge"
	modeIndex  mode = "index"
	modeFiles  mode = "judge OLD.txt NEW.txt" // -judge of a file
)

var (
	asking    = []mode{modeStudy, modeVary, modeBase, modeSite, modePatch, modeBest, modeUnpool, modeAA} // all that begin with a question
	answering = append(asking, modeResume)                                                               // all that measure
	showing   = append(answering, modeJudge, modeFiles)                                                  // all that end with a verdict
	packages  = append([]mode{modeVary, modeBase, modeUnpool, modeAA}, reusing...)                       // all that take packages
	reusing   = []mode{modeSite, modePatch, modeBest}                                                    // all that change where memory comes from
	recording = []mode{modeStudy, modeVary, modeBase, modeAA}                                            // all that several machines may measure
)

// tryOption is a flag of try: what it is called, what help says of it, with
// which modes it goes, and what it fills.
type tryOption struct {
	name, value string // value: "" for a switch
	help        string // continued on further lines
	modes       []mode
	elsewhere   string // what is said where it goes with no mode that was chosen
	fills       any    // a *string, a *bool, a *uint64 or a [flag.Value]
}

// optionGroup has the flags under one title of the help.
type optionGroup struct {
	title   string
	options []tryOption
}

// groups has every flag of try, in the groups of its help. Flags, help and
// the check of what goes together are made of it.
func (f *tryFlags) groups() []optionGroup {
	return []optionGroup{
		{"what to ask", []tryOption{
			{"vary", "KEY", "compare the variants that benchmark names call KEY=value", []mode{modeVary}, "", &f.Key},
			{"baseline", "VALUE", "the value with which the others are compared (default: the first)", []mode{modeVary}, "-baseline goes with -vary", &f.Baseline},
			{"base", "REV", "compare the working tree, with its uncommitted changes, with this git revision;\nexits 1 if a verdict is NEGATIVE", []mode{modeBase}, "", &f.Base},
			{"head", "REV", "with -base: compare this revision in place of the working tree", []mode{modeBase}, "-head goes with -base", &f.Head},
			{"site", "FILE:LINE", "compare the package with the same in which the memory of the allocation there is used\nagain, in each way that is known to be safe; without -site, -patch or a study, the\nallocations of the package for which that promises most. Exits 1 if none but\nNEGATIVE is the verdict, 5 if one is UNSAFE", []mode{modeSite}, "", &f.Site},
			{"patch", "FILE", "compare the package with the same with a change of yours, a unified diff as git diff\nprints it; exits 1 if a verdict is NEGATIVE", []mode{modePatch}, "", &f.Patch},
			{"changed", "", "with -base: leave out the benchmarks whose operations run no code that differs", []mode{modeBase}, "-changed goes with -base", &f.Changed},
			{"cmd", "COMMAND", "with -base: compare the program that PACKAGE is; the first word stands for its binary,\n$ADDR for a free address of the loopback interface", []mode{modeBase}, "-cmd goes with -base", &f.cmd},
			{"load", "COMMAND", "with -cmd: run this against the program, which is a server", []mode{modeBase}, "-load goes with -cmd", &f.load},
			{"ready", "RE", "with -load: the server is ready when it prints this (default: when it takes connections\non $ADDR)", []mode{modeBase}, "-ready goes with -load", &f.ready},
			{"metric", "NAME=RE", "with -cmd: a number that the load prints, in the first group; requests/s and percentiles\nof wrk, hey, vegeta and k6 are known. May be given several times", []mode{modeBase}, "-metric goes with -cmd", &f.metrics},
			{"unpool", "", "compare the packages as they are with the same without one of their pools, for\neach sync.Pool, or for the one that FILE.go:LINE before the packages names", []mode{modeUnpool}, "", &f.unpool},
			{"aa", "", "compare every benchmark with itself, which shows the noise of this machine;\nwithout a package, the benchmarks are built in", []mode{modeAA}, "", &f.aa},
			{"bench", "RE", "run these benchmarks, as with go test -bench", packages, "-bench goes with -vary, -base or -aa; a study names its benchmarks", &f.Bench},
			{"from-test", "RE", "in place of benchmarks, run these tests again and again", append([]mode{modeUnpool}, reusing...), "-from-test goes with -unpool, -site or -patch", &f.FromTest},
			{"matrix", "CELLS", "one verdict for each cell of a matrix, such as 'GOGC=100,off GOMAXPROCS=1,2', or of builds:\n'GOTOOLCHAIN=go1.24.9,go1.26.8' (also GOEXPERIMENT, GOAMD64, GOARM64, CGO_ENABLED, and\nPGO=off,FILE); for a study, in place of its own matrix", asking, "", &f.Matrix},
		}},
		{"how much and how", []tryOption{
			{"budget", "D", "time for measuring, without builds (default 3m for each study; the packages\nof a pattern share it); with PACKAGE alone, the time for everything", answering, "", (*span)(&f.Budget)},
			{"threshold", "P", "differences of time below this are NO CHANGE (default 2%, or the study's); or one for\neach metric, as time=3%,bytes=1%,allocs=5%", append(asking[:len(asking):len(asking)], modeFiles), "", (*thresholds)(&f.Question)},
			{"clock", "C", "measure by wall, cpu or auto (default auto: wall, but on a busy machine cpu for\ncode of one goroutine that never waits)", asking, "", &f.Clock},
			{"timeout", "D", "give up on a benchmark that is silent for so long (default 1m)", answering, "", (*span)(&f.Timeout)},
			{"tags", "LIST", "build with these tags", asking, "", &f.Tags},
			{"sanitize", "=false", "skip the check of benchmarks that use a sync.Pool by poolproof test, after which\nan arm that misuses a pool is UNSAFE and is not timed", asking, "", &f.Sanitize},
			{"layout", "=false", "do not measure padded builds, which show what code layout alone could explain", asking, "", &f.Layout},
			{"seed", "N", "seed of the coin that decides which side is measured first (default 1)", asking, "", &f.Seed},
			{"dry-run", "", "print the plan and measure nothing", asking, "", &f.dryRun},
		}},
		{"what comes out", []tryOption{
			{"out", "DIR", "write plan.json, records.jsonl, verdict.json, VERDICT.md, report.html, bench.txt\nand the test binaries to DIR (default .poolproof/NAME). The files of an earlier run\nmove to DIR/previous. Each of several studies or packages gets a folder in DIR", asking, "", &f.out},
			{"keep", "DIR", "with -base: also keep the verdict in DIR, for poolproof history", []mode{modeBase, modeResume}, "-keep goes with -base", &f.keep},
			{"record", "", "record only: try -judge judges what several machines have recorded", recording, "", &f.record},
			{"shard", "I/N", "with -record: this is machine I of N, from 1, which all record the same", recording, "", &f.shard},
			{"resume", "DIR", "continue the run in DIR, or all runs of a command that had several; the folder\nand the environment have to be those in which they began", []mode{modeResume}, "", &f.resume},
			{"judge", "DIR", "judge the records in DIR by the rule of this program, on any machine, and measure\nnothing; with several folders, or one that holds them, those of several machines; with two files, judge what go test printed into OLD.txt and NEW.txt", []mode{modeJudge, modeFiles}, "", &f.judge},
			{"write", "", "write the best change into the package's files; with -unpool, take the pools that do\nnot pay out of them", append([]mode{modeUnpool, modeResume}, reusing...),
				"-write goes with -site, -patch or -unpool", &f.write},
			{"update", "", "also write verdict.json, and VERDICT.md from it, beside study.toml", []mode{modeStudy, modeResume},
				"-update goes with studies: only they have a committed VERDICT.md", &f.update},
			{"index", "DIR", "print DIR/README.md, a table of the committed results of the studies below DIR, and\ntheir notes again; measure nothing", []mode{modeIndex}, "", &f.index},
			{"json", "", "print verdict.json in place of the table; with -dry-run, plan.json", showing, "", &f.json},
			{"strict", "", "exit 4 if a verdict is INCONCLUSIVE, or INVALID although the study does not expect it", showing, "", &f.strict},
			{"v", "", "print the reason with each verdict", answering, "", &f.verbose},
		}},
	}
}

// all are the flags of all groups.
func (f *tryFlags) all() (all []tryOption) {
	for _, group := range f.groups() {
		all = append(all, group.options...)
	}
	return all
}

// bind makes the flag.
func (o tryOption) bind(fs *flag.FlagSet) {
	switch p := o.fills.(type) {
	case *string:
		fs.StringVar(p, o.name, *p, "")
	case *bool:
		fs.BoolVar(p, o.name, *p, "")
	case *uint64:
		fs.Uint64Var(p, o.name, *p, "")
	case flag.Value:
		fs.Var(p, o.name, "")
	}
}

// chosen returns the mode that the flags choose; several exclude each other.
func (f *tryFlags) chosen() (mode, error) {
	var chosen []mode
	for _, m := range []mode{modeVary, modeAA, modeBase, modeSite, modePatch, modeUnpool, modeResume, modeJudge, modeIndex} {
		if f.given[string(m)] && (m != modeAA || f.aa) && (m != modeUnpool || f.unpool) {
			chosen = append(chosen, m)
		}
	}
	switch len(chosen) {
	case 0:
		if len(f.args) == 1 && isPackage(f.args[0]) {
			return modeBest, nil
		}
		return modeStudy, nil
	case 1:
		if chosen[0] == modeJudge && isFile(f.judge) {
			return modeFiles, nil
		}
		return chosen[0], nil
	}
	return "", bad("-vary, -aa, -base, -site, -patch, -unpool, -resume, -judge and -index exclude each other")
}

// bad is an error in the command line of try.
func bad(format string, args ...any) error {
	return fault.Errorf(fault.Input, "try: "+format, args...)
}

// check refuses what makes no sense together.
func (f *tryFlags) check() error {
	m, err := f.chosen()
	if err != nil {
		return err
	}
	f.mode = m
	f.Kind = map[mode]study.Kind{modeVary: study.KindVary, modeBase: study.KindBase, modeAA: study.KindAA, modeUnpool: study.KindUnpool, modeSite: study.KindSite, modePatch: study.KindSite, modeBest: study.KindSite}[m]
	f.Kind = cmp.Or(f.Kind, study.KindStudy)
	for _, o := range f.all() {
		if text, ok := o.fills.(*string); ok && f.given[o.name] && *text == "" && o.name != "tags" && o.name != "matrix" {
			return bad("-%s needs a value", o.name)
		}
	}
	if err := f.goTogether(m); err != nil {
		return err
	}
	if err := f.checkValues(); err != nil {
		return err
	}
	return f.checkPackages(m)
}

// goTogether refuses flags that would be without effect.
func (f *tryFlags) goTogether(m mode) error {
	options := map[string]tryOption{}
	var fits []string // flags that go with a mode that brings its own question
	for _, o := range f.all() {
		options[o.name] = o
		if slices.Contains(o.modes, m) && o.name != string(m) && o.name != string(modeJudge) {
			fits = append(fits, o.name)
		}
	}
	slices.Sort(fits)
	// In the order of names, for the same message every time.
	for _, name := range slices.Sorted(maps.Keys(f.given)) {
		o := options[name]
		switch {
		case slices.Contains(o.modes, m) || name == string(modeAA) && !f.aa, name == string(modeUnpool) && !f.unpool:
		case slices.Contains(asking, m) && o.elsewhere != "":
			return bad("%s", o.elsewhere)
		case len(fits) == 0:
			return bad("-%s does not go with -%s", name, m)
		default:
			return bad("-%s does not go with -%s: it goes with -%s", name, m, strings.Join(fits, ", -"))
		}
	}
	for _, o := range []struct {
		name  string
		given bool
	}{{"update", f.update}, {"write", f.write}} {
		if o.given && f.dryRun {
			return bad("-%s needs a measurement: it does not go with -dry-run", o.name)
		}
	}
	return nil
}

// checkValues refuses values that nothing could be done with.
func (f *tryFlags) checkValues() error {
	switch {
	case f.Budget <= 0:
		return bad("-budget %s: it must be positive", f.Budget)
	case f.Timeout <= 0:
		return bad("-timeout %s: it must be positive", f.Timeout)
	case f.Clock != "auto" && f.Clock != "wall" && f.Clock != "cpu":
		return bad("-clock %s: it is wall, cpu or auto", f.Clock)
	case strings.ContainsAny(f.Key, "=/ "):
		return bad("-vary %s: name the KEY alone, of the KEY=value parts", f.Key)
	}
	if f.FromTest != "" && f.Bench != "" {
		return bad("-from-test and -bench exclude each other")
	}
	if err := checkBench(f.Bench); err != nil {
		return bad("-bench %s is not a regular expression: %w", f.Bench, err)
	}
	if err := checkMatrix(f.Matrix, f.Kind); err != nil {
		return bad("-matrix: %w", err)
	}
	if err := f.checkProgram(); err != nil {
		return err
	}
	if f.shard != "" && !f.record {
		return bad("-shard goes with -record")
	}
	if f.shard != "" {
		s, err := study.ParseShard(f.shard)
		if err != nil {
			return bad("-shard: %w", err)
		}
		s.Host, _ = os.Hostname()
		f.shards = &s
	}
	return nil
}

// checkPackages refuses too few packages, or too many.
func (f *tryFlags) checkPackages(m mode) error {
	switch {
	case f.record && (len(f.args) > 1 || len(f.args) == 1 && strings.Contains(f.args[0], "...")):
		return bad("-record takes one package or study: each needs folders of its own")
	case m == modeJudge && len(f.args) > 0 && !build.Exists(f.judge):
		return bad("-judge %s: there is no such file or folder", f.judge)
	case (m == modeResume || m == modeIndex) && len(f.args) > 0:
		return bad("-%s takes no package, it got %s", m, f.args[0])
	case (m == modeVary || m == modeBase) && len(f.args) != 1:
		return bad("-%s needs one package, or a pattern as ./..., it got %d", m, len(f.args))
	case m == modeFiles && len(f.args) != 1:
		return bad("-judge %s is a file: name the one that is compared with it, as in -judge old.txt new.txt; there are %d names after it", f.judge, len(f.args))
	case (m == modeSite || m == modePatch) && len(f.args) != 1:
		return bad("-%s needs one package, the one whose benchmarks run the code, it got %d", m, len(f.args))
	case (m == modeSite || m == modePatch) && strings.Contains(f.args[0], "..."):
		return bad("-%s needs one package, the one whose benchmarks run the code, and no pattern as %s", m, f.args[0])
	case m == modeUnpool && len(f.args) > 1:
		return bad("-unpool takes one package at most, or a pattern as ./..., after the FILE.go:LINE of one pool; it got %d", len(f.args))
	case m == modeVary && f.Bench == "":
		return bad("-vary needs -bench RE, as -bench .")
	case m == modeAA && len(f.args) > 1:
		return bad("-aa takes one package at most, or a pattern as ./..., it got %d", len(f.args))
	case m == modeStudy && len(f.args) == 0:
		return bad("name a study folder or a package, or ask with -site, -vary, -base or -aa; see poolproof try -h")
	}
	return nil
}
