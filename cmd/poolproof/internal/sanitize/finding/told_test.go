package finding

import (
	"bytes"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

func TestTheFunctionOfTheStandardLibraryThatTouchedTheMemoryIsNamed(t *testing.T) {
	f := misuse(record.ReadAfterPut, 10, 5, "TestA")
	f.Access = []record.Frame{
		{Func: "runtime.memmove", File: "/go/src/runtime/memmove.s", Line: 1},
		{Func: "bytes.(*Reader).Read", File: "/go/src/bytes/reader.go", Line: 41},
		{Func: "encoding/json.Unmarshal", File: "/go/src/encoding/json/decode.go", Line: 7},
		{Func: "example.com/app.f", File: "/src/app/app.go", Line: 10},
	}
	f.Started = []record.Frame{{Func: "example.com/app.start", File: "/src/app/app.go", Line: 30}}
	found := Group(collect([]record.Report{f}), sites())
	var b bytes.Buffer
	(&Printer{Sites: sites(), Base: "/src/app"}).Print(&b, 1, found[0])
	want := `   read      in encoding/json.Unmarshal, called at
             app.go:10  example.com/app.f
             the array of field buf, bytes 12 to 19 of 64
   started   app.go:30  example.com/app.start
`
	if !strings.Contains(b.String(), want) {
		t.Errorf("%s\nlacks\n%s", b.String(), want)
	}
}

func TestAnAccessOfTheUsersOwnCodeNamesNoOther(t *testing.T) {
	user := record.Frame{Func: "example.com/app.(*T).Read", File: "/src/app/app.go", Line: 3}
	for _, stack := range [][]record.Frame{
		{user},
		{{Func: "runtime.memmove"}, user},
		{user, {Func: "encoding/json.Unmarshal"}, user},
		{{Func: "encoding/json.Unmarshal"}, {Func: "testing.tRunner"}},
	} {
		if got := sites().through(stack); got != "" {
			t.Errorf("%v: %q", stack, got)
		}
	}
}

func TestAnOwnWorkersWarningSaysHowToDecide(t *testing.T) {
	f := misuse(record.WriteAfterPut, 10, 5, "TestA")
	f.Severity, f.Why = record.Warning, "own worker"
	var b bytes.Buffer
	(&Printer{Sites: sites()}).Print(&b, 1, Group(collect([]record.Report{f}), sites())[0])
	for _, want := range []string{"decide    a method of the object has started the goroutine", "a bug if no code waits"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in\n%s", want, b.String())
		}
	}
}

func TestCoverageLeavesThePoolsOfTheStandardLibraryOut(t *testing.T) {
	user := record.Frame{Func: "example.com/app.f", File: "/src/app/app.go", Line: 1}
	pools := []Pool{
		{Type: "app.T", Site: user, Puts: 3, Bytes: 300, Others: 100},
		{Type: "app.T", Puts: 1, Bytes: 100},
		{Type: "json.encodeState", Site: user, Puts: 9, Bytes: 999, getter: record.Frame{Func: "encoding/json.Marshal"}},
		{Type: "*fmt.pp", Puts: 9, Bytes: 999},
	}
	if got, want := Covered(pools), (Coverage{Puts: 4, Bytes: 400, All: 500}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := Covered(pools).String(), "4 Puts seen, 80.0% of the bytes of pooled objects and of what their fields refer to followed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := (Coverage{Puts: 1}).String(), "1 Put seen"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
