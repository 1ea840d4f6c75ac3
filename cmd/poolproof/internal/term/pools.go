package term

import (
	"io"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// Pools writes the answer to a KindUnpool question: a line a pool, the least useful
// first, below them what each saves, and why some were not asked.
func Pools(w io.Writer, columns int, answers []study.PoolAnswer) error {
	t := text{columns: columns}
	for _, l := range words.Pools(answers).Lines() {
		t.line(l)
	}
	t.list("What each pool saves, against the best program without it", words.Savings(answers))
	t.list("To take one out (-write takes out all)", words.Patches(answers))
	return t.writeTo(w)
}

// list writes lines below a heading.
func (t *text) list(heading string, lines []string) {
	if len(lines) == 0 {
		return
	}
	t.line("")
	t.line(heading)
	for _, l := range lines {
		t.item(l)
	}
}
