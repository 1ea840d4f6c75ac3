package a

import "swap"

func direct(r *swap.Ref) {
	r.Value().Version++ // want `the result of Value is written, but others may read what Value \(line 6\) gives, at the same time; change a copy of your own`
}

func named(r *swap.Ref) {
	x := r.Value()
	x.Version = 2 // want `x is written, but others may read what Value \(line 10\) gives`
}

func part(r *swap.Ref) {
	x := r.Value()
	x.Rows[0] = 1 // want `memory of x is written`
}

func inside() {
	swap.Do(func(x *swap.Table) {
		x.Version = 2 // want `x is written, but others may read what Do \(line 20\) gives`
	})
}
