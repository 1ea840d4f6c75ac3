package suite

import "testing"

type s struct{}

func TestMethods(t *testing.T) {
	t.Run("TestBufferPool", s{}.TestBufferPool)
	t.Run("TestBufferPoolClears", s{}.TestBufferPoolClears)
}
