//go:build linux

package main

import (
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/modules/suite"
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

// subjects are modules that use pools in what is measured.
var subjects = []subject{
	{module: suite.Module{Path: "github.com/valyala/fastjson", Version: "v1.6.10"}, pkg: ".", bench: "^BenchmarkParse$/^(small|large|twitter)$/^fastjson$"},
	{module: suite.Module{Path: "github.com/pelletier/go-toml/v2", Version: "v2.4.3"}, pkg: "./benchmark", bench: "^BenchmarkUnmarshal$"},
	{module: suite.Module{Path: "github.com/rs/zerolog", Version: "v1.35.1"}, pkg: ".", bench: "^BenchmarkLogFields$"},
	{module: suite.Module{Path: "github.com/gin-gonic/gin", Version: "v1.12.0"}, pkg: ".", bench: "^BenchmarkGithub$"},
	{module: suite.Module{Path: "github.com/vmihailenco/msgpack/v5", Version: "v5.4.1"}, pkg: ".", bench: "^BenchmarkStructVmihailencoMsgpack$"},
	{module: suite.Module{Path: "github.com/go-chi/chi/v5", Version: "v5.5.0"}, pkg: ".", bench: "^BenchmarkMux$"},
	{module: suite.Module{Path: "github.com/evanphx/json-patch/v5", Version: "v5.9.11"}, pkg: ".", bench: "^BenchmarkMergePatch$"},
	{module: suite.Module{Path: "github.com/valyala/quicktemplate", Version: "v1.8.0"}, pkg: "./tests", bench: "^BenchmarkQuickTemplate100$"},
	{module: suite.Module{Path: "github.com/yuin/goldmark", Version: "v1.8.7"}, pkg: ".", tests: "."},
}
