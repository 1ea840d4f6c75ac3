package flowpeers

import (
	"context"

	published "github.com/poolproof/poolproof/studies/flatmap-slices"
)

// The published way has a goroutine and a channel of 64 Results for each stage. Its
// source and its flat map are those of the study flatmap-slices; the other two
// stages are written here in the same way.

// stage is a goroutine that calls item for each Result, and sends what it returns
// unless it says not to.
func stage(ctx context.Context, in <-chan published.Result[int], item func(published.Result[int]) (published.Result[int], bool)) <-chan published.Result[int] {
	out := make(chan published.Result[int], published.Buffer)
	go func() {
		defer close(out)
		for r := range in {
			made, some := item(r)
			if !some {
				continue
			}
			select {
			case <-ctx.Done():
				return
			case out <- made:
			}
		}
	}()
	return out
}

// try calls the user's function. A panic becomes the item's error.
func try(v int) (made int, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &published.PanicError{Value: p}
		}
	}()
	return double(v)
}

func tryKeep(v int) (kept bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &published.PanicError{Value: p}
		}
	}()
	return keep(v), nil
}

var items = func() []published.Result[int] {
	all := make([]published.Result[int], len(inputs))
	for i, v := range inputs {
		all[i] = published.Ok(v)
	}
	return all
}()

var flatten = published.Make(five)

func runPublished(ctx context.Context) (o Outcome, err error) {
	doubled := stage(ctx, published.Source(ctx, items), func(r published.Result[int]) (published.Result[int], bool) {
		if r.Err() != nil {
			return r, true
		}
		v, err := try(r.Value())
		if err != nil {
			return published.Err[int](err), true
		}
		return published.Ok(v), true
	})
	kept := stage(ctx, flatten(ctx, doubled), func(r published.Result[int]) (published.Result[int], bool) {
		if r.Err() != nil {
			return r, true
		}
		some, err := tryKeep(r.Value())
		if err != nil {
			return published.Err[int](err), true
		}
		return r, some
	})
	for r := range kept {
		if r.Err() != nil {
			o.failed()
		} else {
			o.value(r.Value())
		}
	}
	return o, ctx.Err()
}
