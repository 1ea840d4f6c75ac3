package collector

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"
)

// TestAJournalHasEachMessageOnce, small ones that are written together and large ones
// that are not.
func TestAJournalHasEachMessageOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet.journal")
	j, err := createJournal(path)
	if err != nil {
		t.Fatal(err)
	}
	var want [][]byte
	for _, sizes := range [][]int{{1}, slices.Repeat([]int{1000}, 600), {gathered / 4, gathered/4 + 1, 0, 5}, {gathered * 3, 1, gathered * 2}, slices.Repeat([]int{gathered / 4}, 9)} {
		var messages [][]byte
		for i, n := range sizes {
			messages = append(messages, bytes.Repeat([]byte{byte(i + len(want))}, n))
		}
		if err := j.append(messages); err != nil {
			t.Fatal(err)
		}
		want = append(want, messages...)
	}
	j.file.Close()
	var got [][]byte
	left, err := readJournal(path, func(m []byte) (bool, error) { got = append(got, bytes.Clone(m)); return true, nil })
	if err != nil || len(left.damaged) > 0 || left.torn > 0 {
		t.Errorf("%v, %+v", err, left)
	}
	if !slices.EqualFunc(got, want, bytes.Equal) {
		t.Errorf("%d messages of %d, or others", len(got), len(want))
	}
}
