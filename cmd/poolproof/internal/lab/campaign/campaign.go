package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/builtin"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/results"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/scratch"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// Options are the choices of the user.
type Options struct {
	Dir      string        // of the campaign
	Budget   time.Duration // of this sitting, real time
	Only     string        // prefix of the IDs of the tasks to do; "" for all
	Size     Size
	Whole    draw          // of the questions about whole costs; "": the others
	Timeout  time.Duration // of one answer
	Progress progress.Reporter
}

// The files of a campaign.
const (
	resultsFile = "campaign.jsonl"
	summaryFile = "CAMPAIGN.md"
	launches    = "launches" // folder: the records of each task, or its run
	sources     = "src"      // folder: the benchmarks
)

// Run does tasks until all are done, the budget of the sitting is spent or
// ctx ends, and writes the summary of all that has been done in the folder so
// far. What is done stays done: another call goes on.
func Run(ctx context.Context, o Options) (Summary, error) {
	if err := os.MkdirAll(filepath.Join(o.Dir, launches), 0o777); err != nil {
		return Summary{}, fault.Option("dir", o.Dir, "%w", err)
	}
	scratch.Sweep()
	scratch, remove, err := scratch.Make()
	if err != nil {
		return Summary{}, err
	}
	defer remove()
	// A folder of the campaign, so that each sitting builds the same binary.
	src := filepath.Join(o.Dir, sources)
	of := setOf(o)
	if err := of.extract(src); err != nil {
		return Summary{}, err
	}
	b, err := experiment.Open(ctx, experiment.Options{
		Question: study.Question{Kind: study.KindAA, Path: src, Timeout: o.Timeout, Clock: "auto"}, Progress: o.Progress,
	}, scratch)
	if err != nil {
		return Summary{}, err
	}
	b.Silence()
	c := &campaign{o: o, b: b, src: src, setup: setup(b.Base(), of.digest)}
	if c.log, c.done, err = read(filepath.Join(o.Dir, resultsFile), c.setup); err != nil {
		return Summary{}, err
	}
	tasks, err := of.tasks(ctx, b)
	if err != nil {
		return Summary{}, err
	}
	stopped := c.sitting(ctx, tasks)
	o.Progress.Clear()
	if stopped != nil && !errors.Is(stopped, context.Canceled) {
		return Summary{}, stopped
	}
	s := summarise(tasks, c.done)
	if err := s.write(filepath.Join(o.Dir, summaryFile)); err != nil {
		return s, err
	}
	return s, stopped
}

// set is a set of benchmarks with the tasks that it has.
type set struct {
	extract func(dir string) error
	digest  string
	tasks   func(ctx context.Context, b *experiment.Bench) ([]Task, error)
}

func setOf(o Options) set {
	if o.Whole != "" {
		return set{o.Whole.extract, o.Whole.digest(), func(context.Context, *experiment.Bench) ([]Task, error) { return wholeTasks(o.Whole), nil }}
	}
	return set{builtin.Extract, builtin.Digest(), func(ctx context.Context, b *experiment.Bench) ([]Task, error) {
		leaves, err := b.Leaves(ctx, "^BenchmarkGarbage$")
		return Tasks(pairsOf(leaves), o.Size), err
	}}
}

// Print makes the summary of the results in a folder, whichever rule and machine
// they are of: it measures nothing.
func Print(dir string) (Summary, error) {
	name := filepath.Join(dir, resultsFile)
	if _, err := os.Stat(name); err != nil {
		return Summary{}, fault.Option("dir", dir, "%w", err)
	}
	_, done, err := read(name, "")
	if err != nil {
		return Summary{}, err
	}
	var tasks []Task
	for _, id := range slices.Sorted(maps.Keys(done)) {
		if t, ok := taskOf(id); ok {
			tasks = append(tasks, t)
		}
	}
	return summarise(tasks, done), nil
}

// pairsOf returns the values of pair= in benchmark names, in their order.
func pairsOf(leaves []string) []string {
	var pairs []string
	for _, l := range leaves {
		_, rest, _ := strings.Cut(l, "/pair=")
		pair, _, _ := strings.Cut(rest, "/")
		if pair != "" && !slices.Contains(pairs, pair) {
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

// setup identifies what results depend on: results of two set-ups are not
// counted together. benchmarks is the digest of their sources.
func setup(p study.Plan, benchmarks string) string {
	b, err := json.Marshal(struct {
		Rule           study.Rule
		Benchmarks, Go string
		Env            []string
		CPU            string
		Cores          int
	}{stat.DefaultRule(), benchmarks, p.Toolchain, p.Env, p.Machine.CPU, p.Machine.Cores})
	if err != nil {
		panic(err) // plain values
	}
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:6])
}

type campaign struct {
	o     Options
	b     *experiment.Bench
	src   string // folder of the benchmarks
	setup string
	log   *results.Log[Result]
	done  map[string]Result
}

func (c *campaign) sitting(ctx context.Context, tasks []Task) error {
	start := time.Now()
	left := 0
	for _, t := range tasks {
		if _, ok := c.done[t.ID]; !ok && strings.HasPrefix(t.ID, c.o.Only) {
			left++
		}
	}
	for _, t := range tasks {
		if _, ok := c.done[t.ID]; ok || !strings.HasPrefix(t.ID, c.o.Only) {
			continue
		}
		if _, ok := c.done[t.Pair]; t.Section == SectionBenchstat && !ok {
			continue
		}
		if time.Since(start) >= c.o.Budget {
			return nil
		}
		c.o.Progress.Measure(time.Since(start), c.o.Budget, fmt.Sprintf("%s, %d tasks left", t.ID, left))
		r, err := c.do(ctx, t)
		if err != nil {
			return err
		}
		base := c.b.Base()
		r.ID, r.Setup, r.Rule, r.Toolchain, r.Machine = t.ID, c.setup, stat.Version, base.Toolchain, base.Machine
		if err := c.log.Add(r); err != nil {
			return err
		}
		c.done[t.ID] = r
		left--
	}
	return nil
}

func (c *campaign) do(ctx context.Context, t Task) (r Result, err error) {
	switch t.Section {
	case SectionBenchstat:
		return c.benchstat(ctx, t)
	case SectionTruth:
		return c.truth(ctx, t, truthPairs, truthTime)
	case SectionAsk:
		return c.ask(ctx, t)
	case SectionLong:
		return c.truth(ctx, t, longPairs, t.Long)
	case SectionNeighbours:
		err = withNeighbours(ctx, func() error {
			r, err = c.compare(ctx, t)
			return err
		})
		return r, err
	default:
		return c.compare(ctx, t)
	}
}

// compare asks the engine and the rule, as for a user.
func (c *campaign) compare(ctx context.Context, t Task) (Result, error) {
	h := fnv.New64a()
	h.Write([]byte(t.ID))
	log := logOf(filepath.Join(c.o.Dir, launches), t.ID)
	res, err := c.b.Compare(ctx, t.comparison(), t.Budget, h.Sum64(), log)
	if err != nil {
		return Result{}, err
	}
	r := resultOf(res)
	r.Collects, err = collects(log)
	return r, err
}

// resultOf returns the part of a judgement that the campaign keeps.
func resultOf(res study.Result) Result {
	r := Result{
		Verdict: res.Verdict, Time: res.Time, Memory: res.Memory, Estimator: res.Estimator,
		Effect: res.Deciding.Effect, Lo: res.Deciding.Lo, Hi: res.Deciding.Hi,
		Mutator: res.MWall.Effect, Spent: res.Spent, Foreign: res.Foreign,
	}
	if why := words.Reasons(res); len(why) > 0 {
		r.Reason = why[0]
	}
	return r
}

// logOf is the file of a folder that keeps the launches of a task.
func logOf(dir, id string) string {
	return filepath.Join(dir, strings.NewReplacer("/", "_", ",", "_").Replace(id)+".jsonl")
}

// collects is the mean number of collections in a burst, over the short bursts of
// a task's launches; nil if there are none.
func collects(log string) (*float64, error) {
	f, err := os.Open(log)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	records, _, err := study.ReadRecords(f, log)
	if err != nil {
		return nil, err
	}
	bursts, collections := 0, 0
	for _, r := range records {
		if r.Form != study.FormBursts {
			continue
		}
		for _, side := range study.Sides {
			for _, n := range r.Columns(side).GCs {
				bursts++
				collections += int(n)
			}
		}
	}
	if bursts == 0 {
		return nil, nil
	}
	mean := float64(collections) / float64(bursts)
	return &mean, nil
}
