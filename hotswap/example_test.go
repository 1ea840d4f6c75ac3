package hotswap_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/poolproof/poolproof/hotswap"
)

// settings are read again and again by a program, and reloaded now and then.
type settings struct{ values map[string]string }

// load fills empty settings from the text of a file.
func (s *settings) load(text string) error {
	for line := range strings.Lines(text) {
		key, value, found := strings.Cut(strings.TrimSpace(line), "=")
		if !found {
			return fmt.Errorf("%q is not KEY=VALUE", strings.TrimSpace(line))
		}
		s.values[key] = value
	}
	return nil
}

func newSettings() *hotswap.Pool[settings] {
	return hotswap.NewPool(hotswap.Options[settings]{
		New: func() *settings { return &settings{make(map[string]string)} },
		Reset: func(s *settings) bool {
			clear(s.values)
			return true
		},
	})
}

// A writer fills a draft and publishes it. A reader holds what is current for as
// long as it needs it, whatever is published meanwhile.
func Example() {
	pool := newSettings()
	current := hotswap.New(pool)

	reload := func(text string) error {
		draft := pool.Get()
		defer draft.Discard() // if load fails; nothing after Update
		if err := draft.Value().load(text); err != nil {
			return err
		}
		return current.Update(&draft)
	}

	fmt.Println(reload("colour=red"))
	ref := current.Acquire()
	defer ref.Release()
	fmt.Println(reload("colour=blue"), reload("colour"))

	fmt.Println(ref.Value().values["colour"], "is still read")
	current.Do(func(s *settings) { fmt.Println(s.values["colour"], "is current") })
	// Output:
	// <nil>
	// <nil> "colour" is not KEY=VALUE
	// red is still read
	// blue is current
}

// A worker that reads all the time keeps a Reader. It lets go of the value while
// it waits for work.
func ExampleContainer_Reader() {
	pool := newSettings()
	current := hotswap.New(pool)
	publish := func(colour string) {
		draft := pool.Get()
		draft.Value().values["colour"] = colour
		if err := current.Update(&draft); err != nil {
			fmt.Println(err)
		}
	}

	reader := current.Reader()
	defer reader.Release()
	for _, colour := range []string{"red", "blue"} {
		publish(colour)
		for range 2 {
			fmt.Println(reader.Load().values["colour"])
		}
		reader.Release()
	}
	// Output:
	// red
	// red
	// blue
	// blue
}

// RCU makes the next value of the current one, and loses no other update.
func ExampleContainer_RCU() {
	pool := newSettings()
	current := hotswap.New(pool)

	set := func(key, value string) error {
		return current.RCU(context.Background(), func(next, cur *settings) error {
			if cur != nil {
				maps.Copy(next.values, cur.values)
			}
			next.values[key] = value
			return nil
		})
	}
	fmt.Println(set("colour", "red"), set("size", "large"))
	current.Do(func(s *settings) { fmt.Println(s.values) })
	// Output:
	// <nil> <nil>
	// map[colour:red size:large]
}

// A hold on a part of the value keeps the whole.
func ExampleMap() {
	pool := newSettings()
	current := hotswap.New(pool)
	draft := pool.Get()
	draft.Value().values["colour"] = "red"
	if err := current.Update(&draft); err != nil {
		fmt.Println(err)
	}

	ref := current.Acquire()
	values := hotswap.Map(&ref, func(s *settings) *map[string]string { return &s.values })
	defer values.Release()
	fmt.Println((*values.Value())["colour"], ref.Ok())
	// Output: red false
}

// With MaxLive a forgotten Release cannot cost more than so many values, and
// with Trace the error says who has them.
func ExamplePool_GetContext() {
	pool := hotswap.NewPool(hotswap.Options[settings]{
		New:     func() *settings { return &settings{make(map[string]string)} },
		MaxLive: 2,
		Trace:   true,
	})
	current := hotswap.New(pool)
	publish := func() error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
		draft, err := pool.GetContext(ctx)
		if err != nil {
			return err
		}
		return current.Update(&draft)
	}

	fmt.Println(publish())
	ref := current.Acquire()
	fmt.Println(publish())
	err := publish()
	fmt.Println(errors.Is(err, context.DeadlineExceeded), strings.Contains(err.Error(), "ExamplePool_GetContext"))
	ref.Release()
	fmt.Println(publish())
	// Output:
	// <nil>
	// <nil>
	// true true
	// <nil>
}

// Close waits for the readers of everything that was current, so that what the
// values refer to can be closed.
func ExampleContainer_Close() {
	pool := hotswap.NewPool(hotswap.Options[settings]{
		New:    func() *settings { return &settings{make(map[string]string)} },
		OnDrop: func(s *settings) { fmt.Println("closed", s.values["colour"]) },
	})
	current := hotswap.New(pool)
	draft := pool.Get()
	draft.Value().values["colour"] = "red"
	if err := current.Update(&draft); err != nil {
		fmt.Println(err)
	}

	ref := current.Acquire()
	go func() {
		fmt.Println("a reader has left")
		ref.Release()
	}()
	fmt.Println(current.Close(context.Background()))
	fmt.Println(pool.Close(context.Background()))
	// Output:
	// a reader has left
	// <nil>
	// closed red
	// <nil>
}

// A Delta applies small changes to a large value.
func ExampleDelta() {
	type entry struct{ key, value string }
	pool := newSettings()
	current := hotswap.New(pool)
	changes := hotswap.NewDelta(current,
		func(s *settings, e entry) { s.values[e.key] = e.value },
		func(dst, src *settings) {
			clear(dst.values)
			maps.Copy(dst.values, src.values)
		})

	for _, e := range []entry{{"colour", "red"}, {"size", "large"}, {"colour", "blue"}} {
		if err := changes.Update(e); err != nil {
			fmt.Println(err)
		}
	}
	current.Do(func(s *settings) { fmt.Println(s.values) })
	fmt.Println(pool.Stats().News, "values made")
	// Output:
	// map[colour:blue size:large]
	// 2 values made
}
