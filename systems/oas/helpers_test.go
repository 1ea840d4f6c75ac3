package oas_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/poolproof/poolproof/systems/oas"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	source, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func parse(t testing.TB, source string) *oas.Doc {
	t.Helper()
	d, err := oas.Parse([]byte(source))
	if err != nil {
		t.Fatalf("%.200s: %v", source, err)
	}
	return d
}

func compact(t testing.TB, source []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, source); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// nodes returns all nodes of a document in their order.
func nodes(d *oas.Doc) []oas.Node {
	var all []oas.Node
	var add func(oas.Node)
	add = func(n oas.Node) {
		all = append(all, n)
		for c := range n.All() {
			add(c)
		}
	}
	if d.Root().Exists() {
		add(d.Root())
	}
	return all
}
