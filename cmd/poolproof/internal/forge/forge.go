// Package forge keeps one comment of a pull request up to date, by the HTTP
// interface of the code host: GitHub or GitLab.
//
// A comment is found by a mark in its text that readers do not see. It counts only if
// it may be our own: else a stranger could have us write into theirs.
package forge

import (
	"context"
	"strings"
)

// Forge is the list of comments of one pull request. Its methods may be called by one
// goroutine at a time.
type Forge interface {
	// Comments lists the comments, oldest first.
	Comments(ctx context.Context) ([]Comment, error)
	// Create adds a comment.
	Create(ctx context.Context, text string) error
	// Update replaces the text of a comment.
	Update(ctx context.Context, id int64, text string) error
	// Limit is the length of a comment in bytes, at most.
	Limit() int
}

// Comment is a comment of a pull request.
type Comment struct {
	ID   int64
	Text string
	Ours bool // the token that asks may have written it
}

// Done says what [Keep] did.
type Done string

// What Keep may do.
const (
	Nothing Done = "nothing" // to say, and nothing was said before
	Same    Done = "same"    // it stands there already
	Created Done = "created"
	Updated Done = "updated"
)

// Mark is the line by which the comment of a job is found again.
func Mark(job string) string {
	return "<!-- poolproof:" + strings.ReplaceAll(job, "--", "- -") + " -->"
}

// Keep makes text the text of the one comment of a job. Where there is no such
// comment and nothing worth one, none is made. An *Error says what the forge
// answered.
func Keep(ctx context.Context, f Forge, job, text string, worth bool) (Done, error) {
	mark := Mark(job)
	all, err := f.Comments(ctx)
	if err != nil {
		return Nothing, err
	}
	text = mark + "\n" + cut(text, f.Limit()-len(mark)-1)
	for _, c := range all {
		if !c.Ours || !strings.HasPrefix(strings.TrimSpace(c.Text), mark) {
			continue
		}
		if lines(c.Text) == lines(text) {
			return Same, nil
		}
		return Updated, f.Update(ctx, c.ID, text)
	}
	if !worth {
		return Nothing, nil
	}
	return Created, f.Create(ctx, text)
}

// lines is a text as forges keep it: some change the ends of lines.
func lines(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }

// cut shortens a text to whole lines.
func cut(text string, most int) string {
	const rest = "\n(The rest is in the summary of the job.)\n"
	if len(text) <= most {
		return text
	}
	text = text[:most-len(rest)]
	return text[:strings.LastIndexByte(text, '\n')+1] + rest
}
