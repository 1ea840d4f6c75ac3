package annotate_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/annotate"
)

func TestAnAnnotationIsOneCommand(t *testing.T) {
	for name, test := range map[string]struct {
		a    annotate.Annotation
		want string
	}{
		"a place and a title": {
			annotate.Annotation{Level: annotate.Error, File: "a/b.go", Line: 3, Column: 7, EndLine: 3, EndCol: 9, Title: "PV001 use-after-put", Message: "used after Put"},
			"::error file=a/b.go,line=3,endLine=3,col=7,endColumn=9,title=PV001 use-after-put::used after Put",
		},
		"columns only within one line": {
			annotate.Annotation{Level: annotate.Warning, File: "b.go", Line: 3, Column: 7, EndLine: 5, EndCol: 2, Message: "m"},
			"::warning file=b.go,line=3,endLine=5::m",
		},
		"a line alone": {
			annotate.Annotation{Level: annotate.Notice, File: "b.go", Line: 3, Message: "m"},
			"::notice file=b.go,line=3::m",
		},
		"a message of several lines stays one command": {
			annotate.Annotation{Level: annotate.Error, File: "b.go", Line: 1, Message: "100% wrong:\r\nsee a, b"},
			"::error file=b.go,line=1::100%25 wrong:%0D%0Asee a, b",
		},
		"what would end a property": {
			annotate.Annotation{Level: annotate.Error, File: "C:/a,b.go", Line: 1, Title: "x::y\n%", Message: "m"},
			"::error file=C%3A/a%2Cb.go,line=1,title=x%3A%3Ay%0A%25::m",
		},
		"a message cannot start a command of its own": {
			annotate.Annotation{Level: annotate.Error, File: "b.go", Line: 1, Message: "m\n::set-output name=x::y"},
			"::error file=b.go,line=1::m%0A::set-output name=x::y",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.a.String(); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestOneLineEach(t *testing.T) {
	var out bytes.Buffer
	a := annotate.Annotation{Level: annotate.Error, File: "b.go", Line: 1, Message: "m"}
	if err := annotate.Write(&out, []annotate.Annotation{a, a}); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), "::error file=b.go,line=1::m\n::error file=b.go,line=1::m\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

func TestAWriterThatFailsIsReported(t *testing.T) {
	if err := annotate.Write(full{}, []annotate.Annotation{{Level: annotate.Error, Message: "m"}}); err == nil {
		t.Error("no error")
	}
}
