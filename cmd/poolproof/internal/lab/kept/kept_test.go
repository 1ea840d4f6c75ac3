package kept

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var sample = File{Command: "go test -bench .", Date: "2026-03-09", Revision: Unknown, Machine: "A, 2 cores", Body: "| a | 12 ns |"}

func TestAKeptFileIsReadAsItWasWritten(t *testing.T) {
	got, err := Parse(sample.String())
	if err != nil || got != sample {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAnEditByHandIsNoticed(t *testing.T) {
	for want, edit := range map[string][2]string{
		"the digest is not that": {"12 ns", "1.2 ns"},
		"by hand":                {"A, 2 cores", "B, 2 cores"},
		"changed by hand":        {"2026-03-09", "2026-03-10"},
		"the digest is":          {Unknown, "0123456789ab"},
		"the digest":             {"-bench .", "-bench x"},
		"has no machine":         {"machine: A, 2 cores\n", ""},
		"is no day":              {"2026-03-09", "yesterday"},
		`has the line "oops"`:    {"date:", "oops\ndate:"},
		"has no sha256":          {"sha256: " + sum(sample) + "\n", ""},
	} {
		text := strings.Replace(sample.String(), edit[0], edit[1], 1)
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q -> %q gives %v, want %q", edit[0], edit[1], err, want)
		}
	}
}

func TestWhatACommandPrintsIsKept(t *testing.T) {
	root := t.TempDir()
	f := File{Date: "2026-03-09", Revision: Unknown, Machine: "A"}
	if err := keep(t.Context(), root, "kept/a.md", ".", f, part{}, []string{"echo", "| a |"}, nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "kept", "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Parse(string(text)); err != nil || got.Command != "echo | a |" || got.Body != "| a |" || got.Machine != "A" {
		t.Errorf("%+v, %v", got, err)
	}
	if err := keep(t.Context(), root, "kept/c.md", "kept", f, part{}, []string{"cat a.md | wc -l"}, nil); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(filepath.Join(root, "kept", "c.md")); !strings.Contains(string(text), "command: cd kept && cat a.md | wc -l\n") {
		t.Errorf("a line of the shell is kept as %q", text)
	}
	f.Command = "go test"
	if err := keep(t.Context(), root, "b.md", ".", f, part{}, nil, strings.NewReader("| b |\n")); err != nil {
		t.Error(err)
	}
	for name, bad := range map[string]struct {
		o    string
		f    File
		args []string
		in   string
	}{
		"no file":                   {"", f, nil, "x"},
		"neither command nor input": {"c.md", File{}, nil, "x"},
		"both":                      {"c.md", f, []string{"echo x"}, "x"},
		"no output":                 {"c.md", f, nil, " \n"},
		"a command that fails":      {"c.md", File{Date: f.Date, Revision: Unknown, Machine: "A"}, []string{"false"}, ""},
		"no repository":             {"c.md", File{Command: "x", Date: f.Date, Machine: "A"}, nil, "x"},
	} {
		if err := keep(t.Context(), root, bad.o, ".", bad.f, part{}, bad.args, strings.NewReader(bad.in)); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := os.Stat(filepath.Join(root, "c.md")); err == nil {
			t.Errorf("%s: a file was written", name)
		}
	}
}

func TestAPartOfAnOutputIsKept(t *testing.T) {
	const out = "building\n\nbenchmark  time\na  1 ns\n\nfiles: here\n"
	for p, want := range map[part]string{
		{}:                          "building\n\nbenchmark  time\na  1 ns\n\nfiles: here",
		{from: "benchmark"}:         "benchmark  time\na  1 ns",
		{from: "a ", to: "files:"}:  "a  1 ns\n\nfiles: here",
		{from: "never", to: "here"}: "",
	} {
		if got := p.of(out); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}

func TestAPageHasWhatItsFileHas(t *testing.T) {
	root := t.TempDir()
	listing := sample
	listing.Body, listing.Revision = "a  1 ns", "0123456789abcdef"
	page := "above\n<!-- begin a of kept/a.md -->\nold\n<!-- end a -->\nbetween\n<!-- begin b of kept/b.md -->\n<!-- end b -->\n<!-- begin c of c/verdict.json -->\nits own\n<!-- end c -->\nbelow\n"
	for name, text := range map[string]string{"page.md": page, "kept/a.md": sample.String(), "kept/b.md": listing.String()} {
		if err := os.MkdirAll(filepath.Join(root, "kept"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want := "above\n<!-- begin a of kept/a.md -->\n\n| a | 12 ns |\n\nMeasured 2026-03-09, A, 2 cores.\n\n<!-- end a -->\nbetween\n" +
		"<!-- begin b of kept/b.md -->\n\n```text\n$ go test -bench .\na  1 ns\n```\n\nMeasured 2026-03-09, A, 2 cores, revision 0123456789ab.\n\n<!-- end b -->\n" +
		"<!-- begin c of c/verdict.json -->\nits own\n<!-- end c -->\nbelow\n"
	for range 2 { // the second time nothing changes
		if err := writePages(root, []string{"page.md"}); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(filepath.Join(root, "page.md")); string(got) != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	for _, bad := range []string{"<!-- begin a of x -->", "<!-- begin a of x -->\n<!-- begin b of x -->\n<!-- end b -->\n<!-- end a -->"} {
		if _, _, err := Sections(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
