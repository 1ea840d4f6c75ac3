package vetrun

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

func TestTreesAreToldFromWords(t *testing.T) {
	const tree = "{\n\t\"p\": {\n\t\t\"a\": []\n\t}\n}\n"
	for name, test := range map[string]struct {
		text  string
		trees []string
		words []string
	}{
		"a tree alone":                    {tree, []string{tree}, nil},
		"two trees":                       {tree + tree, []string{tree, tree}, nil},
		"nothing found in a package":      {"{}\n" + tree, []string{tree}, nil},
		"words alone":                     {"# p\np.go:1:2: wrong\n", nil, []string{"# p\n", "p.go:1:2: wrong\n"}},
		"a heading before, as of Go 1.25": {"# p\n" + tree + "# q\n", []string{tree}, []string{"# p\n", "# q\n"}},
		"lines that end as on Windows":    {"{\r\n}\r\nw\r\n", []string{"{\r\n}\r\n"}, []string{"w\r\n"}},
		"a tree that was cut short":       {"{\n\t\"p\":\n", nil, []string{"{\n", "\t\"p\":\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			trees, words := split(test.text)
			if diff := cmp.Diff(test.trees, trees); diff != "" {
				t.Errorf("trees (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.words, words); diff != "" {
				t.Errorf("words (-want +got):\n%s", diff)
			}
		})
	}
}

func TestATreeBecomesFindings(t *testing.T) {
	got, err := parse(`{
	"example.com/p": {
		"doubleput": {"error": "failed prerequisites: poolproof@example.com/p"},
		"gaveup": [{"category": "gave-up", "posn": "/src/p/p.go:9:6", "end": "/src/p/p.go:9:6", "message": "F is too large"}],
		"poolcopied": [{
			"category": "PV019/error", "posn": "/src/p/p.go:3:2", "end": "/src/p/p.go:3:9",
			"message": "PV019 pool-copied (error): x is copied",
			"suggested_fixes": [{"message": "use a pointer", "edits": [{"filename": "/src/p/p.go", "start": 7, "end": 8, "new": "*T"}]}],
			"related": [{"posn": "/src/p/q.go:5:1", "end": "/src/p/q.go:5:2", "message": "from here"}]
		}, {
			"category": "", "posn": "/src/p/p.go:4:2", "end": "", "message": "of some other tool"
		}],
		"useafterput": {"error": "useafterput panicked on example.com/p: oh\nstack"}
	},
	"example.com/imported [dependency]": {
		"gaveup": [{"category": "gave-up", "posn": "/src/i/i.go:9:6", "end": "/src/i/i.go:9:6", "message": "F is too large"}],
		"poolcopied": [{"category": "PV019/error", "posn": "/src/i/i.go:3:2", "end": "/src/i/i.go:3:9", "message": "PV019 pool-copied (error): x is copied"}],
		"useafterput": {"error": "ended"}
	}
}`, named([]listed{{ImportPath: "example.com/p", TestGoFiles: []string{"p_test.go"}}}))
	if err != nil {
		t.Fatal(err)
	}
	want := parsed{
		findings: []Finding{{
			Code: "PV019", Package: "example.com/p", Message: "x is copied", Tier: vet.Error,
			File: "/src/p/p.go", Line: 3, Col: 2, EndLine: 3, EndCol: 9,
			Related: []Location{{File: "/src/p/q.go", Line: 5, Col: 1, Message: "from here"}},
			Fixes:   []SuggestedFix{{Message: "use a pointer", Edits: []Edit{{File: "/src/p/p.go", Start: 7, End: 8, New: "*T"}}}},
		}},
		gaveUp: []Finding{{Package: "example.com/p", Message: "F is too large", File: "/src/p/p.go", Line: 9, Col: 6, EndLine: 9, EndCol: 6}},
		failed: []string{"example.com/imported: ended", "example.com/p: useafterput panicked on example.com/p: oh\nstack"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(parsed{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestWhichPackagesAreNamed(t *testing.T) {
	is := named([]listed{{ImportPath: "p"}, {ImportPath: "q", TestGoFiles: []string{"q_test.go"}}, {ImportPath: "r", XTestGoFiles: []string{"r_test.go"}}})
	for id, want := range map[string]bool{
		"p": true, "p [dependency]": true, "p_test": false, "p [q.test]": false, "p [p.test]": true,
		"q": true, "q [dependency]": false, "q_test": false,
		"r": true, "r_test": true, "r_test [r.test]": true, "s": false, "s [s.test]": false, "s [dependency]": false,
	} {
		if is(id) != want {
			t.Errorf("%s is named: %v", id, !want)
		}
	}
}

func TestPositions(t *testing.T) {
	type place struct {
		File         string
		Line, Column int
	}
	for s, want := range map[string]place{
		"/src/p.go:3:4":    {"/src/p.go", 3, 4},
		`C:\src\p.go:3:4`:  {`C:\src\p.go`, 3, 4},
		"/src/p.y:30":      {"/src/p.y", 30, 0}, // a //line comment without a column
		"/odd:name.go:3:4": {"/odd:name.go", 3, 4},
	} {
		file, line, column, err := position(s)
		if got := (place{file, line, column}); err != nil || got != want {
			t.Errorf("%s: %+v (%v), want %+v", s, got, err, want)
		}
	}
	for _, s := range []string{"", "-", "p.go", ":3:4", "p.go:0:1"} {
		if file, line, column, err := position(s); err == nil {
			t.Errorf("%q is taken for %s, %d, %d", s, file, line, column)
		}
	}
}

func TestWhatTheCompilerSaysIsKept(t *testing.T) {
	_, words := split("# example.com/p\nvet: p.go:3:5: cannot use x\n\tas int\ngo: downloading example.com/q v1.0.0\n\np.go:9:1: and more\n")
	want := []string{"p.go:3:5: cannot use x\n\tas int", "p.go:9:1: and more"}
	if diff := cmp.Diff(want, diagnostics(words)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestFindingsComeInOrderAndOnce(t *testing.T) {
	at := func(file string, line, col int, code string) Finding {
		return Finding{File: file, Line: line, Col: col, Code: code}
	}
	got := sorted([]Finding{
		at("b.go", 1, 1, "PV001"), at("a.go", 2, 1, "PV001"), at("a.go", 1, 9, "PV002"),
		at("a.go", 1, 9, "PV001"), at("a.go", 1, 3, "PV001"), at("b.go", 1, 1, "PV001"),
	})
	want := []Finding{at("a.go", 1, 3, "PV001"), at("a.go", 1, 9, "PV002"), at("a.go", 2, 1, "PV001"), at("b.go", 1, 1, "PV001")}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
