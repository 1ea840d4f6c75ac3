package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// Every value of odd objects is found again.
func TestNoValueOfAnObjectIsLost(t *testing.T) {
	deep := strings.Repeat(`{"x":`, 40) + "1" + strings.Repeat("}", 40)
	for in, want := range map[string]string{
		"\ufeff{\"a\":1}": "a\n1\n",
		`{"a":1,"a":2,"a":"x"}` + "\n" + `{"a#2":3}`:      "a\ta#2\ta#string\n1\t2\tx\n\t3\t\n",
		`{"a":{"b":1},"a.b":2}`:                           "a.b\ta.b#2\n1\t2\n",
		`{"id":18446744073709551615}`:                     "id\n18446744073709551615\n",
		`{"id":1}` + "\n" + `{"id":-9223372036854775809}`: "id\tid#string\n1\t\n\t-9223372036854775809\n",
		`{"n":1e400,"m":-0.0,"i":-0}`:                     "n\tm\ti\n1e400\t-0\t0\n",
		`{"list":["<a>", {"b" : [1]}]}`:                   "list\n[\"<a>\",{\"b\":[1]}]\n",
		`{"d":` + deep + `}`:                              "d" + strings.Repeat(".x", 31) + "\n" + strings.Repeat(`{"x":`, 9) + "1" + strings.Repeat("}", 9) + "\n",
	} {
		out := filepath.Join(t.TempDir(), "o.parquet")
		if code, _, stderr := call("convert", write(t, "in.jsonl", in+"\n"), out); code != 0 {
			t.Errorf("%s: %d %s", in, code, stderr)
			continue
		}
		if _, stdout, _ := call("cat", out); stdout != want {
			t.Errorf("%s gives\n%q, want\n%q", in, stdout, want)
		}
	}
}

func TestLinesThatAreNoObjects(t *testing.T) {
	for in, want := range map[string]string{
		"{\"a\":1}\n[1,2]\n":    "line 2: not a JSON object: each line must be one",
		"null\n":                "is in none of the formats that are told apart: json, syslog, web, logfmt; -from says which it is",
		"{\"a\":1}\n{\"a\":\n":  "line 2: not a JSON object: byte 5: it ends where a value is wanted",
		"{\"a\":1} {\"a\":2}\n": "line 1: byte 8: there is more after the JSON object",
		"{\"a\":1}\n\ufeff{}\n": "line 2: not a JSON object: ",
	} {
		code, _, stderr := call("convert", write(t, "in.jsonl", in), filepath.Join(t.TempDir(), "o.parquet"))
		if code != exitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%q: %d %q, want %q", in, code, stderr, want)
		}
	}
}
