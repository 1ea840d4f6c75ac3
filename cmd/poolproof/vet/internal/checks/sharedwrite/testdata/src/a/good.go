package a

import "swap"

func copied(r *swap.Ref) *swap.Table {
	x := &swap.Table{Version: r.Value().Version}
	x.Version++
	x.Rows = append(x.Rows, r.Value().Rows...)
	return x
}

func read() (n int) {
	swap.Do(func(x *swap.Table) { n = x.Version })
	return n
}
