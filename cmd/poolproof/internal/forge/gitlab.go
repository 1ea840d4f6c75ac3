package forge

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
)

// GitLab is a merge request on GitLab.
type GitLab struct {
	api, project string
	number       string
	client
}

// NewGitLab is the merge request of a number within a project, which is named by its
// number or path. api is as https://gitlab.com/api/v4.
func NewGitLab(api, project, number, token string) *GitLab {
	h := http.Header{"User-Agent": {"poolproof"}}
	if token != "" {
		h.Set("Private-Token", token)
	}
	return &GitLab{api: api, project: url.PathEscape(project), number: number, client: client{header: h}}
}

// Limit is that of a note on GitLab.
func (g *GitLab) Limit() int { return 1_000_000 }

func (g *GitLab) notes() string {
	return fmt.Sprintf("%s/projects/%s/merge_requests/%s/notes", g.api, g.project, g.number)
}

// Comments lists the notes of the merge request. Those of the token's own user are ours.
func (g *GitLab) Comments(ctx context.Context) ([]Comment, error) {
	var me struct {
		ID int64 `json:"id"`
	}
	if _, err := g.do(ctx, http.MethodGet, g.api+"/user", nil, &me); err != nil {
		return nil, err
	}
	var all []Comment
	for page := "1"; page != ""; {
		var notes []struct {
			ID     int64  `json:"id"`
			Body   string `json:"body"`
			Author struct {
				ID int64 `json:"id"`
			} `json:"author"`
		}
		header, err := g.do(ctx, http.MethodGet, g.notes()+"?sort=asc&per_page=100&page="+url.QueryEscape(page), nil, &notes)
		if err != nil {
			return nil, err
		}
		for _, n := range notes {
			all = append(all, Comment{n.ID, n.Body, n.Author.ID == me.ID})
		}
		page = header.Get("X-Next-Page")
	}
	return all, nil
}

// Create adds a note.
func (g *GitLab) Create(ctx context.Context, text string) error {
	_, err := g.do(ctx, http.MethodPost, g.notes(), written{text}, nil)
	return err
}

// Update replaces the text of a note.
func (g *GitLab) Update(ctx context.Context, id int64, text string) error {
	_, err := g.do(ctx, http.MethodPut, fmt.Sprintf("%s/%d", g.notes(), id), written{text}, nil)
	return err
}
