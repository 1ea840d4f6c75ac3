package modules

import (
	"slices"
	"strings"
)

// A verdict says what a report is.
const (
	production = "true in production" // the module's own code misuses a pool
	onlyTest   = "only in a test"     // a test does what users are told not to do
	intended   = "intended"           // a test wants to see the misuse
	mistaken   = "false"              // the sanitizer is wrong
)

// verdict is our judgement, from reading the code, of the reports about one place of Put.
type verdict struct {
	module string // a part of its name and version
	put    string // the function that puts, without the line; "" for tests that fail only with poison
	access string // the functions that access or put again, or the tests, with a space between; "" for all
	is     string
	reason string
}

// verdicts are in the order of the modules. A report that none of them fits is
// printed as not judged.
var verdicts = []verdict{
	{"vmihailenco/msgpack", "github.com/vmihailenco/msgpack/v5.PutDecoder", "github.com/vmihailenco/msgpack/v5_test.TestDecodeCustomPayload", onlyTest,
		"a type of the test keeps the bytes that its UnmarshalMsgpack is given, which for an extension lie in the pooled decoder's buffer; the interface does not say that it must copy them"},
	{"bytedance/gopkg", "github.com/bytedance/gopkg/cloud/metainfo.kvstore.recycle", "github.com/bytedance/gopkg/cloud/metainfo.TestKVStore", intended,
		"the test looks whether a recycled map was cleared"},
	{"sirupsen/logrus", "github.com/sirupsen/logrus.(*defaultPool).Put", "github.com/sirupsen/logrus_test.TestEntryWriter", onlyTest,
		"the test's writer sends the slice that it is given over a channel and reads it after Write, which an io.Writer must not"},
	{"francoispqt/gojay", "github.com/francoispqt/gojay.(*Decoder).Release", "", intended,
		"the tests want the panic that reading the released decoder's own mark gives"},
	{"francoispqt/gojay", "github.com/francoispqt/gojay.(*StreamDecoder).Release", "", intended,
		"the same, of stream decoders"},
	{"francoispqt/gojay", "github.com/francoispqt/gojay.(*Encoder).Release", "github.com/francoispqt/gojay.(*Encoder).EncodeArray", intended,
		"the same, of encoders"},
	{"francoispqt/gojay", "github.com/francoispqt/gojay.(*StreamEncoder).Release", "github.com/francoispqt/gojay.(*StreamEncoder).Err", production,
		"the first consumer to end puts the encoder that its user holds; the user waits for Done and asks Err, as the interface is meant"},
	{"francoispqt/gojay", "github.com/francoispqt/gojay.(*StreamEncoder).Release", "github.com/francoispqt/gojay.(*StreamEncoder).Cancel", production,
		"the other consumers cancel the encoder that the first one has put"},
	{"phuslu/log", "github.com/phuslu/log.(*AsyncWriter).writer", "github.com/phuslu/log.(*AsyncWriter).WriteEntry", production,
		"WriteEntry sends the entry to the writing goroutine, which puts it, and then reads the length of its buffer"},
	{"phuslu/log", "github.com/phuslu/log.(*AsyncWriter).writever", "github.com/phuslu/log.(*AsyncWriter).WriteEntry", production,
		"the same, with the goroutine that uses writev"},
	{"go.uber.org/zap", "go.uber.org/zap/internal/pool.(*Pool[...]).Put", "go.uber.org/zap/zapcore.(*CheckedEntry).Write", intended,
		"TestCheckedEntryIllegalReuse writes an entry twice, and wants the complaint that the entry's own mark gives"},
	{"labstack/echo/v4", "github.com/labstack/echo/v4.(*Echo).ServeHTTP", "", production,
		"the timeout middleware returns while the handler's goroutine goes on with the context, which ServeHTTP then puts"},
	{"labstack/echo/v4", "github.com/labstack/echo/v4/middleware.TestDecompress.TestDecompress.Decompress.DecompressWithConfig.func2.func3.deferwrap1", "", onlyTest,
		"the tests read the request's body after the middleware has put the reader that it made of it"},
	{"labstack/echo/v4", "github.com/labstack/echo/v4/middleware.TestDecompressDefaultConfig.TestDecompressDefaultConfig.DecompressWithConfig.func2.func3.deferwrap1", "", onlyTest,
		"the same"},
	{"labstack/echo/v5", "github.com/labstack/echo/v5/middleware.DecompressWithConfig.toMiddlewareOrPanic.DecompressConfig.ToMiddleware.func1.1.deferwrap1", "", onlyTest,
		"the tests read the request's body after the middleware has put the reader that it made of it"},
	{"labstack/echo/v5", "github.com/labstack/echo/v5.(*Echo).ReleaseContext", "", onlyTest,
		"TestPathValuesSizeOverMultipleRequests goes on with the context that it has released"},
	{"goccy/go-json", "github.com/goccy/go-json/internal/decoder.ReleaseRuntimeContext", "github.com/goccy/go-json/internal/decoder.TestReleaseRuntimeContextDropsWhatTheCallerGave", intended,
		"the test looks whether a context keeps in the pool what the caller gave it"},
	{"goccy/go-json", "github.com/goccy/go-json/jsontext.putEncoder", "github.com/goccy/go-json/jsontext.TestPutEncoderDropsLargeArrays", intended,
		"the test looks whether an encoder keeps large arrays in the pool"},
	{"goccy/go-json", "github.com/goccy/go-json/internal/encoder.ReleaseRuntimeContext", "github.com/goccy/go-json/internal/encoder_test.TestSortedMapDuplicateNames", onlyTest,
		"the test's helper releases the context and returns an error that holds a part of its buffer, which the test reads; the module itself turns it into an error of its own before it releases"},
	{"goccy/go-json", "github.com/goccy/go-json/internal/decoder.ReleaseStreamV2", "github.com/goccy/go-json/v2/internal/stdtest_test.runUnmarshalTests.func1", onlyTest,
		"types of the test keep the bytes that their UnmarshalJSON is given, which it must copy"},
	{"gofiber/fiber/v2", "github.com/gofiber/fiber/v2.ReleaseAgent", "", onlyTest,
		"Struct releases the agent, as it says; the test goes on with it and releases it again"},
	{"gofiber/fiber/v2", "github.com/gofiber/fiber/v2.(*App).ReleaseCtx", "", onlyTest,
		"the test of sessions releases a context by hand and again by a deferred call"},
	{"gofiber/fiber/v2", "github.com/gofiber/fiber/v2/middleware/session.releaseSession", "", onlyTest,
		"Save puts the session; the test asks for its ID afterwards"},
	{"gofiber/fiber/v3", "github.com/valyala/bytebufferpool.(*Pool).Put",
		"github.com/pmezard/go-difflib/difflib.SplitLines github.com/gofiber/fiber/v3.(*DefaultRes).Download github.com/gofiber/fiber/v3.(*DefaultRes).Attachment", production,
		"FullURL and quoteRawString return a string that shares the array of a pooled buffer, which a deferred call puts as they return"},
	{"gofiber/fiber/v3", "github.com/gofiber/fiber/v3.(*App).ReleaseCtx",
		"github.com/gofiber/fiber/v3.(*DefaultCtx).release github.com/gofiber/fiber/v3.(*DefaultReq).release github.com/gofiber/fiber/v3.(*DefaultRes).release github.com/gofiber/fiber/v3.(*App).ReleaseCtx", onlyTest,
		"tests of sessions release a context by hand and again by a deferred call"},
	{"gofiber/fiber/v3", "github.com/gofiber/fiber/v3.(*App).ReleaseCtx",
		"github.com/gofiber/fiber/v3.(*DefaultCtx).Value github.com/gofiber/fiber/v3.(*DefaultCtx).Request github.com/gofiber/fiber/v3.(*DefaultCtx).Response github.com/gofiber/fiber/v3.(*DefaultCtx).Context github.com/gofiber/fiber/v3.(*DefaultReq).Locals github.com/gofiber/fiber/v3.Test_Ctx_ForceReleaseClearsAbandon", intended,
		"the tests want to see that a released context has nothing to tell"},
	{"gofiber/fiber/v3", "github.com/gofiber/fiber/v3/middleware/session.TestData_PoolReuseDoesNotLeakEntries", "", onlyTest,
		"the test puts an object by hand and again at its end"},
	{"gofiber/fiber/v3", "", "github.com/gofiber/fiber/v3/middleware/limiter.TestLimiterSlidingPropagatesRequestContextToStorage github.com/gofiber/fiber/v3/middleware/limiter.TestLimiterFixedPropagatesRequestContextToStorage", onlyTest,
		"the test's storage keeps keys that are strings of the request, which are valid until the handler returns"},
	{"xtaci/smux", "github.com/xtaci/smux.(*Allocator).Put", "", onlyTest,
		"the tests put the address of one variable several times, with another array in it each time, and ask for the capacity of what they have put"},
	{"valyala/fasthttp", "github.com/valyala/fasthttp.releaseRequestStream", "github.com/valyala/fasthttp.(*requestStream).read", intended,
		"TestReleasedRequestStreamReadPanics wants the panic that a released stream gives"},
	{"valyala/fasthttp", "github.com/valyala/fasthttp.(*Server).releaseCtx", "github.com/valyala/fasthttp.TestServerReduceMemoryUsageKeepBodyBufferConnectionLifecycle", intended,
		"the test looks whether a context keeps its bodies in the pool"},
	{"valyala/fasthttp", "github.com/valyala/fasthttp.ServeConn", "", production,
		"ServeConn puts its Server while the goroutine of a hijacked connection goes on with it; what that reads is the same in each such Server, so it does no harm today"},
	{"cloudwego/hertz", "github.com/cloudwego/hertz/pkg/common/timer.ReleaseTimer", "github.com/cloudwego/hertz/pkg/common/timer.TestTimerReleaseTimer", intended,
		"the test looks whether a released timer was stopped"},
	{"cloudwego/hertz", "github.com/cloudwego/hertz/pkg/common/bytebufferpool.(*Pool).Put", "github.com/cloudwego/hertz/pkg/common/bytebufferpool.(*ByteBuffer).Write", onlyTest,
		"TestResponseBodyReuse writes to the buffer that ResetBody has put"},
	{"cloudwego/hertz", "github.com/cloudwego/hertz/pkg/protocol/http1.Server.putRequestContext", "github.com/cloudwego/hertz/pkg/app.(*RequestContext).GetTraceInfo", onlyTest,
		"the tests read the trace of a context that the server has put"},
}

// judge returns the verdict about a finding.
func judge(module, put, access string) (verdict, bool) {
	for _, v := range verdicts {
		if strings.Contains(module, v.module) && function(put) == v.put && (v.access == "" || slices.Contains(strings.Fields(v.access), function(access))) {
			return v, true
		}
	}
	return verdict{}, false
}

// function is a place without its line.
func function(at string) string {
	if i := strings.LastIndexByte(at, ':'); i >= 0 {
		return at[:i]
	}
	return at
}
