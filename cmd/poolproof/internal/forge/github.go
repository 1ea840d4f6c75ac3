package forge

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
)

// GitHub is a pull request on GitHub.
type GitHub struct {
	api, repo string
	number    int
	client
}

// NewGitHub is the pull request of a number in a repository, as "owner/name". api is
// as https://api.github.com.
func NewGitHub(api, repo string, number int, token string) *GitHub {
	h := http.Header{"Accept": {"application/vnd.github+json"}, "X-Github-Api-Version": {"2022-11-28"}, "User-Agent": {"poolproof"}}
	if token != "" {
		h.Set("Authorization", "Bearer "+token)
	}
	return &GitHub{api: api, repo: repo, number: number, client: client{header: h}}
}

// Limit is that of a comment on GitHub.
func (g *GitHub) Limit() int { return 65000 }

// trusted are GitHub's words for people of the repository.
var trusted = []string{"OWNER", "MEMBER", "COLLABORATOR"}

// nextPage finds the following page in the header Link.
var nextPage = regexp.MustCompile(`<([^>]*)>; *rel="next"`)

// Comments lists the comments of the pull request. Those of programs and of the
// repository's own people may be ours: a token cannot ask who it is.
func (g *GitHub) Comments(ctx context.Context) ([]Comment, error) {
	var all []Comment
	url := fmt.Sprintf("%s/repos/%s/issues/%d/comments?per_page=100", g.api, g.repo, g.number)
	for url != "" {
		var page []struct {
			ID          int64  `json:"id"`
			Body        string `json:"body"`
			Association string `json:"author_association"`
			User        struct {
				Type string `json:"type"`
			} `json:"user"`
		}
		header, err := g.do(ctx, http.MethodGet, url, nil, &page)
		if err != nil {
			return nil, err
		}
		for _, c := range page {
			all = append(all, Comment{c.ID, c.Body, c.User.Type == "Bot" || slices.Contains(trusted, c.Association)})
		}
		url = ""
		if m := nextPage.FindStringSubmatch(header.Get("Link")); m != nil {
			url = m[1]
		}
	}
	return all, nil
}

// Create adds a comment.
func (g *GitHub) Create(ctx context.Context, text string) error {
	_, err := g.do(ctx, http.MethodPost, fmt.Sprintf("%s/repos/%s/issues/%d/comments", g.api, g.repo, g.number), written{text}, nil)
	return err
}

// Update replaces the text of a comment.
func (g *GitHub) Update(ctx context.Context, id int64, text string) error {
	_, err := g.do(ctx, http.MethodPatch, fmt.Sprintf("%s/repos/%s/issues/comments/%d", g.api, g.repo, id), written{text}, nil)
	return err
}
