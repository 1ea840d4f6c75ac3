// Package poolthreshold is the study of a rule of thumb: pool what is larger
// than 1 KB, leave alone what is smaller than 100 B, do not pool in cold paths,
// and pool what is large, long-lived and shared by goroutines.
//
// A use takes a block of memory, writes all of it, as a read from a connection
// would, reads it again, one word in each cache line, and gives it up. Nothing
// of it is cleared: its owner writes what it reads. There is one file for each
// way of getting the block, and each is an arm of the study:
//
//	make      a new block for each use
//	syncpool  a sync.Pool of *[]byte
//	pool      a pool.Pool[[]byte]
//
// What varies is the size of the block (SIZE in the environment, 16B to 1MiB),
// the number of goroutines, how often the block is used (hot: again at once;
// rare: only after collections that have emptied every pool), and whether the
// block leaves the function at all: one that does not is on the stack, and a
// comparison with a pool is turned down as invalid.
//
// study.toml holds the question and what is expected, VERDICT.md the answer.
package poolthreshold
