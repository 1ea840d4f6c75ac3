package suite

import (
	"fmt"
	"strings"
	"testing"
)

func TestOutputOfGoTestIsTakenApart(t *testing.T) {
	r := newReader()
	for _, part := range []string{
		`{"Action":"run","Package":"p","Test":"TestA"}` + "\n" + `{"Action":"output","Package":"p","Test":"TestA","Out`,
		`put":"hello\n"}` + "\n" + "go: downloading x\n",
		`{"Action":"fail","Package":"p","Test":"TestA"}` + "\n" + `{"Action":"output","Package":"p","Output":"FAIL\n"}` + "\n" + `{"Action":"fail","Package":"p"}`,
	} {
		if _, err := r.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	o := r.outcome()
	if got := strings.Join(o.Failed(), " "); got != "p.TestA" {
		t.Errorf("failed: %q", got)
	}
	if o.Output != "hello\ngo: downloading x\nFAIL\n" {
		t.Errorf("output: %q", o.Output)
	}
}

func TestAPackageThatEndsWithoutATestIsAFailure(t *testing.T) {
	r := newReader()
	r.Write([]byte(`{"Action":"output","Package":"p","Output":"FAIL\tp [build failed]\n"}` + "\n" + `{"Action":"fail","Package":"p","FailedBuild":"p"}` + "\n"))
	o := r.outcome()
	if got := strings.Join(o.Failed(), " "); got != "p" {
		t.Errorf("failed: %q", got)
	}
	if got := strings.Join(o.Broken(), " "); got != "p" {
		t.Errorf("broken: %q", got)
	}
}

func TestWhatFailsByADataRaceIsTold(t *testing.T) {
	output := func(path, test, text string) string {
		return fmt.Sprintf(`{"Action":"output","Package":%q,"Test":%q,"Output":%q}`+"\n", path, test, text)
	}
	r := newReader()
	for _, line := range []string{
		output("p", "TestA/sub", "WARNING: DATA RACE\n"),
		output("p", "TestA/sub", "    testing.go:1712: race detected during execution of test\n"),
		`{"Action":"fail","Package":"p","Test":"TestA/sub"}` + "\n" + `{"Action":"fail","Package":"p","Test":"TestA"}` + "\n",
		output("p", "TestB", "    b_test.go:6: the race detected nothing\n"),
		`{"Action":"fail","Package":"p","Test":"TestB"}` + "\n",
		output("p", "", "FAIL\n"),
		`{"Action":"fail","Package":"p"}` + "\n",
		output("q", "", "WARNING: DATA RACE\n"),
		output("q", "", "testing: race detected outside of test execution\n"),
		`{"Action":"fail","Package":"q"}` + "\n",
		output("r", "", "WARNING: DATA RACE\n"),
		output("r", "", "PASS\n"),
		output("r", "", "exit status 66\n"),
		`{"Action":"fail","Package":"r"}` + "\n",
		output("s", "", "exit status 2\n"),
		`{"Action":"fail","Package":"s"}` + "\n",
	} {
		if _, err := r.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	o := r.outcome()
	if got := strings.Join(o.Raced, " "); got != "p.TestA/sub q r" || o.Races != 3 {
		t.Errorf("%q by %d races", got, o.Races)
	}
	if got := strings.Join(o.Failed(), " "); got != "p.TestA/sub p.TestB q r s" {
		t.Errorf("failed: %q", got)
	}
}

func TestParseModes(t *testing.T) {
	modes, err := ParseModes("exact,plain")
	if err != nil || len(modes) != 2 || modes[0] != Exact {
		t.Error(modes, err)
	}
	if _, err := ParseModes("exact,quick"); err == nil || !strings.Contains(err.Error(), `"quick"`) {
		t.Error(err)
	}
}
