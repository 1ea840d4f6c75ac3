package exitcode

import (
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

func TestTheStrongestCodeWins(t *testing.T) {
	order := []int{130, 2, 3, 5, 1, 4, 0}
	for i, strong := range order {
		for _, weak := range order[i:] {
			if got := Highest(weak, strong); got != strong {
				t.Errorf("Highest(%d, %d) = %d", weak, strong, got)
			}
			if got := Highest(strong, weak, weak); got != strong {
				t.Errorf("Highest(%d, %d, %d) = %d", strong, weak, weak, got)
			}
		}
	}
	if got := Highest(); got != OK {
		t.Errorf("Highest() = %d", got)
	}
}

func TestEachKindOfErrorHasItsCode(t *testing.T) {
	codes := map[fault.Kind]int{
		fault.Other:       2,
		fault.Input:       2,
		fault.Tools:       2,
		fault.Code:        3,
		fault.Defect:      2,
		fault.Interrupted: 130,
	}
	for k, want := range codes {
		err := fault.Errorf(k, "building x: %w", io.EOF)
		for _, err := range []error{err, fmt.Errorf("more: %w", err), &fault.Error{Kind: k, Option: "base", Err: fault.Errorf(fault.Code, "inner")}} {
			if got := Of(err); got != want {
				t.Errorf("Of(%v) of kind %v = %d, want %d", err, k, got, want)
			}
		}
	}
	if next := fault.Interrupted + 1; next.String() != fmt.Sprintf("kind %d", len(codes)) {
		t.Errorf("%d kinds have a code here; there are more", len(codes))
	}
	if Of(nil) != 0 || Of(io.EOF) != 2 {
		t.Errorf("no error ends with %d, one without a kind with %d", Of(nil), Of(io.EOF))
	}
}

func TestOnlyCommandsKnowExitCodes(t *testing.T) {
	// The subcommands, what they share, and the laboratory.
	commands := []string{"../trycmd", "../testcmd", "../vetcmd", "../findcmd", "../cicmd", "../historycmd", "../cli", "../lab", "../exitcode"}
	libraries := 0
	for _, root := range []string{"..", "../../vet"} {
		err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || slices.Contains(commands, name)):
				return filepath.SkipDir
			case d.IsDir() || filepath.Ext(name) != ".go":
				return nil
			}
			libraries++
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				return err
			}
			for _, spec := range f.Imports {
				if strings.HasSuffix(spec.Path.Value, `/internal/exitcode"`) {
					t.Errorf("%s imports exitcode; a library returns errors with a kind, see package fault", name)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if libraries < 300 {
		t.Errorf("%d files were looked at, there are more", libraries)
	}
}
