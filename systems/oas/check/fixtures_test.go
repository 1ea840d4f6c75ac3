package check_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
	"github.com/poolproof/poolproof/systems/oas/check"
)

// The schema tests of the OpenAPI Initiative are in no module. With a checkout
// of the branches v3.1-dev and v3.2-dev of its repository OpenAPI-Specification
// in one folder, OAS_FIXTURES=FOLDER runs them: files in folders called pass
// must have no problem, and files in folders called fail at least one.
//
// Three files that pass break a rule that the specification has in prose only.
var brokenInProse = map[string]string{
	"v3.1-dev/tests/schema/pass/operation-object-example.yaml": "the path has {id}",
	"v3.2-dev/tests/schema/pass/operation-object-example.yaml": "the path has {id}",
	"v3.1-dev/tests/schema/pass/style-defaults.yaml":           "must have required: true",
}

func TestFixturesOfTheSpecification(t *testing.T) {
	dir := os.Getenv("OAS_FIXTURES")
	if dir == "" {
		t.Skip("SKIPPED: OAS_FIXTURES names no folder with the tests of the specification")
	}
	files := map[string]int{}
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		kind := filepath.Base(filepath.Dir(path))
		if err != nil || kind != "pass" && kind != "fail" || filepath.Ext(path) != ".yaml" {
			return err
		}
		files[kind]++
		problems := []check.Problem{{Msg: "it is not read"}}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if d, err := oas.Parse(source); err != nil {
			t.Errorf("%s: %v", path, err)
		} else {
			problems = check.Document(d)
		}
		name, _ := filepath.Rel(dir, path)
		if known := brokenInProse[filepath.ToSlash(name)]; known != "" && len(problems) == 1 && strings.Contains(problems[0].Msg, known) {
			return nil
		}
		if (len(problems) == 0) != (kind == "pass") {
			t.Errorf("%s: %d problems %v", strings.TrimPrefix(path, dir), len(problems), problems)
		}
		return nil
	})
	if err != nil || files["pass"] == 0 || files["fail"] == 0 {
		t.Fatalf("%v, error %v", files, err)
	}
	t.Logf("%d files that pass, %d that fail", files["pass"], files["fail"])
}
