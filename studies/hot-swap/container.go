package hotswap

// Container holds one current Table for goroutines that read it and goroutines
// that replace it. It is never empty: an arm's New function fills the first
// Table. It is safe for concurrent use.
type Container interface {
	// Lookup looks up each of the keys, every one in a read of its own, and
	// returns the sum of the weights of the values found. The loop is in here
	// so that a read has no call through an interface in it.
	Lookup(keys []string) (sum int)

	// Read calls look with the current Table, which does not change until look
	// returns. look must not keep it.
	Read(look func(*Table))

	// Replace makes a Table current that fill has filled, and which was empty
	// before. fill must not keep it.
	Replace(fill func(*Table))

	// Made returns how many Tables the Container has made so far.
	Made() int
}
