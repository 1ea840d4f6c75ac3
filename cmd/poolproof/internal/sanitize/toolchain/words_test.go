package toolchain

import (
	"encoding/json"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/rt"
)

// The runtime must write no word of its log but those of package record: a key that is
// misspelt there would be a value that is silently 0 here.
func TestTheRuntimeHasTheWordsOfRecords(t *testing.T) {
	text, err := wordsFile()
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^const (\w+) =`).FindAllStringSubmatch(string(text), -1) {
		declared[strings.TrimPrefix(m[1], prefix)] = true
	}
	var all strings.Builder
	files, err := fs.Glob(rt.Source, "runtime/*.go.txt")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	literal := regexp.MustCompile(`\.(Key|String|Uint)\("|\bBegin\(w, "`)
	for _, name := range files {
		source, err := rt.Source.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if at := literal.FindIndex(source); at != nil {
			t.Errorf("%s has a word of its own: %s", name, source[at[0]:min(at[1]+20, len(source))])
		}
		all.Write(source)
	}
	for name := range declared {
		kind, ok := strings.CutPrefix(name, "Kind")
		if !ok && !regexp.MustCompile(`\b`+name+`\b`).MatchString(all.String()) {
			t.Errorf("the runtime never writes %s", name)
		}
		if ok && kind == "" {
			t.Error("a kind without a name")
		}
	}
	for _, k := range record.Kinds {
		if name := "Kind" + camel(string(k)); !declared[name] || !strings.Contains(all.String(), name) {
			t.Errorf("the runtime never reports %s", k)
		}
	}
}

// Each line that a key is read from has it in its table.
func TestLinesOfEventsHaveTheirProcess(t *testing.T) {
	for event, line := range record.Events {
		text, err := json.Marshal(line)
		if err != nil || !strings.Contains(string(text), `"pid"`) {
			t.Errorf("%s: %s, %v", event, text, err)
		}
	}
}
