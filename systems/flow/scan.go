package flow

// Scan returns f's results: f is called with init and the first value, then with its last
// result and the next value. An error or a panic of f takes the place of the value, and the
// next call gets the result before it.
func Scan[T, A any](s Stream[T], init A, f func(A, T) (A, error)) Stream[A] {
	s.check()
	need("Scan", "f", f == nil)
	_, own := lends[A](s.lent)
	all := perRun(newNode("scan", s.node).of(f), func() Stream[A] {
		acc := init
		return Map(s, func(v T) (A, error) {
			next, err := f(acc, v)
			if err == nil {
				acc = next
				if own != nil {
					kept := []A{acc}
					own(kept)
					acc = kept[0]
				}
			}
			return next, err
		})
	})
	all.mayCross("Scan") // the next call gets its last result
	return all
}

// Distinct returns the values of s without those that came before. It remembers all values
// for as long as it runs: use [DistinctBy] with a short key where they are large, and
// [Changes] where equal ones come in a row.
func Distinct[T comparable](s Stream[T]) Stream[T] {
	return distinct(s, func(v T) T { return v }, nil)
}

// DistinctBy returns the values of s without those whose key came before. It remembers all
// keys for as long as it runs. If key panics, the [PanicError] takes the place of the value.
func DistinctBy[T any, K comparable](s Stream[T], key func(T) K) Stream[T] {
	need("DistinctBy", "key", key == nil)
	return distinct(s, key, key)
}

func distinct[T any, K comparable](s Stream[T], key func(T) K, named any) Stream[T] {
	s.check()
	return perRun(newNode("distinct", s.node).of(named), func() Stream[T] {
		seen := make(map[K]struct{})
		return s.Filter(func(v T) bool {
			before := len(seen)
			seen[key(v)] = struct{}{}
			return len(seen) > before
		})
	})
}

// Changes returns the values of s without those that are equal to the value before.
func Changes[T comparable](s Stream[T]) Stream[T] {
	s.check()
	return perRun(newNode("changes", s.node), func() Stream[T] {
		var last T
		first := true
		return s.Filter(func(v T) bool {
			changed := first || v != last
			first, last = false, v
			return changed
		})
	})
}

// Sliding returns windows of n values of s, the first one of the first n, each further one
// begun step values later: with n 3 and step 1 of 1, 2, 3, 4 come [1 2 3] and [2 3 4]. Only
// whole windows are sent. Each is a new slice, the caller's to keep. An item error passes on
// at once, before the windows that its neighbours complete. It panics if n or step is not
// positive.
func Sliding[T any](s Stream[T], n, step int) Stream[[]T] {
	s.check()
	atLeast("Sliding", "n", n, 1)
	atLeast("Sliding", "step", step, 1)
	s.mayCross("Sliding")
	all := perRun(newNode("sliding", s.node).with("%d by %d", n, step), func() Stream[[]T] {
		var window []T
		skip := 0 // values between two windows
		return FlatMap(s, func(dst [][]T, v T) ([][]T, error) {
			if skip > 0 {
				skip--
				return dst, nil
			}
			one := []T{v}
			if s.own != nil {
				s.own(one)
			}
			if window = append(window, one[0]); len(window) < n {
				return dst, nil
			}
			whole := window
			window = append(make([]T, 0, min(n, 2*len(whole))), whole[min(step, n):]...)
			skip = max(step-n, 0)
			return append(dst, whole), nil
		})
	})
	all.lent, all.own = false, nil
	return all
}

// perRun is a stream of a stage with a state: make makes it for each run.
func perRun[O any](n *node, make func() Stream[O]) Stream[O] {
	like := make()
	return Stream[O]{node: n, lent: like.lent, own: like.own, run: func(r *run, down func(*batch[O]) error) error {
		return make().run(r, down)
	}}
}
