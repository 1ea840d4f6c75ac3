package record

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	launched = `{"ev":"launch","pid":7,"binary":"/build/app.test","dir":"/src/app"}` + "\n"
	started  = `{"ev":"start","pid":7,"version":2,"mode":"exact","go":"go1.26.8","arch":"amd64","binary":"/build/app.test","form":"msan"}` + "\n"
	found    = `{"ev":"report","pid":7,"id":1,"kind":"read-after-put","severity":"error","test":"TestA","type":"app.Buf","what":"array","field":"b","offset":3,"size":1,"total":64,"access":[{"func":"app.f","file":"/src/app/a.go","line":9}],"put":[],"get":[]}` + "\n"
	ended    = `{"ev":"end","pid":7,"collections":2}` + "\n"
)

func read(t *testing.T, text string) *Log {
	t.Helper()
	l, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestALaunchAndItsProcessAreOne(t *testing.T) {
	l := read(t, launched+started+found+ended)
	if len(l.Processes) != 1 || l.Launches() != 1 {
		t.Fatalf("%d processes, %d launches, want one of each", len(l.Processes), l.Launches())
	}
	p := l.Processes[0]
	if p.Launch == nil || p.Start == nil || p.End == nil || len(p.Reports) != 1 {
		t.Fatalf("not all lines arrived: %+v", p)
	}
	want := Report{PID: 7, ID: 1, Kind: ReadAfterPut, Severity: Error, Test: "TestA", Type: "app.Buf", What: "array", Field: "b",
		Offset: 3, Size: 1, Total: 64, Access: []Frame{{"app.f", "/src/app/a.go", 9}}, Put: []Frame{}, Get: []Frame{}, Count: 1, Tests: []string{"TestA"}}
	if d := cmp.Diff(want, p.Reports[0]); d != "" {
		t.Error(d)
	}
	if bad := l.Unproven(); len(bad) > 0 {
		t.Errorf("unproven: %v", bad)
	}
}

func TestRulesThatWereUsedAreThoseOfTheirProcess(t *testing.T) {
	l := read(t, launched+started+`{"ev":"used","pid":7,"rule":"at 3 4 /src/app/a.go"}`+"\n"+`{"ev":"used","pid":7,"rule":"test TestA"}`+"\n"+ended)
	if d := cmp.Diff([]string{"at 3 4 /src/app/a.go", "test TestA"}, l.Processes[0].Used); d != "" || len(l.Processes) != 1 {
		t.Error(d)
	}
}

func TestABinaryThatDoesNotSayThatItIsInstrumentedIsUnproven(t *testing.T) {
	child := `{"ev":"start","pid":8,"version":2,"binary":"/build/other.test"}` + "\n"
	for name, test := range map[string]struct {
		text string
		bad  int
	}{
		"launched and no more":                       {launched, 1},
		"a child of another program":                 {launched + child, 1},
		"the answer came under another process id":   {launched + strings.ReplaceAll(started, `"pid":7`, `"pid":9`), 0},
		"the id was used again by one that is":       {launched + started + ended + launched + started, 0},
		"the id was used again by one that is not":   {launched + started + ended + launched, 1},
		"two launches and one answer":                {launched + `{"ev":"launch","pid":8,"binary":"/x/y.test"}` + "\n" + started, 1},
		"a note without a start line proves nothing": {launched + `{"ev":"note","pid":7,"text":"x"}` + "\n", 1},
	} {
		t.Run(name, func(t *testing.T) {
			if bad := read(t, test.text).Unproven(); len(bad) != test.bad {
				t.Errorf("unproven: %v, want %d", bad, test.bad)
			}
		})
	}
}

func TestRepeatsAreCountedOnce(t *testing.T) {
	l := read(t, started+found+
		`{"ev":"count","pid":7,"id":1,"count":3,"tests":["TestA","TestB"]}`+"\n"+
		`{"ev":"count","pid":7,"id":1,"count":9,"tests":["TestB",""]}`+"\n"+
		`{"ev":"count","pid":7,"id":2,"count":99,"tests":["TestC"]}`+"\n")
	f := l.Processes[0].Reports[0]
	if f.Count != 9 || !cmp.Equal(f.Tests, []string{"TestA", "TestB"}) {
		t.Errorf("count %d in %q, want 9 in TestA and TestB", f.Count, f.Tests)
	}
}

func TestChildrenBelongToThePackageOfTheirBinary(t *testing.T) {
	child := strings.ReplaceAll(started, `"pid":7`, `"pid":8`)
	stranger := `{"ev":"start","pid":9,"version":2,"binary":"/elsewhere"}` + "\n"
	l := read(t, launched+started+child+stranger)
	dirs := l.Dirs()
	var got []string
	for _, p := range l.Processes {
		got = append(got, dirs[p])
	}
	if want := []string{"/src/app", "/src/app", ""}; !cmp.Equal(got, want) {
		t.Errorf("folders %q, want %q", got, want)
	}
}

func TestATornLineLosesNothingElse(t *testing.T) {
	l := read(t, launched+started+found+found[:40]+"\n"+`{"ev":"report","pid":"seven"}`+"\n"+`{"ev":"news","pid":7}`+"\n\n"+`{"ev":"end","pid":7`)
	if l.Damaged != 3 || len(l.Processes[0].Reports) != 1 {
		t.Errorf("%d damaged lines and %d findings, want 3 and 1", l.Damaged, len(l.Processes[0].Reports))
	}
}

func TestRecordsOfAnotherVersionAreRefused(t *testing.T) {
	_, err := Read(strings.NewReader(strings.Replace(started, `"version":2`, `"version":3`, 1)))
	if err == nil || !strings.Contains(err.Error(), "version 3, this program reads 2") {
		t.Errorf("error: %v", err)
	}
}

func TestNoFileIsARunWithoutProcesses(t *testing.T) {
	l, err := ReadFile(filepath.Join(t.TempDir(), "none"))
	if err != nil || len(l.Processes) != 0 {
		t.Errorf("%v, %v", l, err)
	}
}

func FuzzReadNeverFailsButForTheVersion(f *testing.F) {
	f.Add(launched + started + found + ended)
	f.Add(`{"ev":"count","pid":1,"id":1}`)
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Read(strings.NewReader(text))
		if err != nil && !strings.Contains(err.Error(), "version") {
			t.Fatal(err)
		}
		if err == nil {
			l.Unproven()
			l.Dirs()
		}
	})
}
