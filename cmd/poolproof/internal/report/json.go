package report

import (
	"io"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// JSON writes verdict.json: the verdict file itself, indented, with the
// version of its schema. docs/schema/verdict.json describes it. A number that
// is not finite is an error.
func JSON(w io.Writer, v study.VerdictFile) error { return study.Encode(w, v) }
