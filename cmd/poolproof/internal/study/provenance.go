package study

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
)

// Program is the poolproof binary that planned and measured.
type Program struct {
	Version  string `json:"version,omitempty"`  // of its module, as the go command stamped it
	Revision string `json:"revision,omitempty"` // git revision that it was built from, where the go command stamped one
	Dirty    bool   `json:"dirty,omitempty"`    // the tree that it was built from differed from Revision
	SHA256   string `json:"sha256,omitempty"`   // of the file, hexadecimal
	Engine   int    `json:"engine"`             // version of the engine: what a launch does and what its record means
}

// Provenance says which files were measured by which program and judged by
// which rule. A committed result keeps it, so that a reader can tell whether the
// result speaks of the code that stands beside it.
type Provenance struct {
	Revision string   `json:"revision,omitempty"` // of the repository; empty: there is none
	Dirty    bool     `json:"dirty"`              // anything in the repository differed from Revision, notes and results left aside
	Binaries []Digest `json:"binaries"`           // plain builds
	// Padded stands for all padded builds: its SHA256 is that of the lines
	// "ID SHA256", sorted by ID.
	Padded  *Padded `json:"padded,omitempty"`
	Program Program `json:"program"`
	Rule    int     `json:"rule"`   // version that said how long to measure
	Judged  int     `json:"judged"` // version that gave the verdicts
}

// Digest identifies a binary.
type Digest struct {
	ID     string `json:"id"`
	SHA256 string `json:"sha256"`
}

// Padded identifies the padded builds of a run.
type Padded struct {
	Builds int    `json:"builds"`
	SHA256 string `json:"sha256"`
}

// Provenance returns what a verdict file says of its origin; nil where its plan
// was made by a version of this program that did not keep it.
func (v VerdictFile) Provenance() *Provenance {
	p := v.Plan
	if p.Program == (Program{}) {
		return nil
	}
	of := Provenance{Revision: p.Revision, Dirty: p.Dirty, Binaries: []Digest{}, Program: p.Program, Rule: p.Rule.Version, Judged: v.Judged}
	h, padded := sha256.New(), 0
	for _, b := range slices.SortedFunc(slices.Values(p.Binaries), func(a, b Binary) int { return cmp.Compare(a.ID, b.ID) }) {
		if b.Layout == 0 {
			of.Binaries = append(of.Binaries, Digest{b.ID, b.SHA256})
			continue
		}
		padded++
		h.Write([]byte(b.ID + " " + b.SHA256 + "\n"))
	}
	if padded > 0 {
		of.Padded = &Padded{padded, hex.EncodeToString(h.Sum(nil))}
	}
	return &of
}
