package campaign

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestQuestionsAreDistinctAndCanBeAnswered(t *testing.T) {
	seen, kinds := map[string]bool{}, map[string]int{}
	var all []Task
	for _, d := range allDraws {
		all = append(all, wholeTasks(d)...)
	}
	for _, task := range all {
		if seen[task.ID] {
			t.Errorf("two tasks are called %s", task.ID)
		}
		seen[task.ID] = true
		if got, ok := taskOf(task.ID); !ok || got.ID != task.ID || got.Kind != task.Kind || got.Bench != task.Bench || !slices.Equal(got.Cell, task.Cell) {
			t.Errorf("%s is read back as %+v", task.ID, got)
		}
		if task.Section == SectionAsk {
			kinds[task.Kind]++
			if task.Pair == "" && task.Known == nil {
				t.Errorf("nothing answers %s", task.ID)
			}
		}
	}
	for _, task := range all {
		if task.Pair != "" && !seen[task.Pair] {
			t.Errorf("%s goes with %s, which is no task", task.ID, task.Pair)
		}
	}
	for _, kind := range wholeKinds {
		if kinds[kind.name] == 0 {
			t.Errorf("no question of the kind %s", kind.name)
		}
		delete(kinds, kind.name)
	}
	if len(kinds) > 0 {
		t.Errorf("questions of kinds without a table: %v", kinds)
	}
	for _, id := range []string{"ask/rare/count-1e4", "ask/rare/other/8s", "long/rare", "long/layout/scan-0-6"} {
		if _, ok := taskOf(id); ok {
			t.Errorf("%q was read as a task", id)
		}
	}
}

// A pair without a question, or a question without a pair, is not asked.
func TestEveryPairOfADrawIsAsked(t *testing.T) {
	for _, d := range allDraws {
		dir := filepath.Join(t.TempDir(), "made", "by", "extract")
		if err := d.extract(dir); err != nil {
			t.Fatal(err)
		}
		text := goWhole(t, dir, "test", "-bench", ".", "-benchtime", "1x", ".")
		ran := map[string]bool{}
		for _, m := range regexp.MustCompile(`(?m)^(Benchmark\S+/way=(?:old|new))(?:-\d+)?\s+1\s`).FindAllStringSubmatch(text, -1) {
			ran[m[1]] = true
		}
		asked := map[string]bool{}
		for _, task := range wholeTasks(d) {
			for _, leaf := range []string{task.Baseline, task.Candidate} {
				asked[leaf] = true
				if !ran[leaf] {
					t.Errorf("%s: %s asks about %s, which did not run", d, task.ID, leaf)
				}
			}
			if selected := strings.NewReplacer("^", "", "$", "").Replace(task.pattern()); !strings.HasPrefix(task.Baseline, selected+"/way=") {
				t.Errorf("%s: the pattern %s does not select %s", task.ID, task.pattern(), task.Baseline)
			}
		}
		for leaf := range ran {
			if !asked[leaf] {
				t.Errorf("%s: no question asks about %s", d, leaf)
			}
		}
	}
}

func TestTheQuestionsAreFormattedAndPassVet(t *testing.T) {
	for _, d := range allDraws {
		dir := t.TempDir()
		if err := d.extract(dir); err != nil {
			t.Fatal(err)
		}
		goWhole(t, dir, "vet", ".")
		if out, err := exec.Command("gofmt", "-l", dir).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("gofmt: %v\n%s", err, out)
		}
	}
}

// goWhole runs the go command in the module of the questions.
func goWhole(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
