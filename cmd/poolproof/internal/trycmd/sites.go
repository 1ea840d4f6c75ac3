package trycmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/candidate"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile/own"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// isPackage reports whether an argument names a folder with Go files that is no study.
func isPackage(arg string) bool {
	if _, err := os.Stat(filepath.Join(arg, study.FileName)); err == nil {
		return false
	}
	files, _ := filepath.Glob(filepath.Join(arg, "*.go"))
	return len(files) > 0
}

// How many sites are tried where the user names none, and which share of the bytes or of the
// objects of all benchmarks they have at least.
const (
	bestSites  = 3
	worthTry   = 0.05
	profileMax = time.Minute
)

// measured is the question about one package with sites whose objects have a size: those that
// the user named, or the best of the package's benchmarks.
func (f *tryFlags) measured(ctx context.Context) (study.Question, error) {
	q := f.of(f.args[0])
	sized := strings.Contains(q.Site, "@") || q.FromTest != ""
	if q.Patch != "" || q.Site != "" && sized {
		return q, nil
	}
	if q.Site != "" { // before half a minute of profiles
		if err := checkSites(ctx, q); err != nil {
			return q, err
		}
	}
	say := progress.Reporter(progress.New(os.Stderr))
	if f.json && !f.verbose {
		say = progress.Quiet()
	}
	budget := min(profileMax, q.Budget)
	if f.mode == modeBest { // which is for all
		budget = min(profileMax, q.Budget/4)
	}
	a, err := own.Ask(ctx, own.Question{
		Patterns: f.args[:1], Tags: q.Tags, Bench: q.Bench, Budget: budget, Timeout: q.Timeout, Progress: say,
		CPU: f.mode == modeBest,
	})
	say.Clear()
	if a != nil {
		defer a.Close()
	}
	switch {
	case ctx.Err() != nil:
		return q, ctx.Err()
	case q.Site != "" && err != nil:
		return q, nil // what is wrong with the package is said in its place
	case err != nil:
		if e := new(fault.Error); f.mode == modeBest && errors.As(err, &e) && e.Option == "budget" {
			err = fault.Option("budget", q.Budget.String(), "of it, a quarter is for the profile: %w", e.Err)
		}
		return q, err
	case q.Site != "":
		q.Site = sizedSites(q.Site, a.Profile)
		return q, nil
	}
	return f.best(ctx, q, a)
}

// checkSites returns an error for a place that is none.
func checkSites(ctx context.Context, q study.Question) error {
	files, err := os.MkdirTemp("", "poolproof-sites")
	if err != nil {
		return err
	}
	defer os.RemoveAll(files)
	return build.CheckSites(ctx, experiment.Options{Question: q}, files)
}

// sizedSites adds the measured size of an object to each place.
func sizedSites(places string, p *profile.Profile) string {
	all := strings.Split(places, ",")
	for i, place := range all {
		place, seen := strings.CutSuffix(place, "+observed")
		file, rest, _ := strings.Cut(filepath.ToSlash(place), ":")
		line, _, _ := strings.Cut(rest, ":")
		var most *profile.Site
		for _, s := range p.Sites {
			name := filepath.ToSlash(s.File)
			if fmt.Sprint(s.Line) == line && (name == file || strings.HasSuffix(name, "/"+strings.TrimPrefix(file, "./"))) && (most == nil || s.Bytes > most.Bytes) {
				most = s
			}
		}
		if most != nil && most.Objects > 0 {
			all[i] = fmt.Sprintf("%s@%.0f", place, most.Bytes/most.Objects)
			if seen {
				all[i] += "+observed"
			}
		}
	}
	return strings.Join(all, ",")
}

// tooLittle says that a change of a site can win little of each benchmark, however many objects it saves: neither time,
// by its bound, nor bytes; "" where it can win more, or where no CPU profile gave a bound.
func tooLittle(s *profile.Site) string {
	bytes := 0.0
	for _, b := range s.Benchmarks {
		bytes = max(bytes, b.ByteShare)
	}
	if s.Bound.Benchmark == "" || s.Bound.CPU >= worthTry || bytes >= worthTry {
		return ""
	}
	return fmt.Sprintf("a change can win at most %.1f %% of the CPU time and %.1f %% of the bytes of any benchmark", 100*s.Bound.CPU, 100*bytes)
}

// best names the sites where most can be won.
func (f *tryFlags) best(ctx context.Context, q study.Question, a *own.Answer) (study.Question, error) {
	hot := a.Profile.Hot(worthTry, 0)
	all, err := candidate.Of(ctx, a.Scope, hot)
	if err != nil {
		return q, err
	}
	var places []string
	why := ""
	for _, c := range all {
		not := c.Why
		if c.Tryable() {
			not = tooLittle(c.Site)
		}
		if not != "" {
			why = cmp.Or(why, fmt.Sprintf("%s:%d: %s", filepath.Base(c.File), c.Line, not))
			continue
		}
		if len(places) == bestSites {
			break
		}
		place := fmt.Sprintf("%s:%d", filepath.ToSlash(build.FromHere(c.File)), c.Line)
		if c.Column > 0 {
			place += fmt.Sprintf(":%d", c.Column)
		}
		if c.Objects > 0 {
			place += fmt.Sprintf("@%.0f", c.Bytes/c.Objects)
		}
		places = append(places, place)
	}
	if len(places) == 0 {
		if why != "" {
			why = "; the largest, " + why
		}
		return q, build.Nothing{Err: fault.Errorf(fault.Input, "%s: nothing can be tried where %.0f %% of the bytes or of the objects or more come from (%d places)%s; poolproof find -why %s lists them",
			q.Path, 100*worthTry, len(hot), why, q.Path)}
	}
	q.Site = strings.Join(places, ",")
	return q, nil
}
