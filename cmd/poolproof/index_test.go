package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/committed"
)

// TestTheTableOfTheStudiesIsThatOfTheirResults: after a study was measured
// anew with -update, or a study file was written, the table is to be written
// anew too.
func TestTheTableOfTheStudiesIsThatOfTheirResults(t *testing.T) {
	dir := filepath.Join("..", "..", "studies")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the studies are a module of their own, and are not here")
	}
	want, studies, err := index(dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, committed.IndexName))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("studies/%s is not what the committed results give (%v); run: poolproof try -index ./studies", committed.IndexName, err)
	}
	for _, c := range studies {
		if c.Result == nil {
			continue
		}
		text, err := os.ReadFile(c.Note())
		if err != nil {
			t.Error(err)
			continue
		}
		if c.Current(string(text)) != string(text) {
			t.Errorf("the conclusion or the claims in %s, or what it says of its origin, are not what the committed result gives; run: poolproof try -index ./studies", c.Note())
		}
	}
	again, _, err := index(dir)
	if err != nil || !bytes.Equal(again, want) {
		t.Errorf("the table differs from one time to the next (%v)", err)
	}
}
