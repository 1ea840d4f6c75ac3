package record

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/committed"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestASizeFollowsFromItsFigure(t *testing.T) {
	for _, tt := range []struct {
		published, size string
		want            bool
	}{
		{"51 µs -> 106 µs", "2.1x more", true},
		{"51 µs -> 106 µs", "2.2x more", false},
		{"900 ns -> 1.8 µs", "2x more", true},
		{"22.81 ns against 14.31 ns", "59.4 % more", true},
		{"22.81 ns against 14.31 ns", "94.5 % more", false},
		{"+9.22 %", "9.22 % more", true},
		{"+9.22 %", "16 % more", false},
		{"+9.22 %", "9.22 % less", false},
		{"12 % slower", "12 % more", true},
		{"2,880 B -> 547,803 B (+18,921 %)", "190x more", true},
		{"2,880 B -> 547,803 B (+18,921 %)", "19x more", false},
		{"-12.9 % logs/s", "14.8 % more", true},
		{"4 MB less of 200 MB", "2 % less", true},
		{"4 MB less of 200 MB", "3 % less", false},
		{"+20 allocations of 87,739", "20 more", true},
		{"+20 allocations of 87,739", "21 more", false},
		{"9000 bytes to 48", "to 48", true},
		{"~1.5x-2x", "1.75x more", true},
		{"4-5x", "4.5x more", true},
		{"4-5x", "6x more", false},
		{"each 3-5 s to each 60 s", "15x less", true},
		{"78 times as fast (8.2 ns, 641.9 ns)", "78x less", true},
		{"", "12 % more", true}, // a source of words alone
		{"no change", "", true},
	} {
		if got := derived(tt.published, tt.size); got != tt.want {
			t.Errorf("%q follows from %q: %v", tt.size, tt.published, got)
		}
	}
}

func TestTheListHasEachClaimOnce(t *testing.T) {
	studies := []committed.Study{{Dir: "studies/a", File: study.File{Path: "studies/a/study.toml", Claims: []study.Claim{{Text: "x", Published: "+9 %", Size: "9 % more"}, {Text: "y"}}}}}
	right := func() []document {
		return []document{{Name: "d", Claim: []documentClaim{
			{Text: "x is slower", Figure: "+9 %", Rows: []string{"a: x"}}, {Text: "y is said", Rows: []string{"a: y"}}, {Text: "z cannot be judged", Why: "It has no figure."},
		}}}
	}
	for _, tt := range []struct {
		name   string
		change func(d *document, c []study.Claim)
		want   string
	}{
		{"as it is", func(*document, []study.Claim) {}, ""},
		{"a claim that left the list", func(d *document, _ []study.Claim) { d.Claim = d.Claim[1:] }, `"a: x" is in no document`},
		{"a claim that left its study", func(_ *document, c []study.Claim) { c[0].Text = "other" }, `is judged by "a: x", which no study has`},
		{"another figure in the list", func(d *document, _ []study.Claim) { d.Claim[0].Figure = "+8 %" }, `has the figure "+8 %"`},
		{"another figure in the study", func(_ *document, c []study.Claim) { c[0].Published, c[0].Size = "+8 %", "8 % more" }, `and "a: x" has "+8 %"`},
		{"another size", func(_ *document, c []study.Claim) { c[0].Size = "16 % more" }, `the size "16 % more" of the claim "x" does not follow`},
		{"neither rows nor a reason", func(d *document, _ []study.Claim) { d.Claim[2].Why = "" }, "no sentence why"},
		{"rows and a reason", func(d *document, _ []study.Claim) { d.Claim[0].Why = "It is hard." }, "a sentence why it has none"},
	} {
		list, all := right(), studies[0]
		all.File.Claims = append([]study.Claim(nil), all.File.Claims...)
		tt.change(&list[0], all.File.Claims)
		var said []string
		for _, p := range listed("", list, []committed.Study{all}) {
			said = append(said, p.Text)
		}
		if got := strings.Join(said, "\n"); !strings.Contains(got, tt.want) || (tt.want == "") != (got == "") {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
