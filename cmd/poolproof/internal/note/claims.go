package note

import (
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// claimSection counts what became of the claims, and sets what was published beside
// what was found.
func claimSection(claims []study.ClaimResult) string {
	t := mdTable{Head: []string{"claim", "published", "found here", "outcome"}}
	for _, c := range claims {
		t.add(c.Text, words.Published(c), words.Found(c), words.Outcome(c))
	}
	return outcomesOf(claims) + ":\n\n" + t.String()
}
