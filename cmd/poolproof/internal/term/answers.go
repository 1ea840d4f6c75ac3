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
	t.grid("", words.Pools(answers))
	t.list("What each pool saves, against the best program without it", words.Savings(answers))
	t.list("To take one out (-write takes out all)", words.Patches(answers))
	return t.writeTo(w)
}

// Variants writes the answer to a KindSite question: a line a variant, the best first, and
// below them what is to be known of them.
func Variants(w io.Writer, columns int, answers []study.VariantAnswer) error {
	t := text{columns: columns}
	t.grid("", words.Variants(answers))
	t.list("What is to be known", words.VariantNotes(answers))
	t.list("To apply one that pays (-write applies the best)", words.VariantPatches(answers))
	return t.writeTo(w)
}
