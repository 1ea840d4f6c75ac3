//go:build !poolproofdebug

package buffer

// guarded is constant here: guard mode is of the checked build.
const guarded = false
