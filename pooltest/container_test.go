//go:build poolproofdebug

package pooltest

import (
	"runtime"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/hotswap"
)

// publish makes a container for p, updates it, and returns it.
//
//go:noinline
func publish(t *testing.T, p *hotswap.Pool[item]) *hotswap.Container[item] {
	c := hotswap.New(p)
	d := p.Get()
	if err := c.Update(&d); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAContainerThatIsDroppedWithAValueFailsTheTest(t *testing.T) {
	p := hotswap.NewPool(hotswap.Options[item]{New: func() *item { return new(item) }})
	got := checked(func(*fake) { publish(t, p) })
	runtime.KeepAlive(p)
	if len(got) != 1 {
		t.Fatalf("failed with %q, want one text", got)
	}
	for _, part := range []string{"pooltest: hotswap.Container[pooltest.item]: 1 dropped in this test with a current value", "call Close\n\n1 made at\n", "pooltest.publish(...)\n\t", "container_test.go:"} {
		if !strings.Contains(got[0], part) {
			t.Errorf("%q is not in\n%s", part, got[0])
		}
	}
	if again := checked(func(*fake) {}); again != nil {
		t.Errorf("the next test is blamed: %q", again)
	}
}

func TestAContainerThatIsClosedOrKeptOrGoesWithItsPoolPasses(t *testing.T) {
	p := hotswap.NewPool(hotswap.Options[item]{New: func() *item { return new(item) }})
	var kept *hotswap.Container[item]
	if got := checked(func(*fake) {
		if err := publish(t, p).Close(t.Context()); err != nil {
			t.Error(err)
		}
		kept = publish(t, p)
		publish(t, hotswap.NewPool(hotswap.Options[item]{New: func() *item { return new(item) }}))
	}); got != nil {
		t.Errorf("failed: %q", got)
	}
	kept.Clear() // keeps both until here
}
