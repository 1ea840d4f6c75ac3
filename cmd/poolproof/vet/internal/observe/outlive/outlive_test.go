package outlive_test

import (
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/sourcetest"
)

func TestWhatOutlivesAPut(t *testing.T) {
	sourcetest.Stories(t, map[string][]string{
		"memory in a package variable": {`var last []byte
func F() {
	t := get()
	last = t.b
	put(t)
}`, "F t: get 4, put Released 6, escape StoredGlobal 5 of Field"},
		"memory in a package variable that is emptied before": {`var last []byte
func F() {
	t := get()
	last = t.b
	last = nil
	put(t)
}`},
		"memory in a field of a parameter": {`func F(o *T) {
	t := get()
	o.b = t.b
	put(t)
}`, "F t: get 3, put Released 5, escape StoredField 4 of Field"},
		"memory in a field of a local struct": {`func F() int {
	var o T
	t := get()
	o.b = t.b
	put(t)
	return o.n
}`},
		"a copy of the memory": {`func F(o *T) {
	t := get()
	o.b = append([]byte(nil), t.b...)
	put(t)
}`},
		"in a map": {`func F(m map[int]*T) {
	t := get()
	m[1] = t
	put(t)
}`, "F t: get 3, put Released 5, escape StoredMap 4"},
		"sent": {`func F(c chan []byte) {
	t := get()
	c <- t.b
	put(t)
}`, "F t: get 3, put Released 5, escape Sent 4 of Field"},
		"kept by a callee": {`var last *T
func keep(t *T) { last = t }
func F() {
	t := get()
	keep(t)
	put(t)
}`, "F t: get 5, put Released 7, escape Kept 6 of Container"},
	})
}

func TestAGoroutineThatOutlivesAPut(t *testing.T) {
	sourcetest.Stories(t, map[string][]string{
		"not waited for": {`func F() {
	t := get()
	go use(t)
	put(t)
}`, "F t: get 3, put Released 5, escape Started 4"},
		"waited for": {`func F() {
	t := get()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		use(t)
	}()
	wg.Wait()
	put(t)
}`},
		"waited for on one path": {`func F() {
	t := get()
	defer put(t)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		use(t)
	}()
	if cond() {
		return
	}
	wg.Wait()
}`, "F t: get 3, put Released 4, escape Started 7 of Container"},
		"which says by a channel that it has ended": {`func F() {
	t := get()
	done := make(chan bool)
	go func() {
		use(t)
		close(done)
	}()
	<-done
	put(t)
}`},
		"which says by a channel that it begins": {`func F() {
	t := get()
	done := make(chan bool)
	go func() {
		close(done)
		use(t)
	}()
	<-done
	put(t)
}`},
	})
}

func TestWhatIsLentToALiteral(t *testing.T) {
	sourcetest.Stories(t, map[string][]string{
		"kept": {`var last *T
func With(f func(*T)) {
	t := get()
	f(t)
	put(t)
}
func F() { With(func(t *T) { last = t }) }`, "F$1 t: get Lent 8, escape StoredGlobal 8"},
		"used": {`func With(f func(*T)) {
	t := get()
	f(t)
	put(t)
}
func F() { With(func(t *T) { use(t) }) }`},
		"used by a goroutine": {`func With(f func(*T)) {
	t := get()
	f(t)
	put(t)
}
func F() { With(func(t *T) { go use(t) }) }`, "F$1 t: get Lent 7, escape Started 7"},
	})
}

// What tells the function that its goroutine has ended is in common with the goroutine.
func TestAFunctionThatCannotKnowOfAnEnd(t *testing.T) {
	const begin = `func F(stop func(), names []string) {
	t := get()
	defer put(t)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		use(t)
	}()
`
	sourcetest.Stories(t, map[string][]string{
		"it returns": {begin + `
	if len(names) == 0 {
		return
	}
	wg.Wait()
}`, "F t: get 3, put Released 4, escape Started 7 of Container"},
		"it waits in a loop": {begin + `
	for range names {
		if cond() {
			wg.Wait()
			return
		}
	}
	wg.Wait()
}`},
		"it calls code that is not known": {begin + `
	if len(names) == 0 {
		stop()
		return
	}
	wg.Wait()
}`},
		"it passes on what is in common": {begin + `
	if len(names) == 0 {
		end(&wg)
		return
	}
	wg.Wait()
}
func end(wg *sync.WaitGroup) { wg.Wait() }`},
		"a deferred call waits": {`func F(names []string) {
	t := get()
	defer put(t)
	var wg sync.WaitGroup
	defer func() { end(&wg) }()
	wg.Add(1)
	go func() {
		defer wg.Done()
		use(t)
	}()
	if len(names) == 0 {
		return
	}
	wg.Wait()
}
func end(wg *sync.WaitGroup) { wg.Wait() }`},
		"it puts at once": {`func F(names []string) {
	t := get()
	done := make(chan bool)
	go func() {
		use(t)
		close(done)
	}()
	if len(names) == 0 {
		put(t)
		return
	}
	<-done
	put(t)
}`, "F t: get 3, put Released 10, escape Started 5 of Container"},
		"a variable holds the object": {`func F(names []string) {
	t := get()
	if cond() {
		t = get()
	}
	defer func() { put(t) }()
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		use(t)
	}()
	if len(names) == 0 {
		return
	}
	wg.Wait()
}`},
	})
}
