package term

import (
	"io"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// Variants writes the answer to a KindSite question: a line a variant, the best first, and
// below them what is to be known of them.
func Variants(w io.Writer, columns int, answers []study.VariantAnswer) error {
	t := text{columns: columns}
	for _, l := range words.Variants(answers).Lines() {
		t.line(l)
	}
	t.list("What is to be known", words.VariantNotes(answers))
	t.list("To apply one that pays (-write applies the best)", words.VariantPatches(answers))
	return t.writeTo(w)
}
