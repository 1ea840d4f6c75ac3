package flow

import (
	"go/types"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

var (
	poolGet = &summary.Summary{Getter: summary.Bit(0)}
	// What is stored atomically, or in a sync.Map, is everybody's.
	keepsFirst  = &summary.Summary{Retains: summary.Bit(1), Keeps: summary.Bit(1)}
	keepsSecond = &summary.Summary{Retains: summary.Bit(2), Keeps: summary.Bit(2)}
	keepsThird  = &summary.Summary{Retains: summary.Bit(3), Keeps: summary.Bit(3)}
	startsFirst = &summary.Summary{Retains: summary.Bit(1), Starts: summary.Bit(1)}
	poolPut     = &summary.Summary{MustPut: summary.Bit(1), Release: summary.Bit(1), MayPut: summary.Bit(1)}
)

// seed returns what is known of a function without looking at its code, nil if its code
// tells: the methods of sync.Pool, and what keeps, shares or starts what it gets by means
// that the analysis does not look into.
func seed(fn *types.Func) *summary.Summary {
	if fn.FullName() == "(*strings.Builder).String" {
		return nothing // the text shares memory with the builder, which never writes there again
	}
	if fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic" && fn.Signature().Recv() != nil {
		switch fn.Name() {
		case "Store", "Swap":
			return keepsFirst
		case "CompareAndSwap":
			return keepsSecond
		}
	}
	switch fn.FullName() {
	case "sync/atomic.StorePointer", "sync/atomic.SwapPointer":
		return keepsFirst
	case "sync/atomic.CompareAndSwapPointer":
		return keepsSecond
	case "time.AfterFunc", "context.AfterFunc":
		return keepsFirst // the function that runs later
	}
	if fn.Pkg() == nil || fn.Pkg().Path() != "sync" {
		return nil
	}
	switch fn.FullName() {
	case "(*sync.WaitGroup).Go":
		return startsFirst
	case "(*sync.Pool).Get":
		return poolGet
	case "(*sync.Pool).Put":
		return poolPut
	case "(*sync.Map).Store", "(*sync.Map).LoadOrStore", "(*sync.Map).Swap":
		return keepsSecond
	case "(*sync.Map).CompareAndSwap":
		return keepsThird
	}
	return nothing
}
