package hotswap_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/poolproof/poolproof/hotswap"
)

// A reload that took long must not replace what a faster one has published
// meanwhile: it gives its own draft up instead.
func ExampleContainer_UpdateIf() {
	pool := newSettings()
	current := hotswap.New(pool)
	publish := func(text string) {
		draft := pool.Get()
		draft.Value().load(text)
		current.Update(&draft)
	}
	publish("revision=1")

	seen := current.Acquire() // before the slow reload reads its file
	defer seen.Release()
	slow := pool.Get()
	defer slow.Discard()
	slow.Value().load("revision=1b")
	publish("revision=2") // and meanwhile

	published, err := current.UpdateIf(&seen, &slow)
	fmt.Println(published, err)
	current.Do(func(s *settings) { fmt.Println(s.values["revision"]) })
	// Output:
	// false <nil>
	// 2
}

// A writer that would rather leave an update out than wait for readers.
func ExamplePool_TryGet() {
	pool := hotswap.NewPool(hotswap.Options[settings]{
		New:     func() *settings { return &settings{make(map[string]string)} },
		MaxLive: 2,
	})
	current := hotswap.New(pool)
	update := func(revision string) error {
		draft, err := pool.TryGet()
		if err != nil {
			return err
		}
		draft.Value().values["revision"] = revision
		return current.Update(&draft)
	}

	fmt.Println(update("1"))
	reader := current.Acquire()
	fmt.Println(update("2"))
	err := update("3") // the two values are the current one and the one that is read
	fmt.Println(errors.Is(err, hotswap.ErrLimit))
	reader.Release()
	fmt.Println(update("3"))
	// Output:
	// <nil>
	// <nil>
	// true
	// <nil>
}

// What a version refers to may be removed once no reader of it is left.
func ExampleContainer_Synchronize() {
	pool := newSettings()
	current := hotswap.New(pool)
	publish := func(text string) {
		draft := pool.Get()
		draft.Value().load(text)
		current.Update(&draft)
	}
	publish("directory=/data/1")
	publish("directory=/data/2")
	if err := current.Synchronize(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("nobody reads /data/1 now: it can be removed")
	// Output: nobody reads /data/1 now: it can be removed
}

// request is handed from one goroutine to another with the version that it began
// with.
type request struct {
	path     string
	settings hotswap.Ref[settings]
}

// A hold moves with a request to the goroutine that serves it.
func ExampleRef_Move() {
	pool := newSettings()
	current := hotswap.New(pool)
	draft := pool.Get()
	draft.Value().load("theme=dark")
	current.Update(&draft)

	requests := make(chan *request)
	go func() {
		ref := current.Acquire()
		requests <- &request{path: "/", settings: ref.Move()}
		close(requests)
	}()
	for r := range requests {
		fmt.Println(r.path, r.settings.Value().values["theme"])
		r.settings.Release()
	}
	// Output: / dark
}

// keys are secret: they must not wait in memory for the next writer.
type keys struct{ secret [32]byte }

// Values that hold secrets are cleared as soon as their last reader leaves.
func ExampleOptions_resetOnRelease() {
	pool := hotswap.NewPool(hotswap.Options[keys]{
		New:     func() *keys { return new(keys) },
		Reset:   func(k *keys) bool { *k = keys{}; fmt.Println("cleared"); return true },
		ResetOn: hotswap.OnRelease,
	})
	current := hotswap.New(pool)
	draft := pool.Get()
	copy(draft.Value().secret[:], "hunter2")
	current.Update(&draft)

	current.Clear() // revoked; a reader may still use them
	fmt.Println("revoked")
	// Output:
	// cleared
	// revoked
}
