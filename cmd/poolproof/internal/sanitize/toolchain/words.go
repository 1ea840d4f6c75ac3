package toolchain

import (
	"bytes"
	"fmt"
	"go/format"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// parts are the names of what a report is about.
var parts = map[core.What]string{core.Object: record.Object, core.Array: record.Array, core.Child: record.Child, core.Caller: record.Caller}

// wordsFile is the file of the runtime with the words of its log, as package record reads
// them: kinds and parts with their numbers, events, and the keys of lines.
func wordsFile() ([]byte, error) {
	var b bytes.Buffer
	constant := func(name string, value any) { fmt.Fprintf(&b, "const %s = %#v\n", prefix+name, value) }
	array := func(name string, words []string) {
		fmt.Fprintf(&b, "\nvar %s = [...]%s\n\n", prefix+name, strings.TrimPrefix(fmt.Sprintf("%#v", words), "[]"))
	}
	fmt.Fprint(&b, "package runtime\n\n")
	constant("RecordVersion", record.Version)
	constant("SeverityError", string(record.Error))
	constant("SeverityWarning", string(record.Warning))
	names := []string{""} // kind 0 is no misuse
	for i, k := range record.Kinds {
		constant("Kind"+camel(string(k)), i+1)
		names = append(names, string(k))
	}
	array("KindNames", names)
	names = make([]string, len(parts))
	for part, name := range parts {
		names[part] = name
	}
	array("PartNames", names)
	lines := []any{record.Head{}, record.Frame{}}
	for _, event := range slices.Sorted(maps.Keys(record.Events)) {
		constant("Event"+camel(event), event)
		lines = append(lines, record.Events[event])
	}
	keys := map[string]string{}
	for _, line := range lines {
		for f := range reflect.TypeOf(line).Fields() {
			key := f.Tag.Get("json")
			if key == "-" {
				continue
			}
			if old := keys[f.Name]; old != "" && old != key {
				return nil, fmt.Errorf("field %s of records has the keys %s and %s", f.Name, old, key)
			}
			keys[f.Name] = key
		}
	}
	for _, field := range slices.Sorted(maps.Keys(keys)) {
		constant("Key"+field, keys[field])
	}
	return format.Source(b.Bytes())
}

// camel is a word of a log as a part of a name: ReadAfterPut of read-after-put.
func camel(word string) string {
	var name strings.Builder
	for part := range strings.SplitSeq(word, "-") {
		name.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return name.String()
}
