package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/poolproof/poolproof/systems/flow"
)

func TestItCountsAndNamesTheLinesThatAreNone(t *testing.T) {
	var bad, out strings.Builder
	counts, err := count(t.Context(), strings.NewReader(sample), &bad)
	if err != nil {
		t.Fatal(err)
	}
	report(&out, counts)
	if want := `200     4 requests       9ms each
201     1 requests      41ms each
404     2 requests     1.5ms each
500     1 requests        2s each
`; out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	if want := `skipped: not four fields: "segmentation fault"
skipped: the status is not a number: "GET /users two-hundred 8ms"
`; bad.String() != want {
		t.Errorf("got\n%swant\n%s", bad.String(), want)
	}
}

func TestALargeLog(t *testing.T) {
	var log strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&log, "GET /users/%d %d 2ms\n", i, 200+i%3)
	}
	counts, err := count(t.Context(), iotest.HalfReader(strings.NewReader(log.String())), io.Discard)
	if err != nil || len(counts) != 3 || counts[200].Requests != 33_334 {
		t.Errorf("%v and error %v", counts, err)
	}
}

func TestADiskThatFailsEndsIt(t *testing.T) {
	broken := errors.New("the disk is gone")
	log := io.MultiReader(strings.NewReader("GET / 200 1ms\n"), iotest.ErrReader(broken))
	counts, err := count(t.Context(), log, io.Discard)
	if err != broken || counts[200].Requests != 1 {
		t.Errorf("%v and error %v", counts, err)
	}
}

func TestThePicture(t *testing.T) {
	want := `1: lines of *strings.Reader
   → 2
2: async, up to 4 batches wait
   map main.parse
   → the sink
`
	got := strings.ReplaceAll(flow.Describe(requests(strings.NewReader(""))), "logcounts.parse", "main.parse") // a test has another name for main
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
