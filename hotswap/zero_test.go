package hotswap_test

import (
	"context"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/internal/expect"
)

// What was not made by its constructor, and what was copied. Pool, Container and
// Delta say what is wrong. The zero guards (Draft, Ref) hold nothing, and are
// fit for use.

func TestAZeroOrCopiedContainerPanics(t *testing.T) {
	var zero hotswap.Container[config]
	for name, use := range map[string]func(){
		"Acquire":     func() { zero.Acquire() },
		"Do":          func() { zero.Do(func(*config) {}) },
		"Clear":       zero.Clear,
		"Close":       func() { _ = zero.Close(ended()) },
		"Synchronize": func() { _ = zero.Synchronize(ended()) },
		"Reader":      func() { zero.Reader() },
		"Update": func() {
			d := hotswap.NewPool(options()).Get()
			_ = zero.Update(&d)
		},
		"Update with a zero Draft": func() { _ = zero.Update(new(hotswap.Draft[config])) },
		"UpdateIf":                 func() { _, _ = zero.UpdateIf(new(hotswap.Ref[config]), new(hotswap.Draft[config])) },
		"RCU":                      func() { _ = zero.RCU(ended(), func(_, _ *config) error { return nil }) },
		"NewDelta":                 func() { hotswap.NewDelta(&zero, func(*config, int) {}, func(_, _ *config) {}) },
	} {
		if got, want := expect.Panic(use), "hotswap: use of a Container that was not made by New ("; !strings.HasPrefix(got, want) {
			t.Errorf("%s panicked with %q, want %q", name, got, want)
		}
	}
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	publish(t, c, p, 1)
	copied := copyOf(c)
	if got, want := expect.Panic(func() { copied.Acquire() }), "hotswap: use of a copied Container; use a pointer to it"; got != want {
		t.Errorf("a copy panicked with %q, want %q", got, want)
	}
}

func TestANilZeroOrCopiedPoolPanics(t *testing.T) {
	uses := func(p *hotswap.Pool[config]) map[string]func() {
		return map[string]func(){
			"New":         func() { hotswap.New(p) },
			"Get":         func() { p.Get() },
			"GetContext":  func() { _, _ = p.GetContext(context.Background()) },
			"TryGet":      func() { _, _ = p.TryGet() },
			"Trim":        func() { p.Trim() },
			"Close":       func() { _ = p.Close(ended()) },
			"Stats":       func() { p.Stats() },
			"Outstanding": func() { p.Outstanding() },
		}
	}
	made := hotswap.NewPool(options())
	const unmade, copied = "hotswap: use of a Pool that was not made by NewPool", "hotswap: use of a copied Pool; use a pointer to it"
	for _, test := range []struct {
		name, want string
		pool       *hotswap.Pool[config]
	}{
		{"a nil Pool", unmade, nil},
		{"a zero Pool", unmade, new(hotswap.Pool[config])},
		{"a copied Pool", copied, copyOf(made)},
	} {
		for op, use := range uses(test.pool) {
			if got := expect.Panic(use); got != test.want {
				t.Errorf("%s of %s panicked with %q, want %q", op, test.name, got, test.want)
			}
		}
	}
	if s := made.Stats(); s.Slots != 0 {
		t.Errorf("%+v: a copy has used the values of its original", s)
	}
}

func TestANilZeroOrCopiedDeltaPanics(t *testing.T) {
	p := hotswap.NewPool(options())
	c := hotswap.New(p)
	apply, clone := func(x *config, d int) { x.version += d }, func(dst, src *config) { dst.version = src.version }
	made := hotswap.NewDelta(c, apply, clone)
	for name, test := range map[string]struct {
		use  func()
		want string
	}{
		"Update of a nil Delta":       {func() { _ = (*hotswap.Delta[config, int])(nil).Update(1) }, "hotswap: use of a Delta that was not made by NewDelta"},
		"Update of a zero Delta":      {func() { _ = new(hotswap.Delta[config, int]).Update(1) }, "hotswap: use of a Delta that was not made by NewDelta"},
		"Update of a copied Delta":    {func() { _ = copyOf(made).Update(1) }, "hotswap: use of a copied Delta; use a pointer to it"},
		"NewDelta of a nil Container": {func() { hotswap.NewDelta(nil, apply, clone) }, "hotswap: NewDelta of a nil Container"},
		"NewDelta without an apply":   {func() { hotswap.NewDelta[config, int](c, nil, clone) }, "hotswap: NewDelta without apply"},
		"NewDelta without a clone":    {func() { hotswap.NewDelta(c, apply, nil) }, "hotswap: NewDelta without clone"},
		"Update of one that NewDelta made": {func() {
			if err := made.Update(1); err != nil {
				t.Error(err)
			}
		}, ""},
	} {
		if got := expect.Panic(test.use); got != test.want {
			t.Errorf("%s panicked with %q, want %q", name, got, test.want)
		}
	}
}

func TestAZeroDraftIsUsedUp(t *testing.T) {
	c := hotswap.New(hotswap.NewPool(options()))
	var d hotswap.Draft[config]
	d.Discard()
	if d.Value() != nil {
		t.Error("it has a value")
	}
	if err := c.Update(&d); err != hotswap.ErrUsed {
		t.Errorf("Update returned %v, want ErrUsed", err)
	}
	if published, err := c.UpdateIf(nil, &d); published || err != hotswap.ErrUsed {
		t.Errorf("UpdateIf returned %t, %v, want false, ErrUsed", published, err)
	}
}

func TestAZeroRefHoldsNothing(t *testing.T) {
	var r hotswap.Ref[config]
	clone, moved := r.Clone(), r.Move()
	part := hotswap.Map(&r, func(*config) *int {
		t.Error("Map calls its function without a value")
		return nil
	})
	for name, ref := range map[string]interface {
		Ok() bool
		Generation() uint64
		Release()
	}{"zero": &r, "clone": &clone, "moved": &moved, "part": &part} {
		if ref.Ok() || ref.Generation() != 0 {
			t.Errorf("%s: Ok is %t and the generation %d, want false and 0", name, ref.Ok(), ref.Generation())
		}
		ref.Release()
		ref.Release()
	}
	if r.Value() != nil || clone.Value() != nil || moved.Value() != nil || part.Value() != nil {
		t.Error("there is a value")
	}
}

// Words would cost Load as much as it does.
func TestAZeroReaderCannotLoad(t *testing.T) {
	var r hotswap.Reader[config]
	r.Release()
	expect.InOrder(t, expect.Panic(func() { r.Load() }), "nil pointer dereference")
	r.Release()
}

// The methods of guards and containers that are nil pointers do what methods of
// nil pointers do.
func TestNilPointersOfOtherTypesAreNilDereferences(t *testing.T) {
	var (
		container *hotswap.Container[config]
		draft     *hotswap.Draft[config]
		ref       *hotswap.Ref[config]
		reader    *hotswap.Reader[config]
	)
	for name, use := range map[string]func(){
		"Container.Acquire": func() { container.Acquire() },
		"Container.Clear":   func() { container.Clear() },
		"Draft.Value":       func() { draft.Value() },
		"Draft.Discard":     func() { draft.Discard() },
		"Ref.Value":         func() { ref.Value() },
		"Ref.Release":       func() { ref.Release() },
		"Ref.Clone":         func() { ref.Clone() },
		"Map":               func() { hotswap.Map(ref, func(x *config) *config { return x }) },
		"Reader.Load":       func() { reader.Load() },
		"Reader.Release":    func() { reader.Release() },
	} {
		if got := expect.Panic(use); !strings.Contains(got, "nil pointer dereference") {
			t.Errorf("%s panicked with %q, want a nil dereference", name, got)
		}
	}
}
