package sanitize

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/procgroup"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// attempt is one go test to run.
type attempt struct {
	line           gotest.Line
	watch          *watch // nil: plainly
	env            []string
	stdout, stderr io.Writer
}

// watch is how instrumented binaries are to behave.
type watch struct {
	mode   Mode
	delay  int // never, or as -delay
	poison bool
	left   bool // look for what users read that an earlier one has left
}

// never is the delay of an object that does not come back.
const never = -1

// watch is how the first run watches.
func (o Options) watch() *watch {
	w := &watch{mode: o.Mode, delay: never, poison: o.Poison != "off" && o.Delay == nil}
	if o.Delay != nil {
		w.delay = *o.Delay
	}
	return w
}

// config is the value of POOLPROOF_TEST.
func (w watch) config(o Options) string {
	onOff := map[bool]string{true: "on", false: "off"}
	return fmt.Sprintf("mode=%s,delay=%d,poison=%s,leaks=%s,strict=%s,sample=%s,left=%s,sites=%d",
		w.mode, w.delay, onOff[w.poison], onOff[o.Leaks], onOff[o.Strict], w.samples(o), onOff[w.left], mostSites)
}

// samples says where Gets that repeat are not all followed, and so not all counted either.
func (w watch) samples(o Options) string {
	switch {
	case w.delay != never || o.Leaks:
		return "off"
	case w.mode == Fast:
		return "on"
	}
	return "benchmarks" // their operations repeat by design
}

// mostSites is how many distinct reports a process makes; a fork bomb of
// children with one bug must not fill the disk.
const mostSites = 200

// observation holds the findings of one attempt.
type observation struct {
	packages []gotest.Package
	log      *record.Log
	code     int    // of go test
	words    string // the beginning of what it printed to standard error
}

// of returns a package of the run, the zero package if it is not there.
func (o *observation) of(path string) (p gotest.Package) {
	if i := slices.IndexFunc(o.packages, func(q gotest.Package) bool { return q.Path == path }); i >= 0 {
		p = o.packages[i]
	}
	return p
}

// runner runs the go tests of a plan: the second of the three steps, and the same for what
// has to run again.
type runner struct {
	plan     *plan
	attempts int
}

// run runs one go test to its end. Where it was interrupted, it returns what was seen until
// then with the error.
func (r *runner) run(ctx context.Context, a attempt) (*observation, error) {
	r.attempts++
	log := filepath.Join(r.plan.scratch, fmt.Sprintf("records%d.jsonl", r.attempts))
	cmd := r.plan.toolchain.Command(ctx, r.plan.dir, append([]string{"test"}, a.line.Args()...)...)
	env := slices.DeleteFunc(cmd.Env, func(kv string) bool { return strings.HasPrefix(kv, envConfig) }) // of a poolproof that tests us
	if a.watch != nil {
		if err := recordsFile(log); err != nil {
			return nil, fault.Errorf(fault.Tools, "cannot write the records: %w", err)
		}
		env = append(env, envConfig+"="+a.watch.config(r.plan.options), envLog+"="+log, envRules+"="+r.plan.rulesFile)
	}
	cmd.Env = append(env, a.env...)
	watcher := &gotest.Watcher{JSON: asked{line: a.line, env: r.plan.asked.env}.on("json")}
	words := &head{}
	var mu sync.Mutex
	stdout, stderr := &locked{&mu, orNowhere(a.stdout)}, &locked{&mu, orNowhere(a.stderr)}
	cmd.Stdout = io.MultiWriter(watcher, stdout)
	cmd.Stderr = io.MultiWriter(words, stderr)
	procgroup.Own(cmd) // go test and its test binaries
	cmd.WaitDelay = 10 * time.Second
	stop := r.report(ctx, a, progress{log: log, to: stderr, tests: watcher})
	err := cmd.Run()
	stop()
	if ctx.Err() != nil {
		_ = procgroup.Kill(cmd) // what is left of it
	}
	out := &observation{packages: watcher.Packages(), words: words.String()}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		out.code = exit.ExitCode()
	case err != nil && ctx.Err() == nil && !errors.Is(err, exec.ErrWaitDelay):
		return nil, fault.Errorf(fault.Tools, "go test: %w", err)
	}
	var bad error
	if out.log, bad = record.ReadFile(log); bad != nil {
		return nil, bad
	}
	if ctx.Err() != nil || a.watch == nil {
		return out, ctx.Err()
	}
	return out, r.proven(out, watcher.Broken())
}

// report starts to tell how far an attempt is, if it is the one that a user waits for. The function
// that it returns ends that.
func (r *runner) report(ctx context.Context, a attempt, p progress) (stop func()) {
	json := asked{line: a.line, env: r.plan.asked.env}.on("json")
	if a.watch == nil || a.stderr == nil || json || r.plan.options.Baseline != "" {
		return func() {}
	}
	p.plan, p.began, p.every = r.plan, time.Now(), progressEvery
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() { p.run(ctx) })
	return func() {
		cancel()
		wg.Wait()
	}
}

func orNowhere(w io.Writer) io.Writer {
	if w == nil {
		return io.Discard
	}
	return w
}

// ownBuild matches the line that the go command prints above what the compiler
// says of a package.
var ownBuild = regexp.MustCompile(`(?m)^# (\S+)`)

// proven refuses a run in which a binary was not watched: silence would mean
// nothing.
func (r *runner) proven(out *observation, broken []string) error {
	for _, m := range ownBuild.FindAllStringSubmatch(out.words, -1) {
		broken = append(broken, m[1])
	}
	for _, path := range broken {
		if r.plan.packages.sites.Std[path] && !r.plan.packages.paths[path] {
			return fault.Errorf(fault.Defect, "package %s of %s does not compile with the hooks; this is a defect of poolproof:\n%s",
				path, r.plan.toolchain.Version, beginning(out.words))
		}
	}
	if bad := out.log.Unproven(); len(bad) > 0 {
		names := make([]string, len(bad))
		for i, b := range bad {
			names[i] = filepath.Base(b.Binary)
			if path := r.plan.packages.tested[b.Dir]; path != "" {
				names[i] = path
			}
		}
		why := "the hooks are not in it, or it could not write its records to " + r.plan.scratch
		if r.plan.asked.get("exec") != "" {
			why = "the program of -exec must run it here, with our environment"
		}
		for _, p := range out.log.Processes {
			if p.Start == nil && len(p.Notes) > 0 {
				why = strings.Join(p.Notes, "; ") // it says so itself
			}
		}
		return fault.Errorf(fault.Tools, "not watched: the test binary of %s did not say that it is instrumented (%s)", strings.Join(names, ", "), why)
	}
	return r.launched(out)
}

// launched refuses a run in which tests failed without a word of the launcher: it
// could not write, on a full disk for example.
func (r *runner) launched(out *observation) error {
	known := map[string]bool{}
	for _, p := range out.log.Processes {
		if p.Launch != nil {
			known[r.plan.packages.tested[p.Launch.Dir]] = true
		}
	}
	var bad []string
	for _, p := range out.packages {
		if p.State == gotest.Failed && !known[p.Path] {
			bad = append(bad, p.Path)
		}
	}
	if len(bad) > 0 {
		return fault.Errorf(fault.Tools, "not watched: the test binary of %s did not start, or could not write its records to %s; see above", strings.Join(bad, ", "), r.plan.scratch)
	}
	return nil
}

// beginning is the first lines of a text.
func beginning(text string) string {
	lines := strings.SplitN(text, "\n", 7)
	if len(lines) == 7 {
		lines[6] = "..."
	}
	return strings.Join(lines, "\n")
}

// head keeps the beginning of what is written to it.
type head struct{ text []byte }

const headSize = 64 << 10

func (h *head) Write(b []byte) (int, error) {
	h.text = append(h.text, b[:min(len(b), headSize-len(h.text))]...)
	return len(b), nil
}

func (h *head) String() string { return string(bytes.TrimSpace(h.text)) }

// recordsFile makes a file that all processes of the tests may add to.
func recordsFile(name string) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil && os.Geteuid() == 0 {
		err = f.Chmod(0o622)
	}
	if f != nil {
		err = errors.Join(err, f.Close())
	}
	return err
}
