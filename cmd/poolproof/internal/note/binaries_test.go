package note

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestTheMethodNamesTheBinariesOfAPlanWithSeveral(t *testing.T) {
	v := study.VerdictFile{Plan: study.Plan{
		Package: "example.com/p", Revision: "aaaa", Dirty: true, Base: "bbbb", Agreed: "TestArmsAgree passes in 3 binaries",
		Binaries: []study.Binary{
			{ID: "test"}, {ID: "test-shifted1", Layout: 1}, {ID: "test+fast", Tags: "fast"},
			{ID: "test@old", Module: "example.com/old", Toolchain: "go1.25.1 linux/amd64"}},
	}}
	note := func() string {
		var b strings.Builder
		if err := Write(&b, v, Versions{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	for _, want := range []string{
		"| revision | aaaa with local changes |\n| revision of the baseline | bbbb |\n",
		"| binaries | test; test+fast (tags fast); test@old (module example.com/old, go1.25.1 linux/amd64) |\n",
		"| agreement | TestArmsAgree passes in 3 binaries |\n",
	} {
		if !strings.Contains(note(), want) {
			t.Errorf("the note has no %q:\n%s", want, note())
		}
	}
	v.Plan.Binaries = v.Plan.Binaries[:2]
	if strings.Contains(note(), "| binaries |") {
		t.Error("one plain binary is listed")
	}
}
