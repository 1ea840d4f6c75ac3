package study

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
)

// firstSchema is the form whose words differ from today's: a burst was a slice,
// the sides were old and new, a row's estimator its metric. Its files are read
// by turning those words into today's.
const firstSchema = 1

// object is a JSON object as it stands in a file.
type object = map[string]any

// newer turns a plan, record, verdict file or summary of firstSchema into the
// form of today and leaves its schema as it is, for the reader to see.
func newer(data []byte) ([]byte, error) {
	in := json.NewDecoder(bytes.NewReader(data))
	in.UseNumber() // counters have more digits than a float64
	var doc object
	if err := in.Decode(&doc); err != nil {
		return nil, err
	}
	newerPlan(doc)
	if plan, ok := doc["plan"].(object); ok { // of a verdict file; a record has the digest there
		newerPlan(plan)
	}
	if rule, ok := doc["rule"].(object); ok { // a plan's or that of a verdict file
		newerRule(rule)
	}
	newerRecord(doc)
	for _, list := range []string{"results", "comparisons"} { // of a verdict file and of a summary
		each(doc[list], newerResult)
	}
	return json.Marshal(doc)
}

func newerPlan(plan object) {
	each(plan["comparisons"], func(c object) {
		if _, ok := c["old"].(object); ok { // a summary's rows have no benchmarks
			rename(c, "old", "baseline_bench", "new", "candidate_bench")
		}
	})
	if rule, ok := plan["rule"].(object); ok {
		newerRule(rule)
	}
}

func newerRule(rule object) { rename(rule, "slice", "burst") }

func newerRecord(r object) {
	if _, ok := r["form"]; !ok {
		return
	}
	rename(r, "old", "baseline", "new", "candidate", "new_first", "candidate_first", "go_new", "go_candidate")
	if r["form"] == "slices" {
		r["form"] = FormBursts
	}
	switch r["failed_side"] {
	case "old":
		r["failed_side"] = Baseline.String()
	case "new":
		r["failed_side"] = Candidate.String()
	}
}

// newerResult is for a result and for a row of a summary.
func newerResult(r object) {
	rename(r, "old_ns", "baseline_ns", "new_ns", "candidate_ns", "metric", "estimator")
	for _, name := range []string{"bytes", "allocs"} {
		if c, ok := r[name].(object); ok {
			newerCounter(c)
		}
	}
	each(r["metrics"], func(m object) {
		newerCounter(m)
		if why, ok := m["why"].(object); ok {
			newerReason(why)
		}
	})
	each(r["reasons"], newerReason)
	each(r["notes"], newerReason)
}

func newerReason(why object) {
	if c, ok := why["counter"].(object); ok {
		newerCounter(c)
	}
	each(why["because"], newerReason)
}

func newerCounter(c object) { rename(c, "old", "baseline", "new", "candidate") }

// each calls f for the objects of a list, if it is one.
func each(list any, f func(object)) {
	all, _ := list.([]any)
	for _, v := range all {
		if o, ok := v.(object); ok {
			f(o)
		}
	}
}

// rename gives values other keys: pairs of the former and the present one.
func rename(o object, pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		if v, ok := o[pairs[i]]; ok {
			delete(o, pairs[i])
			o[pairs[i+1]] = v
		}
	}
}

// errSchema is a form that this program does not read.
var errSchema = errors.New("schema")

// today returns data of any known schema in the form of today.
func today(data []byte) ([]byte, error) {
	var head struct{ Schema int }
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	switch head.Schema {
	case Schema:
		return data, nil
	case firstSchema:
		return newer(data)
	}
	return nil, fmt.Errorf("%w %d, this program reads %d and %d", errSchema, head.Schema, firstSchema, Schema)
}
