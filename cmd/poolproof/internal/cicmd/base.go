package cicmd

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/forge"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/git"
)

// request says what to compare.
type request struct {
	top    string // of the repository
	base   string // commit that the request left
	label  string // for people
	differ git.Changes
}

// findRequest finds the commit that the working tree left, and what differs since.
func findRequest(ctx context.Context, dir, base string, job forge.Job) (request, error) {
	var r request
	var err error
	if r.top, err = git.Top(ctx, dir); err != nil {
		return r, fault.Errorf(fault.Input, "%s is not in a usable git repository: %w", dir, err)
	}
	candidates := []string{base}
	if base == "" {
		candidates = []string{job.Base}
		if job.Branch != "" {
			candidates = append(candidates, "origin/"+job.Branch)
		}
		if job.Base == "" && job.Branch == "" {
			candidates = []string{"origin/HEAD"}
		}
	}
	apart := ""
	for _, rev := range candidates {
		if rev == "" {
			continue
		}
		if r.label == "" || base == "" {
			r.label = rev
		}
		hash, err := git.Commit(ctx, r.top, rev)
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		if err != nil {
			continue
		}
		common, err := git.Text(ctx, r.top, "merge-base", hash, "HEAD")
		if ctx.Err() != nil {
			return r, ctx.Err()
		}
		if err != nil { // a shallow clone may not know where they met
			apart = rev
			continue
		}
		r.base = common
		break
	}
	if r.base == "" {
		return r, missing(ctx, r.top, candidates, apart, job)
	}
	r.label = name(r.label, r.base)
	r.differ, err = git.Diff(ctx, r.top, r.base, "")
	if err != nil {
		return r, fault.Option("base", r.label, "%w", err)
	}
	return r, nil
}

// name is a revision for people, with its commit.
func name(rev, hash string) string {
	short := hash[:min(8, len(hash))]
	if strings.HasPrefix(hash, rev) || len(rev) == len(hash) { // rev is a commit itself, and hash its ancestor
		return short
	}
	return rev + " (" + short + ")"
}

// missing is the error of a base that is not there, with the command that brings it; apart is
// one that is there.
func missing(ctx context.Context, top string, candidates []string, apart string, job forge.Job) error {
	rev := cmp.Or(candidates...)
	fetch := "git fetch origin " + strings.TrimPrefix(rev, "origin/")
	shallow, _ := git.Text(ctx, top, "rev-parse", "--is-shallow-repository")
	why := "there is no such revision here"
	switch {
	case shallow == "true":
		why, fetch = "the clone is shallow and does not hold the commit that the request left", "git fetch --unshallow origin"
		if job.Branch != "" {
			fetch += fmt.Sprintf(" +refs/heads/%s:refs/remotes/origin/%[1]s", job.Branch)
		}
		if job.Host == "GitHub" {
			fetch += " (or fetch-depth: 0 for actions/checkout)"
		}
		if job.Host == "GitLab" {
			fetch += " (or GIT_DEPTH: 0 for the job)"
		}
	case apart != "":
		return fault.Option("base", apart, "it has no commit in common with HEAD")
	case rev == "origin/HEAD":
		return fault.Errorf(fault.Input, "there is no origin/HEAD here: name the base, as in -base origin/main")
	}
	return fault.Option("base", rev, "%s; run %s", why, fetch)
}
