package flow

import (
	"go/types"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// nothing is the effect of a function that does nothing with what it is given, or of which nothing is known.
var nothing = new(summary.Summary)

var (
	poolGet = &summary.Summary{Getter: summary.Bit(0)}
	// What is stored atomically, or in a sync.Map, is everybody's.
	keepsFirst  = &summary.Summary{Retains: summary.Bit(1), Keeps: summary.Bit(1)}
	keepsSecond = &summary.Summary{Retains: summary.Bit(2), Keeps: summary.Bit(2)}
	keepsThird  = &summary.Summary{Retains: summary.Bit(3), Keeps: summary.Bit(3)}
	startsFirst = &summary.Summary{Retains: summary.Bit(1), Starts: summary.Bit(1)}
	poolPut     = &summary.Summary{MustPut: summary.Bit(1), Release: summary.Bit(1), MayPut: summary.Bit(1)}
)

// seeds are functions that keep, share or start what they get by means that the analysis does
// not look into, and the methods of sync.Pool.
var seeds = map[string]*summary.Summary{
	"(*strings.Builder).String":         nothing, // the text shares memory with the builder, which never writes there again
	"sync/atomic.StorePointer":          keepsFirst,
	"sync/atomic.SwapPointer":           keepsFirst,
	"sync/atomic.CompareAndSwapPointer": keepsSecond,
	"time.AfterFunc":                    keepsFirst, // the function that runs later
	"context.AfterFunc":                 keepsFirst,
	"container/heap.Push":               keepsFirst,
	"(*sync.WaitGroup).Go":              startsFirst,
	"(*sync.Pool).Get":                  poolGet,
	"(*sync.Pool).Put":                  poolPut,
	"(*sync.Map).Store":                 keepsSecond,
	"(*sync.Map).LoadOrStore":           keepsSecond,
	"(*sync.Map).Swap":                  keepsSecond,
	"(*sync.Map).CompareAndSwap":        keepsThird,
}

// seed returns what is known of a function without looking at its code, nil if its code tells.
func seed(fn *types.Func) *summary.Summary {
	if s := seeds[fn.FullName()]; s != nil || fn.Pkg() == nil {
		return s
	}
	switch fn.Pkg().Path() {
	case "sync":
		return nothing
	case "sync/atomic":
		if fn.Signature().Recv() == nil {
			return nil
		}
		switch fn.Name() {
		case "Store", "Swap":
			return keepsFirst
		case "CompareAndSwap":
			return keepsSecond
		}
	}
	return nil
}
