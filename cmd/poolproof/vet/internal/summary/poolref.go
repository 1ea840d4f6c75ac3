package summary

import "fmt"

// PoolRef says which pool a result comes from, or a parameter is put into.
type PoolRef struct {
	Index int // of the result or the parameter
	// Param is the parameter through which the pool is reached, -1 if it is a
	// package variable.
	Param int
	// Pool is the path from the parameter, or the name of the package variable with
	// a path.
	Pool string
}

// Pool returns the pool of one result or parameter.
func Pool(refs []PoolRef, index int) (PoolRef, bool) {
	return first(refs, func(r PoolRef) bool { return r.Index == index })
}

// String is for tests: "[0]=-1:example.com/p.pool".
func (r PoolRef) String() string { return fmt.Sprintf("[%d]=%d:%s", r.Index, r.Param, r.Pool) }
