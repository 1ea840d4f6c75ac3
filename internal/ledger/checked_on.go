//go:build poolproofdebug

package ledger

// Checked reports whether this is the checked build (-tags poolproofdebug), in
// which tickets carry stacks and books are listed. It is a constant, so that
// code of the other build costs nothing.
const Checked = true
