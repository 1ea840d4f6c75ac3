// Package builtin holds the benchmarks that come with the command: a small
// module of its own, embedded as text. They measure the machine and the
// command itself, with nothing of the user's: what two equal programs differ
// by (A/A), how well a known effect is found, and whether a way that trades
// time for less garbage is judged by what it costs in all.
//
// The three kinds are in one file each, with their rules at the top:
// src/aa_test.go.txt, src/effect_test.go.txt and src/garbage_test.go.txt. They
// end in .txt so that the go command does not take them for a part of this
// module.
package builtin

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Module is the path of the extracted module and of the one package in it.
// No proxy serves it.
const Module = "poolproof.local/builtin"

// AA is a -bench pattern: the benchmarks that are there to be compared with
// themselves. The others have counterparts of their own.
const AA = "^Benchmark(Loop|JSON|Long|Channel|Parallel)$"

// goMod is the extracted go.mod. 1.24 is the first version with [testing.B.Loop].
const goMod = "module " + Module + "\n\ngo 1.24\n"

//go:embed src/*.txt
var sources embed.FS

// Extract writes the module into dir, which it makes if it is missing. Files
// of the same names are replaced; others are left alone. Two calls write the
// same bytes, so the build cache answers for a second build.
//
// dir may lie inside a workspace of the user's, which knows nothing of this
// module: build it with GOWORK=off. It requires no other module.
func Extract(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("extract the built-in benchmarks: %w", err)
	}
	files, err := files()
	if err != nil {
		return fmt.Errorf("extract the built-in benchmarks: %w", err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return fmt.Errorf("extract the built-in benchmarks: %w", err)
		}
	}
	return nil
}

// files returns the module's files by name.
func files() (map[string][]byte, error) {
	out := map[string][]byte{"go.mod": []byte(goMod)}
	entries, err := fs.ReadDir(sources, "src")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		text, err := sources.ReadFile("src/" + e.Name())
		if err != nil {
			return nil, err
		}
		out[strings.TrimSuffix(e.Name(), ".txt")] = text
	}
	return out, nil
}

// Digest identifies the sources: results of two sets of benchmarks are not of
// one kind.
func Digest() string {
	text, err := files()
	if err != nil {
		panic(err) // they are embedded
	}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(text)) {
		fmt.Fprintf(h, "%s %d\n%s", name, len(text[name]), text[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}
