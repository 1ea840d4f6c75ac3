package noise

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
)

const review = `[[report]]
module = "grpc"
version = "v1.85.0"
file = "a/b.go"
line = 7
code = "PV001"
judgement = "false"
why = "another object"
`

func TestReviewsThatAreKeptAreWellFormed(t *testing.T) {
	if _, err := LoadReviews(); err != nil {
		t.Error(err)
	}
}

func TestReviews(t *testing.T) {
	r, err := parseReviews([]byte(review))
	if err != nil {
		t.Fatal(err)
	}
	grpc, err := Named("grpc")
	if err != nil {
		t.Fatal(err)
	}
	grpc.Version = "v1.85.0"
	rep := corpus.Report{File: "a/b.go", Line: 7, Code: "PV001", Col: 3}
	if v := r.Of(grpc, rep); v == nil || v.Why != "another object" {
		t.Errorf("the report that was judged has the judgement %v", v)
	}
	moved, other, newer := rep, rep, grpc
	moved.Line++
	other.Code = "PV002"
	newer.Version = "v1.86.0"
	if r.Of(grpc, moved) != nil || r.Of(grpc, other) != nil || r.Of(newer, rep) != nil {
		t.Error("a report on another line, of another code or at another version passes for judged")
	}
}

func TestWrongReviewsAreRefused(t *testing.T) {
	for name, test := range map[string]struct{ old, new, want string }{
		"an unknown module":    {`"grpc"`, `"gprc"`, "there is no module"},
		"an unknown judgement": {`"false"`, `"maybe"`, "judgement"},
		"no reason":            {`why = "another object"`, "", "says why"},
		"no version":           {`"v1.85.0"`, `""`, "version"},
		"a judgement twice":    {review, review + review, "judged twice"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseReviews([]byte(strings.Replace(review, test.old, test.new, 1)))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one with %q", err, test.want)
			}
		})
	}
}
