package study

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

const schemaFile = "../../../../docs/schema/verdict.json"

// readSchema reads the published schema, as a validator and as it stands.
func readSchema(t *testing.T) (*jsonschema.Resolved, map[string]any) {
	t.Helper()
	data, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	var plain map[string]any
	if err := json.Unmarshal(data, &plain); err != nil {
		t.Fatal(err)
	}
	return resolved, plain
}

// document is the JSON form as a validator reads it.
func document(t *testing.T, v any) map[string]any {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	return doc
}

// words are the values of fields that the schema restricts.
var words = map[string]string{
	"Failure.Side": "candidate",
	"Claim.Metric": "time", "ClaimResult.Outcome": "reproduced",
	"Metric.Better": "lower", "Comparison.Falls": "B/op", "Comparison.Rises": "allocs/op", "Arm.Falls": "B/op", "Arm.Rises": "allocs/op",
}

// fill sets every field to something, so that nothing is left out of the JSON
// form.
func fill(v reflect.Value, field string) {
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(1, 0).UTC()))
		return
	case Verdict:
		v.SetString(string(TradeOff))
		return
	case Class:
		v.SetString(string(Worse))
		return
	case Kind:
		v.SetString(string(KindStudy))
		return
	case Engine:
		v.SetString(string(EngineDuet))
		return
	case Estimator:
		v.Set(reflect.ValueOf(Estimator{Total, Wall}))
		return
	}
	if field == "Reason.Because" { // or there is no end
		v.Set(reflect.ValueOf([]Reason{{Code: ReasonTime}}))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Tag.Get("json") != "-" {
				fill(v.Field(i), v.Type().Name()+"."+f.Name)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), field)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), field)
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), field)
		}
	case reflect.Map:
		elem := reflect.New(v.Type().Elem()).Elem()
		fill(elem, field)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("k"), elem)
	case reflect.String:
		v.SetString("text")
		if w, ok := words[field]; ok {
			v.SetString(w)
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint64:
		v.SetUint(1)
	default:
		panic(fmt.Sprintf("%s is a %v, which this test does not know", field, v.Kind()))
	}
}

func filled() VerdictFile {
	var v VerdictFile
	fill(reflect.ValueOf(&v).Elem(), "")
	v.Schema = Schema
	return v
}

func TestTheSchemaDescribesEveryFieldOfAVerdictFile(t *testing.T) {
	schema, plain := readSchema(t)
	doc := document(t, filled())
	if err := schema.Validate(doc); err != nil {
		t.Errorf("a file with every field: %v", err)
	}

	// The other direction: nothing is described that is never written.
	used := map[string]bool{}
	collect(doc, used)
	var unused []string
	properties(plain, func(name string) {
		if !used[name] {
			unused = append(unused, name)
		}
	})
	if len(unused) > 0 {
		t.Errorf("the schema describes %q, which no field writes", unused)
	}
}

func TestTheSchemaSaysNothingTwice(t *testing.T) {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	var open []map[string]bool // keys of the objects around; nil: an array
	key := false               // the next string is one
	for {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token {
		case json.Delim('{'):
			open = append(open, map[string]bool{})
		case json.Delim('['):
			open = append(open, nil)
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		default:
			if key {
				if keys := open[len(open)-1]; keys[token.(string)] {
					t.Errorf("%q stands twice in an object, the second time before byte %d", token, d.InputOffset())
				} else {
					keys[token.(string)] = true
				}
				key = false
				continue
			}
		}
		key = len(open) > 0 && open[len(open)-1] != nil
	}
}

func TestTheSchemaTakesAFileWithNothingOptional(t *testing.T) {
	schema, _ := readSchema(t)
	v := VerdictFile{Schema: Schema, Plan: Plan{Schema: Schema, Kind: KindAA, Engine: EnginePairs, Comparisons: []Comparison{{}}},
		Results: []Result{{Verdict: NotMeasured, Foreign: -1}}}
	if err := schema.Validate(document(t, v)); err != nil {
		t.Error(err)
	}
	v.Plan.Study = &File{}
	v.Results, v.Plan.Comparisons = nil, nil
	if err := schema.Validate(document(t, v)); err != nil {
		t.Error(err)
	}
}

func TestTheSchemaTakesWhatPagesAreTestedWithAndWhatIsCommitted(t *testing.T) {
	schema, _ := readSchema(t)
	files, err := filepath.Glob("../words/testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no verdict files: %v", err)
	}
	committed, _ := filepath.Glob("../../../../studies/*/verdict.json") // a module of its own, which may not be here
	files = append(files, committed...)
	for _, f := range files {
		v, err := ReadVerdict(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(document(t, v)); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
}

func TestTheSchemaRefusesOtherFiles(t *testing.T) {
	schema, _ := readSchema(t)
	result := func(doc map[string]any) map[string]any { return doc["results"].([]any)[0].(map[string]any) }
	for name, change := range map[string]func(map[string]any){
		"another schema":     func(d map[string]any) { d["schema"] = 3 },
		"an unknown key":     func(d map[string]any) { result(d)["colour"] = "red" },
		"a missing key":      func(d map[string]any) { delete(result(d), "bytes") },
		"an unknown verdict": func(d map[string]any) { result(d)["verdict"] = "GOOD" },
		"an unknown class":   func(d map[string]any) { result(d)["time"] = "fine" },
		"a number as text":   func(d map[string]any) { result(d)["baseline_ns"] = "1" },
		"a bare duration":    func(d map[string]any) { d["spent"] = "12" },
	} {
		doc := document(t, filled())
		change(doc)
		if schema.Validate(doc) == nil {
			t.Errorf("%s passes", name)
		}
	}
}

// collect notes the keys of a document, at any depth.
func collect(v any, keys map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			keys[k] = true
			collect(e, keys)
		}
	case []any:
		for _, e := range v {
			collect(e, keys)
		}
	}
}

// properties calls f for each property that a schema describes.
func properties(v any, f func(name string)) {
	switch v := v.(type) {
	case map[string]any:
		if ps, ok := v["properties"].(map[string]any); ok && v["type"] == "object" {
			for _, name := range slices.Sorted(maps.Keys(ps)) {
				f(name)
			}
		}
		for _, e := range v {
			properties(e, f)
		}
	case []any:
		for _, e := range v {
			properties(e, f)
		}
	}
}

func TestTheSchemaTakesEveryEstimator(t *testing.T) {
	_, plain := readSchema(t)
	enum := plain["$defs"].(map[string]any)["estimator"].(map[string]any)["enum"].([]any)
	for _, kind := range []EstimatorKind{Mutator, Total, Long, Many, AtRate, Lines, Sum} {
		for _, clock := range []Clock{Wall, CPU} {
			if name := (Estimator{kind, clock}).String(); !slices.Contains(enum, any(name)) {
				t.Errorf("%q is none of %v", name, enum)
			}
		}
	}
}
