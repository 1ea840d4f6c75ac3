//go:build linux

package cost

import (
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
)

// subject is work that a published module's own benchmarks or tests do.
type subject struct {
	module suite.Module
	pkg    string
	bench  string // which benchmarks
	tests  string // which tests, where there is no benchmark
}

func (s subject) String() string {
	if s.bench == "" {
		return s.path() + " tests"
	}
	return s.path() + " " + strings.NewReplacer("^", "", "$", "", "|", " or ").Replace(s.bench)
}

// path is the import path of what is tested.
func (s subject) path() string {
	if s.pkg == "." {
		return s.module.Path
	}
	return s.module.Path + s.pkg[1:]
}

// args are those of the test binary, for n operations or rounds.
func (s subject) args(n string) []string {
	if s.bench != "" {
		return []string{"-test.run=^$", "-test.bench=" + s.bench, "-test.benchtime=" + n + "x", "-test.timeout=5m"}
	}
	return []string{"-test.run=" + s.tests, "-test.count=" + n, "-test.short", "-test.timeout=5m"}
}

// Modules that use pools in what is measured.
var (
	fastjson      = suite.Module{Path: "github.com/valyala/fastjson", Version: "v1.6.10"}
	toml          = suite.Module{Path: "github.com/pelletier/go-toml/v2", Version: "v2.4.3"}
	zerolog       = suite.Module{Path: "github.com/rs/zerolog", Version: "v1.35.1"}
	gin           = suite.Module{Path: "github.com/gin-gonic/gin", Version: "v1.12.0"}
	msgpack       = suite.Module{Path: "github.com/vmihailenco/msgpack/v5", Version: "v5.4.1"}
	chi           = suite.Module{Path: "github.com/go-chi/chi/v5", Version: "v5.5.0"}
	jsonPatch     = suite.Module{Path: "github.com/evanphx/json-patch/v5", Version: "v5.9.11"}
	quicktemplate = suite.Module{Path: "github.com/valyala/quicktemplate", Version: "v1.8.0"}
	goldmark      = suite.Module{Path: "github.com/yuin/goldmark", Version: "v1.8.7"}
)

// subjects are tests, the command's purpose, and benchmarks that do
// little else than use a pool, which is the worst that it can meet.
var subjects = []subject{
	{module: fastjson, pkg: ".", tests: "."},
	{module: zerolog, pkg: ".", tests: "."},
	{module: gin, pkg: ".", tests: "."},
	{module: jsonPatch, pkg: ".", tests: "."},
	{module: goldmark, pkg: ".", tests: "."},

	{module: fastjson, pkg: ".", bench: "^BenchmarkParse$/^(small|large|twitter)$/^fastjson$"},
	{module: toml, pkg: "./benchmark", bench: "^BenchmarkUnmarshal$"},
	{module: zerolog, pkg: ".", bench: "^BenchmarkLogFields$"},
	{module: gin, pkg: ".", bench: "^BenchmarkGithub$"},
	{module: msgpack, pkg: ".", bench: "^BenchmarkStructVmihailencoMsgpack$"},
	{module: chi, pkg: ".", bench: "^BenchmarkMux$"},
	{module: jsonPatch, pkg: ".", bench: "^BenchmarkMergePatch$"},
	{module: quicktemplate, pkg: "./tests", bench: "^BenchmarkQuickTemplate100$"},
}
