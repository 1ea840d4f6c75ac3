package profile

import (
	"bytes"
	"testing"

	pprof "github.com/google/pprof/profile"
)

func TestSitesAreWrittenAsAProfile(t *testing.T) {
	p := &Profile{Sites: []*Site{
		{Package: "m", Function: "f", File: "/m/a.go", Line: 3, Kind: KindCallee, Callee: "compress/gzip.NewWriter", Benchmarks: []Reach{
			{Package: "m", Benchmark: "BenchmarkA", Bytes: 10, Objects: 0.5, Rate: 1000},
			{Package: "m", Benchmark: "BenchmarkB", Bytes: 1, Objects: 1, Rate: 10},
		}},
		{Package: "m", Function: "f", File: "/m/a.go", Line: 4, Kind: KindNew, Bytes: 7, Objects: 2},
	}}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	got, err := pprof.Parse(&b) // checks it, too
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		objects, bytes int64
		line           int64
		above, callee  string
	}{{500, 10000, 3, "m.BenchmarkA", "gzip.NewWriter"}, {10, 10, 3, "m.BenchmarkB", "gzip.NewWriter"}, {2, 7, 4, "", ""}}
	if len(got.Sample) != len(want) {
		t.Fatalf("%d samples", len(got.Sample))
	}
	for i, w := range want {
		s := got.Sample[i]
		site := s.Location[0].Line[0]
		above, callee := "", ""
		if len(s.Location) > 1 {
			above = s.Location[1].Line[0].Function.Name
		}
		if c := s.Label["callee"]; len(c) > 0 {
			callee = c[0]
		}
		if s.Value[0] != w.objects || s.Value[1] != w.bytes || site.Line != w.line || site.Function.Name != "m.f" || above != w.above || callee != w.callee {
			t.Errorf("%v", s)
		}
	}
	if len(got.Function) != 3 {
		t.Errorf("%d functions: one for each name is enough", len(got.Function))
	}
}

func TestConstructorsComeFirst(t *testing.T) {
	site := func(name string, kind Kind, bytes, objects float64, pool bool) *Site {
		return &Site{File: name, Kind: kind, ByteShare: bytes, ObjectShare: objects, InPool: pool}
	}
	p := Profile{Sites: []*Site{
		site("small", KindNew, 0.01, 0.02, false), site("pooled", KindConstructor, 0.2, 0, true), site("objects", KindNew, 0, 0.5, false),
		site("constructor", KindConstructor, 0.1, 0, false), site("bytes", KindAppend, 0.4, 0.1, false),
	}}
	Rank(p.Sites)
	names := func(sites []*Site) (text string) {
		for _, s := range sites {
			text += s.File + " "
		}
		return text
	}
	if got, want := names(p.Sites), "constructor objects bytes pooled small "; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := names(p.Hot(0.03, 0)), "constructor objects bytes pooled "; got != want {
		t.Errorf("hot: %s, want %s", got, want)
	}
	if got, want := names(p.Hot(0.03, 2)), "constructor objects "; got != want {
		t.Errorf("the two hottest: %s, want %s", got, want)
	}
}
