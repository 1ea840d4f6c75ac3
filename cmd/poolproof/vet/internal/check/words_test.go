package check_test

import (
	"go/token"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
)

func TestWhichCodePutsAnObject(t *testing.T) {
	fset := token.NewFileSet()
	file := fset.AddFile("p.go", -1, 100)
	file.SetLines([]int{0, 10, 20})
	p := &check.Pass{Pass: &analysis.Pass{Fset: fset}}
	for want, put := range map[string]events.Event{
		"line 2 puts b":                                       {},
		"line 2 puts b in the pool bufs":                      {Pool: "bufs"},
		"putBuffer (line 2) puts b in the pool bufs":          {How: events.Released, What: "putBuffer", Pool: "bufs"},
		"the call deferred on line 2 puts b":                  {Deferred: true},
		"the deferred putBuffer (line 2) puts b":              {Deferred: true, How: events.Released, What: "putBuffer"},
		"the call deferred on line 2 puts b in the pool bufs": {Deferred: true, How: events.Released, What: "the function literal", Pool: "bufs"},
		"line 2 hands b to code that puts it":                 {How: events.Handed},
		"Write (line 2) takes b over":                         {How: events.Taken, What: "Write"},
	} {
		put.Kind, put.Pos = events.Put, file.Pos(12)
		if got := p.Puts(put, "b"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
