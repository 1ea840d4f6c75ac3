package report

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// binaries describes the plain binaries of a plan that has several, each with
// what sets it apart; "" for a plan with one.
func binaries(p study.Plan) string {
	var parts []string
	for _, b := range p.Binaries {
		if b.Layout > 0 {
			continue
		}
		var apart []string
		for _, s := range []struct{ what, value string }{{"module ", b.Module}, {"tags ", b.Tags}, {"", b.Toolchain}} {
			if s.value != "" {
				apart = append(apart, s.what+s.value)
			}
		}
		name := b.ID
		if len(apart) > 0 {
			name += fmt.Sprintf(" (%s)", strings.Join(apart, ", "))
		}
		parts = append(parts, name)
	}
	if len(parts) < 2 {
		return ""
	}
	return strings.Join(parts, "; ")
}
