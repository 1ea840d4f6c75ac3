package modules

import (
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
)

// Target is a module whose whole test suite is run.
type Target struct {
	Module   suite.Module
	Packages []string // none: all
	Args     []string // flags of go test
}

// All returns every module of the lists, roughly in the order of what their tests cost.
func All() []Target { return slices.Concat(silent, others, judged) }

// silent are modules whose code and tests use their pools as they should: any
// error is a false one. They are in the order of what their tests cost.
var silent = []Target{
	{Module: suite.Module{Path: "github.com/valyala/bytebufferpool", Version: "v1.0.0"}},
	{Module: suite.Module{Path: "github.com/libp2p/go-buffer-pool", Version: "v0.1.0"}},
	{Module: suite.Module{Path: "github.com/VictoriaMetrics/metrics", Version: "v1.35.1"}},
	{Module: suite.Module{Path: "github.com/go-logfmt/logfmt", Version: "v0.6.1"}},
	{Module: suite.Module{Path: "github.com/go-kit/log", Version: "v0.2.1"}},
	{Module: suite.Module{Path: "github.com/valyala/quicktemplate", Version: "v1.8.0"}},
	{Module: suite.Module{Path: "github.com/CloudyKit/jet/v6", Version: "v6.3.3"}},
	{Module: suite.Module{Path: "github.com/valyala/fastjson", Version: "v1.6.10"}},
	{Module: suite.Module{Path: "github.com/gorilla/websocket", Version: "v1.5.3"}},
	{Module: suite.Module{Path: "github.com/gobwas/ws", Version: "v1.5.0"}},
	{Module: suite.Module{Path: "github.com/go-chi/chi/v5", Version: "v5.5.0"}},
	{Module: suite.Module{Path: "github.com/fasthttp/router", Version: "v1.5.4"}},
	{Module: suite.Module{Path: "github.com/yuin/goldmark", Version: "v1.8.7"}},
	{Module: suite.Module{Path: "github.com/tdewolff/minify/v2", Version: "v2.24.25"}},
	{Module: suite.Module{Path: "github.com/evanphx/json-patch/v5", Version: "v5.9.11"}},
	{Module: suite.Module{Path: "github.com/rs/zerolog", Version: "v1.35.1"}},
	{Module: suite.Module{Path: "github.com/gin-gonic/gin", Version: "v1.12.0"}},
	{Module: suite.Module{Path: "github.com/go-playground/validator/v10", Version: "v10.30.6"}},
	{Module: suite.Module{Path: "github.com/pelletier/go-toml/v2", Version: "v2.4.3"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "github.com/hamba/avro/v2", Version: "v2.31.0"}},
	{Module: suite.Module{Path: "github.com/json-iterator/go", Version: "v1.1.12"}},
	{Module: suite.Module{Path: "github.com/segmentio/encoding", Version: "v0.5.4"}},
	{Module: suite.Module{Path: "github.com/fxamacker/cbor/v2", Version: "v2.9.6"}},
	{Module: suite.Module{Path: "github.com/prometheus/common", Version: "v0.73.1"}},
	{Module: suite.Module{Path: "github.com/prometheus/client_golang", Version: "v1.25.0"}},
	{Module: suite.Module{Path: "github.com/aws/smithy-go", Version: "v1.28.8"}},
	{Module: suite.Module{Path: "github.com/andybalholm/brotli", Version: "v1.2.8"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "github.com/hashicorp/yamux", Version: "v0.1.2"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "github.com/lxzan/gws", Version: "v1.8.9"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "github.com/miekg/dns", Version: "v1.1.73"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "github.com/pierrec/lz4/v4", Version: "v4.1.33"}, Args: []string{"-short"}},
}

// judged are modules whose reports are judged one by one: some hold real
// defects, some only tests that misuse a pool on purpose.
var judged = []Target{
	{Module: suite.Module{Path: "github.com/vmihailenco/msgpack/v5", Version: "v5.4.1"}},
	{Module: suite.Module{Path: "github.com/sirupsen/logrus", Version: "v1.10.2"}},
	{Module: suite.Module{Path: "github.com/bytedance/gopkg", Version: "v0.1.4"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "github.com/phuslu/log", Version: "v1.0.121"}},
	{Module: suite.Module{Path: "go.uber.org/zap", Version: "v1.28.0"}},
	{Module: suite.Module{Path: "github.com/francoispqt/gojay", Version: "v1.2.13"}},
	{Module: suite.Module{Path: "github.com/labstack/echo/v4", Version: "v4.16.0"}},
	{Module: suite.Module{Path: "github.com/labstack/echo/v5", Version: "v5.3.1"}},
	{Module: suite.Module{Path: "github.com/goccy/go-json", Version: "v0.12.0"}},
	{Module: suite.Module{Path: "github.com/xtaci/smux", Version: "v1.5.56"}, Args: []string{"-short", "-skip", "^Test8GB"}},
	{Module: suite.Module{Path: "github.com/gofiber/fiber/v2", Version: "v2.52.15"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "github.com/gofiber/fiber/v3", Version: "v3.1.0"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "github.com/valyala/fasthttp", Version: "v1.77.0"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "github.com/cloudwego/hertz", Version: "v0.10.4"}, Args: []string{"-short"}},
}

// others are modules that were looked at once, as strangers: only the survey of poison
// runs them again.
var others = []Target{
	{Module: suite.Module{Path: "github.com/valyala/fasttemplate", Version: "v1.2.2"}},
	{Module: suite.Module{Path: "github.com/valyala/histogram", Version: "v1.2.0"}},
	{Module: suite.Module{Path: "github.com/labstack/gommon", Version: "v0.5.0"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "github.com/gofiber/utils/v2", Version: "v2.0.2"}},
	{Module: suite.Module{Path: "github.com/go-faster/jx", Version: "v1.2.0"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "github.com/coder/websocket", Version: "v1.8.15"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "go.opentelemetry.io/otel/sdk/log", Version: "v1.47.0"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "github.com/panjf2000/ants/v2", Version: "v2.12.1"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "github.com/cloudwego/netpoll", Version: "v0.7.2"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "github.com/dgraph-io/ristretto/v2", Version: "v2.4.2"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "github.com/minio/simdjson-go", Version: "v0.4.5"}, Args: []string{"-short"}},
	{Module: suite.Module{Path: "github.com/uber-go/tally/v4", Version: "v4.1.17"}, Args: []string{"-short"}},
}
