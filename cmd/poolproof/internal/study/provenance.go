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

// Padded identifies the padded builds of a run.
type Padded struct {
	Builds int    `json:"builds"`
	SHA256 string `json:"sha256"` // of the lines "ID SHA256", sorted by ID
}

// PaddedBuilds stands for all padded builds of the plan; nil if it has none.
func (p Plan) PaddedBuilds() *Padded {
	h, n := sha256.New(), 0
	for _, b := range slices.SortedFunc(slices.Values(p.Binaries), func(a, b Binary) int { return cmp.Compare(a.ID, b.ID) }) {
		if b.Layout > 0 {
			n++
			h.Write([]byte(b.ID + " " + b.SHA256 + "\n"))
		}
	}
	if n == 0 {
		return p.Padded
	}
	return &Padded{n, hex.EncodeToString(h.Sum(nil))}
}
