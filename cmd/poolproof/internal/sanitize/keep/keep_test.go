package keep

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

func TestAFileThatSaysTheSameIsNotTouched(t *testing.T) {
	name := filepath.Join(t.TempDir(), "deep", "er", "file")
	if err := File(name, []byte("one")); err != nil {
		t.Fatal(err)
	}
	then := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(name, then, then); err != nil {
		t.Fatal(err)
	}
	if err := File(name, []byte("one")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || !info.ModTime().Equal(then) {
		t.Errorf("it was written again: %v, %v", info, err)
	}
	if err := File(name, []byte("two")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(name); err != nil || string(got) != "two" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestReadersNeverSeeAPart(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	texts := [][]byte{bytes.Repeat([]byte("a"), 1<<16), bytes.Repeat([]byte("b"), 1<<17)}
	if err := File(name, texts[0]); err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for i := range 4 {
		writers.Go(func() {
			for n := range 50 {
				if err := File(name, texts[(i+n)%2]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		got, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(got, texts[0]) && !bytes.Equal(got, texts[1]) {
			t.Fatalf("%d bytes, %v", len(got), err)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("files left behind: %v", left)
	}
}

func TestAFolderThatCannotBeWrittenIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := File(filepath.Join(file, "below"), nil); err == nil {
		t.Error("no error")
	}
}
