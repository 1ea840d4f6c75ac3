package sanitize

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// progress says on standard error how far a run is, and shows the first finding when its record is
// there: go test holds the output of a package back until the package is done.
type progress struct {
	plan  *plan
	log   string // file of the records
	to    *locked
	tests *gotest.Watcher
	began time.Time
	every time.Duration
	shown bool // the first finding
}

const (
	progressEvery = 10 * time.Second
	findingsEvery = time.Second
)

// run reports until the context ends.
func (p *progress) run(ctx context.Context) {
	look := time.NewTicker(min(findingsEvery, p.every))
	defer look.Stop()
	next := p.began.Add(p.every)
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-look.C:
			if !p.shown {
				p.first()
			}
			if !now.Before(next) {
				next = now.Add(p.every)
				p.tell(now)
			}
		}
	}
}

// tell writes how many packages are left.
func (p *progress) tell(now time.Time) {
	all, done := len(p.plan.packages.paths)-len(p.plan.left), p.tests.Done()
	if done >= all {
		return
	}
	what := ""
	if done == 0 {
		what = "; the first run builds everything with instrumentation"
	}
	fmt.Fprintf(p.to, "poolproof: %d of %d packages tested, %d left, after %s%s\n", done, all, all-done, now.Sub(p.began).Round(time.Second), what)
}

// first shows the first finding that counts, if there is one.
func (p *progress) first() {
	log, err := record.ReadFile(p.log)
	if err != nil || len(log.Processes) == 0 {
		return
	}
	sites := p.plan.packages.sites
	reports := finding.Collect(log, log.Dirs(), p.plan.packages.tested, sites)
	finding.Apply(p.plan.directives, reports)
	for _, r := range reports {
		if r.Severity != record.Error || r.Suppressed != nil {
			continue
		}
		var b bytes.Buffer
		fmt.Fprintf(&b, "poolproof: the first finding, after %s; the tests go on, and the summary has all of them:\n", time.Since(p.began).Round(time.Second))
		printer := finding.Printer{Sites: sites, Base: p.plan.dir}
		for _, f := range finding.Group([]*finding.Report{r}, sites) {
			printer.Print(&b, 1, f)
		}
		_, _ = p.to.Write(b.Bytes())
		p.shown = true
		return
	}
}

// locked is a writer for several goroutines; writers with the same lock may write to the same place.
type locked struct {
	mu *sync.Mutex
	to io.Writer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.to.Write(b)
}
