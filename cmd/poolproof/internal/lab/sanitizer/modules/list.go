package modules

import "github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"

// target is a module whose whole test suite is run.
type target struct {
	module   suite.Module
	packages []string // none: all
	args     []string // flags of go test
}

// silent are modules whose code and tests use their pools as they should: any
// error is a false one. They are in the order of what their tests cost.
var silent = []target{
	{module: suite.Module{Path: "github.com/valyala/bytebufferpool", Version: "v1.0.0"}},
	{module: suite.Module{Path: "github.com/libp2p/go-buffer-pool", Version: "v0.1.0"}},
	{module: suite.Module{Path: "github.com/VictoriaMetrics/metrics", Version: "v1.35.1"}},
	{module: suite.Module{Path: "github.com/go-logfmt/logfmt", Version: "v0.6.1"}},
	{module: suite.Module{Path: "github.com/go-kit/log", Version: "v0.2.1"}},
	{module: suite.Module{Path: "github.com/valyala/quicktemplate", Version: "v1.8.0"}},
	{module: suite.Module{Path: "github.com/CloudyKit/jet/v6", Version: "v6.3.3"}},
	{module: suite.Module{Path: "github.com/valyala/fastjson", Version: "v1.6.10"}},
	{module: suite.Module{Path: "github.com/vmihailenco/msgpack/v5", Version: "v5.4.1"}},
	{module: suite.Module{Path: "github.com/gorilla/websocket", Version: "v1.5.3"}},
	{module: suite.Module{Path: "github.com/gobwas/ws", Version: "v1.5.0"}},
	{module: suite.Module{Path: "github.com/go-chi/chi/v5", Version: "v5.5.0"}},
	{module: suite.Module{Path: "github.com/fasthttp/router", Version: "v1.5.4"}},
	{module: suite.Module{Path: "github.com/yuin/goldmark", Version: "v1.8.7"}},
	{module: suite.Module{Path: "github.com/tdewolff/minify/v2", Version: "v2.24.25"}},
	{module: suite.Module{Path: "github.com/evanphx/json-patch/v5", Version: "v5.9.11"}},
	{module: suite.Module{Path: "github.com/rs/zerolog", Version: "v1.35.1"}},
	{module: suite.Module{Path: "github.com/gin-gonic/gin", Version: "v1.12.0"}},
	{module: suite.Module{Path: "github.com/go-playground/validator/v10", Version: "v10.30.6"}},
	{module: suite.Module{Path: "github.com/pelletier/go-toml/v2", Version: "v2.4.3"}, args: []string{"-short"}},
	{module: suite.Module{Path: "github.com/hamba/avro/v2", Version: "v2.31.0"}},
	{module: suite.Module{Path: "github.com/json-iterator/go", Version: "v1.1.12"}},
	{module: suite.Module{Path: "github.com/segmentio/encoding", Version: "v0.5.4"}},
	{module: suite.Module{Path: "github.com/fxamacker/cbor/v2", Version: "v2.9.6"}},
	{module: suite.Module{Path: "github.com/prometheus/common", Version: "v0.73.1"}},
	{module: suite.Module{Path: "github.com/prometheus/client_golang", Version: "v1.25.0"}},
	{module: suite.Module{Path: "github.com/aws/smithy-go", Version: "v1.28.8"}},
	{module: suite.Module{Path: "github.com/andybalholm/brotli", Version: "v1.2.8"}, args: []string{"-short"}},
	{module: suite.Module{Path: "github.com/hashicorp/yamux", Version: "v0.1.2"}, args: []string{"-short"}},
	{module: suite.Module{Path: "github.com/bytedance/gopkg", Version: "v0.1.4"}, args: []string{"-short"}},
	{module: suite.Module{Path: "github.com/lxzan/gws", Version: "v1.8.9"}, args: []string{"-short"}},
	{module: suite.Module{Path: "github.com/miekg/dns", Version: "v1.1.73"}, args: []string{"-short"}},
	{module: suite.Module{Path: "github.com/pierrec/lz4/v4", Version: "v4.1.33"}, args: []string{"-short"}},
}

// judged are modules whose reports are judged one by one: some hold real
// defects, some only tests that misuse a pool on purpose.
var judged = []target{
	{module: suite.Module{Path: "github.com/sirupsen/logrus", Version: "v1.10.2"}},
	{module: suite.Module{Path: "github.com/phuslu/log", Version: "v1.0.121"}},
	{module: suite.Module{Path: "go.uber.org/zap", Version: "v1.28.0"}},
	{module: suite.Module{Path: "github.com/francoispqt/gojay", Version: "v1.2.13"}},
	{module: suite.Module{Path: "github.com/labstack/echo/v4", Version: "v4.16.0"}},
	{module: suite.Module{Path: "github.com/labstack/echo/v5", Version: "v5.3.1"}},
	{module: suite.Module{Path: "github.com/goccy/go-json", Version: "v0.12.0"}},
	{module: suite.Module{Path: "github.com/xtaci/smux", Version: "v1.5.56"}, args: []string{"-short", "-skip", "^Test8GB"}},
	{module: suite.Module{Path: "github.com/gofiber/fiber/v2", Version: "v2.52.15"}, args: []string{"-short"}},
	{module: suite.Module{Path: "github.com/gofiber/fiber/v3", Version: "v3.1.0"}, args: []string{"-short"}},
	{module: suite.Module{Path: "github.com/valyala/fasthttp", Version: "v1.77.0"}, args: []string{"-short"}},
	{module: suite.Module{Path: "github.com/cloudwego/hertz", Version: "v0.10.4"}, args: []string{"-short"}},
}
