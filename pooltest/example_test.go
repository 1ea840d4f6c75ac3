package pooltest_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/poolproof/poolproof/pool"
	"github.com/poolproof/poolproof/pooltest"
)

var buffers = pool.New(pool.Options[bytes.Buffer]{Reset: (*bytes.Buffer).Reset})

func greet(name string) string {
	b := buffers.Get()
	defer buffers.Put(b)
	fmt.Fprintf(b, "hello, %s", name)
	return b.String()
}

// TestGreet would be func TestGreet(t *testing.T) in a test file.
var TestGreet = func(t *testing.T) {
	pooltest.Check(t)
	if got := greet("world"); got != "hello, world" {
		t.Errorf("got %q", got)
	}
}

func Example() {
	ok := testing.RunTests(func(pattern, name string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "TestGreet", F: TestGreet}})
	fmt.Println(ok)
	// Output: true
}

// TestKeepsABuffer would be func TestKeepsABuffer(t *testing.T). What it keeps on
// purpose, in a pool that it names, is not reported.
var TestKeepsABuffer = func(t *testing.T) {
	pooltest.Check(t, pooltest.IgnorePool("for ever"))
	kept = pool.New(pool.Options[bytes.Buffer]{Name: "for ever"}).Get()
}

var kept *bytes.Buffer

func ExampleIgnorePool() {
	ok := testing.RunTests(func(pattern, name string) (bool, error) { return true, nil },
		[]testing.InternalTest{{Name: "TestKeepsABuffer", F: TestKeepsABuffer}})
	fmt.Println(ok)
	// Output: true
}
