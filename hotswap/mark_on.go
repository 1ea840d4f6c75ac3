//go:build poolproofmark && !poolproofdebug

package hotswap

// marked: `poolproof test` is told of the memory that waits outside of a sync.Pool,
// or in one under a header that it does not see through.
const marked = true

const markedBit = 1
