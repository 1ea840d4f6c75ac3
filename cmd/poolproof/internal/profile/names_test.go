package profile

import "testing"

func TestFunctionNames(t *testing.T) {
	for _, c := range []struct{ function, pkg, name, short string }{
		{"main.main", "main", "main", "main.main"},
		{"compress/gzip.(*Writer).Write", "compress/gzip", "(*Writer).Write", "gzip.(*Writer).Write"},
		{"gopkg.in/yaml%2ev3.Marshal", "gopkg.in/yaml.v3", "Marshal", "yaml.v3.Marshal"},
		{"github.com/a/b/v2.F.func1", "github.com/a/b/v2", "F.func1", "b.F.func1"},
		{"github.com/a/b.F[go.shape.struct { x/y.T }]", "github.com/a/b", "F[go.shape.struct { x/y.T }]", "b.F[go.shape.struct { x/y.T }]"},
		{"example.com/m.init", "example.com/m", "init", "m.init"},
		{"v2.F", "v2", "F", "v2.F"},
		{"example.com/v.F", "example.com/v", "F", "v.F"},
		{"example.com/x2.F", "example.com/x2", "F", "x2.F"},
		{"example.com/vec.F", "example.com/vec", "F", "vec.F"},
		{"", "", "", "."},
	} {
		if pkg, name, short := PackageOf(c.function), NameOf(c.function), Short(c.function); pkg != c.pkg || name != c.name || short != c.short {
			t.Errorf("%s: package %q, name %q, short %q", c.function, pkg, name, short)
		}
	}
	for function, want := range map[string]bool{
		"runtime.growslice": true, "internal/runtime/maps.NewMap": true, "internal/bytealg.MakeNoZero": true,
		"runtime/pprof.StartCPUProfile": false, "example.com/runtime.F": false, "bytes.growSlice": false,
	} {
		if OfRuntime(function) != want {
			t.Errorf("OfRuntime(%s) is not %v", function, want)
		}
	}
}
