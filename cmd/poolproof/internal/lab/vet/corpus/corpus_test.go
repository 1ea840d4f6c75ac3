package corpus_test

import (
	"context"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus/variant"
)

var variants = flag.Bool("variants", false, "judge the variants of the corpus too: some minutes")

// What must be found, and what may be reported in right code. The numbers are
// those that were reached: who loses one has to say why.
const (
	mustFind      = 467
	mustFindError = 266 // of them in the error tier
	mayBeFalse    = 0
)

// The same of the bugs that were published, which were written without sight of
// the analysis.
const (
	mustFindHeld      = 55
	mustFindHeldError = 20
	mayBeFalseHeld    = 0
)

// The same of everyday services. The first run, before the rules were mended with them in
// sight, found 34, 16 of them in the error tier, with 2 false reports.
const (
	mustFindFresh      = 44
	mustFindFreshError = 19
	mayBeFalseFresh    = 0
)

// The same of programs that have a shape each. The first run found 88 within three lines,
// 33 of them in the error tier, with 3 false reports.
const (
	mustFindAsked      = 94
	mustFindAskedError = 36
	mayBeFalseAsked    = 1
)

func TestTheCorpusIsAsLargeAsItSays(t *testing.T) {
	c := load(t)
	wants, byCode := 0, make(map[string]int)
	for _, f := range c.Funcs {
		for _, m := range f.Wants() {
			wants++
			for _, code := range m.Codes {
				byCode[code]++
			}
		}
	}
	if fines := c.Count(corpus.Fine); wants < 70 || fines < 160 {
		t.Errorf("%d wants and %d places that must stay silent; at least 70 and 160 are promised", wants, fines)
	}
	for n := 1; n <= 19; n++ {
		if code := fmt.Sprintf("PV%03d", n); byCode[code] < 3 {
			t.Errorf("%d wants of %s: too few to say anything", byCode[code], code)
		}
	}
}

func TestDefectsOfTheCorpusAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("analyses some dozens of packages and what they import")
	}
	s := judge(t, load(t))
	errors := 0
	for _, h := range s.Hits {
		if h.Report.Tier == "error" {
			errors++
		}
	}
	t.Logf("%d of %d wants found, %d in the error tier; %d false reports", len(s.Hits), s.Wants(), errors, len(s.False))
	if len(s.Hits) < mustFind || errors < mustFindError || len(s.False) > mayBeFalse {
		t.Errorf("%d wants found, %d in the error tier, %d false reports; it was %d, %d and %d",
			len(s.Hits), errors, len(s.False), mustFind, mustFindError, mayBeFalse)
		show(t, s)
	}
}

func TestPublishedBugsAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("analyses some packages and what they import")
	}
	judgeFolder(t, corpus.Held(), 70, 130, mustFindHeld, mustFindHeldError, mayBeFalseHeld)
}

func TestMistakesOfEverydayServicesAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("analyses some packages and what they import")
	}
	judgeFolder(t, corpus.Fresh(), 45, 55, mustFindFresh, mustFindFreshError, mayBeFalseFresh)
}

func TestShapesThatWereAskedForAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("analyses some hundreds of packages and what they import")
	}
	judgeFolder(t, corpus.Asked(), 140, 0, mustFindAsked, mustFindAskedError, mayBeFalseAsked)
}

// judgeFolder judges a folder that promises so many wants and silent places.
func judgeFolder(t *testing.T, folder string, wants, fines, find, findError, mayBeFalse int) {
	t.Helper()
	c, err := corpus.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	s := judge(t, c)
	errors := 0
	for _, h := range s.Hits {
		if h.Report.Tier == "error" {
			errors++
		}
	}
	t.Logf("%d of %d wants found, %d in the error tier; %d false reports in %d places", len(s.Hits), s.Wants(), errors, len(s.False), c.Count(corpus.Fine))
	if s.Wants() < wants || c.Count(corpus.Fine) < fines {
		t.Errorf("%d wants and %d places that must stay silent; at least %d and %d are promised", s.Wants(), c.Count(corpus.Fine), wants, fines)
	}
	if len(s.Hits) < find || errors < findError || len(s.False) > mayBeFalse {
		t.Errorf("%d wants found, %d in the error tier, %d false reports; it was %d, %d and %d",
			len(s.Hits), errors, len(s.False), find, findError, mayBeFalse)
		show(t, s)
	}
}

// Of a hundred variants a few change what an analysis can know; so many must be
// found, and so few reported in right code.
const (
	variantsFound = 0.92  // share of the wants
	variantsFalse = 0.018 // share of the silent places
)

func TestDefectsOfTheVariantsAreFound(t *testing.T) {
	if !*variants {
		t.Skip("without -variants")
	}
	v, err := variant.Write(t.Context(), corpus.Folder(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := judge(t, v.Corpus)
	found := float64(len(s.Hits)) / float64(s.Wants())
	falls := float64(len(s.False)) / float64(v.Count(corpus.Fine))
	t.Logf("%d of %d wants found (%.1f %%); %d false reports in %d places (%.2f %%)",
		len(s.Hits), s.Wants(), 100*found, len(s.False), v.Count(corpus.Fine), 100*falls)
	if found < variantsFound || falls > variantsFalse {
		t.Errorf("found %.3f, false %.4f; want at least %.3f and at most %.4f", found, falls, variantsFound, variantsFalse)
		show(t, s)
	}
}

func load(t *testing.T) *corpus.Corpus {
	t.Helper()
	c, err := corpus.Load(corpus.Folder())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// judge analyses c with the command that is built from this checkout.
func judge(t *testing.T, c *corpus.Corpus) corpus.Score {
	t.Helper()
	tool, err := corpus.Build(context.Background(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	run, err := tool.Vet(t.Context(), c.Dir, "./...")
	if err != nil {
		t.Fatal(err)
	}
	if len(run.Failures) > 0 {
		t.Fatalf("the analysis failed:\n%s", strings.Join(run.Failures, "\n"))
	}
	return c.Score(run.Reports)
}

func show(t *testing.T, s corpus.Score) {
	t.Helper()
	var b strings.Builder
	s.Extra, s.Noted = nil, nil
	s.Details(&b)
	t.Log(b.String())
}
