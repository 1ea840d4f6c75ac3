//go:build !poolproofmark || poolproofdebug

package hotswap

// marked: only `poolproof test` is told of memory that waits. The checked build
// watches it itself.
const marked = false

const markedBit = 0
