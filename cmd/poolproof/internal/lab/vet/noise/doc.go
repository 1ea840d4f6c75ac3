// Package noise runs the analysis over code that other people wrote, for other
// purposes, and that is used a lot: what it reports there, it will report
// everywhere.
//
// Every report of the error tier was read and judged; the judgements are in
// testdata/reviewed.toml. A report that is not there fails the gate, so that no
// change of a rule brings noise unseen. Reports of the other tiers are listed.
//
// The package also seeds defects: it deletes, duplicates and moves puts in the
// same code, and asks how many of them are found.
package noise
