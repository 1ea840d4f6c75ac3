package mutate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const sample = `package sample

type Stack[T any] struct{ items []T }

func (s *Stack[T]) Pop() (x T, ok bool) {
	defer s.check()
	if n := len(s.items); n > 0 && s.items != nil {
		x = s.items[n-1]
		s.items = s.items[:n-1]
		clear(s.items[n-1 : n])
		return x, true
	}
	return x, false
}
`

func TestAnOperatorChangesOnePlace(t *testing.T) {
	root := t.TempDir()
	name := filepath.Join(root, "sample.go")
	if err := os.WriteFile(name, []byte(sample), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ operator, old, new string }{
		{"never 1", "n > 0 && s.items != nil", "(n > 0 && s.items != nil) && false"},
		{"always 1", "n > 0 && s.items != nil", "(n > 0 && s.items != nil) || true"},
		{"negate 1", "n > 0 && s.items != nil", "!(n > 0 && s.items != nil)"},
		{"edge 1", "n > 0", "n >= 0"},
		{"edge 2", "s.items != nil", "s.items == nil"},
		{"left 1", "n > 0 && s.items != nil", "(n > 0) && ((s.items != nil) || true)"},
		{"right 1", "n > 0 && s.items != nil", "((n > 0) || true) && (s.items != nil)"},
		{"drop 1", "defer s.check()", "if false { defer s.check() }"},
		{"drop 2", "clear(s.items[n-1 : n])", "if false { clear(s.items[n-1 : n]) }"},
		{"keep 1", "x = s.items[n-1]", "_, _ = x, s.items[n-1]"},
		{"keep 2", "s.items = s.items[:n-1]", "_, _ = s.items, s.items[:n-1]"},
		{"more 1", "n > 0", "n > (0 + 1)"},
		{"other 1", "n > 0 && s.items != nil", "((n > 0) || (s.items != nil))"},
		{"zero 1", "return x, true", "if true { return *new(T), *new(bool) }; return x, true"},
		{"zero 2", "return x, false", "if true { return *new(T), *new(bool) }; return x, false"},
	} {
		texts, err := Texts(root, []Edit{At(".", "Stack.Pop", c.operator)})
		if err != nil {
			t.Errorf("%s: %v", c.operator, err)
			continue
		}
		if got, want := texts[name], strings.Replace(sample, c.old, c.new, 1); got != want {
			t.Errorf("%s gave\n%s", c.operator, got)
		}
	}
	for operator, want := range map[string]string{"drop 3": "2 places", "drop": "no operator", "twist 1": "no operator", "edge 0": "no operator"} {
		if _, err := Texts(root, []Edit{At(".", "Stack.Pop", operator)}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", operator, err, want)
		}
	}
	if _, err := Texts(root, []Edit{At(".", "Stack.Push", "drop 1")}); err == nil || !strings.Contains(err.Error(), "no function Stack.Push") {
		t.Error(err)
	}
}

func TestTwoOperatorsChangeOneFile(t *testing.T) {
	root := t.TempDir()
	name := filepath.Join(root, "sample.go")
	if err := os.WriteFile(name, []byte(sample), 0o600); err != nil {
		t.Fatal(err)
	}
	texts, err := Texts(root, []Edit{At(".", "Stack.Pop", "drop 1"), At(".", "Stack.Pop", "edge 2")})
	if err != nil || !strings.Contains(texts[name], "false { defer") || !strings.Contains(texts[name], "s.items == nil") {
		t.Errorf("%v\n%s", err, texts[name])
	}
}

func TestAReturnIsConstant(t *testing.T) {
	root := t.TempDir()
	name := filepath.Join(root, "sample.go")
	const code = `package sample

func even(n int) bool {
	half := func() (int, error) { return n / 2, nil }
	if n < 0 {
		panic(half)
	}
	return n%2 == 0
}
`
	if err := os.WriteFile(name, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	places, err := Places(root, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ operator, old, new string }{
		{"truth 1", "return n%2 == 0", "if true { return true }; return n%2 == 0"},
		{"zero 1", "return n / 2, nil", "if true { return *new(int), *new(error) }; return n / 2, nil"},
		{"zero 2", "return n%2 == 0", "if true { return *new(bool) }; return n%2 == 0"},
	} {
		edit := At(".", "even", c.operator)
		texts, err := Texts(root, []Edit{edit})
		if err != nil || !slices.Contains(places, edit) {
			t.Errorf("%s: %v, of %v", c.operator, err, places)
			continue
		}
		if got, want := texts[name], strings.Replace(code, c.old, c.new, 1); got != want {
			t.Errorf("%s gave\n%s", c.operator, got)
		}
	}
	if _, err := Texts(root, []Edit{At(".", "even", "truth 2")}); err == nil {
		t.Error("truth fits two results")
	}
}
