package term

import (
	"io"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// NoiseFloor writes the table of an A/A run, in which every benchmark was
// compared with itself: the class and the effect that were found where there
// is none, the standard deviation of a launch, and the half-width of the
// interval, which is the smallest effect that this machine could have shown.
func NoiseFloor(w io.Writer, v study.VerdictFile) error {
	var t text
	rs := words.Rows(v)
	t.grid("", words.FloorGrid(rs))
	t.line("")
	t.line(words.ToldApart(rs))
	t.section("Reasons", words.Because(rs, func(r words.Row) bool { return r.Verdict != study.NoChange }))
	t.section("Failed", words.Failed(v, rs))
	t.section("Not measured", words.NotMeasured(rs))
	t.section("Nothing timed", words.Empty(rs))
	t.section("Busy machine", words.Disturbed(rs))
	return t.writeTo(w)
}
