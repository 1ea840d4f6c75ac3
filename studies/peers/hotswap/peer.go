package hotswappeers

// Peer is one way of sharing a value that is replaced.
type Peer struct {
	Name   string // as in benchmark names and tables
	Module string // import path of the package, empty for what Go brings

	// Blocks says that readers wait for writers: a read in which the same
	// goroutine writes would wait for itself.
	Blocks bool

	B64   func() Share[B64]
	KiB   func() Share[KiB]
	KiB64 func() Share[KiB64]
}

// Share holds one current value, which NewX has filled with zeros. It is safe for
// concurrent use.
type Share[V Words] interface {
	// Goroutine returns what one goroutine uses to read and write.
	Goroutine() Goroutine[V]
	// Made returns how many values were made so far.
	Made() int
}

// Goroutine is the use of a Share by one goroutine.
type Goroutine[V Words] interface {
	// Reads reads the first word of the current value n times, each in a read of
	// its own, and returns the sum. The loop is written out for each peer, in the
	// form that a user would write: a call through an interface for each read
	// would cost more than some of them.
	Reads(n int) (sum uint64)
	// Write makes a value current in which all words are n.
	Write(n uint64)
	// See calls look with the current value, which does not change until look
	// returns.
	See(look func(*V))
	// Release gives up what the goroutine holds between two reads, if anything.
	Release()
}

// Peers are all that are compared; the first is what the others are measured by.
var Peers = []Peer{
	{
		Name: "counted",
		B64:  newCounted[B64], KiB: newCounted[KiB], KiB64: newCounted[KiB64],
	},
	{
		Name: "acquire", Module: ours,
		B64: newAcquire[B64], KiB: newAcquire[KiB], KiB64: newAcquire[KiB64],
	},
	{
		Name: "reader", Module: ours,
		B64: newReader[B64], KiB: newReader[KiB], KiB64: newReader[KiB64],
	},
	{
		Name: "atomic",
		B64:  newAtomic[B64], KiB: newAtomic[KiB], KiB64: newAtomic[KiB64],
	},
	{
		Name: "inplace", Blocks: true,
		B64: newInPlace[B64], KiB: newInPlace[KiB], KiB64: newInPlace[KiB64],
	},
	{
		Name: "rbmutex", Module: "github.com/puzpuzpuz/xsync/v4", Blocks: true,
		B64: newRBMutex[B64], KiB: newRBMutex[KiB], KiB64: newRBMutex[KiB64],
	},
	{
		Name: "rwmutex",
		B64:  newRWMutex[B64], KiB: newRWMutex[KiB], KiB64: newRWMutex[KiB64],
	},
	{
		Name: "do", Module: ours,
		B64: newDo[B64], KiB: newDo[KiB], KiB64: newDo[KiB64],
	},
	{
		Name: "oneshard", Module: ours,
		B64: newOneShard[B64], KiB: newOneShard[KiB], KiB64: newOneShard[KiB64],
	},
	{
		Name: "poolswap", Module: ours + "/poolswap",
		B64: newPoolswap[B64], KiB: newPoolswap[KiB], KiB64: newPoolswap[KiB64],
	},
}

const ours = "github.com/poolproof/poolproof/hotswap"
