package main

// suite is a test suite that others wrote for a pool of theirs.
type suite struct {
	name    string
	module  string // empty: the Go distribution
	version string
	dir     string   // folder of the package in the module, or in the distribution's src
	files   []string // test files
	adapter string   // folder in testdata, whose files give package buffer or pool the names that the suite uses; empty: nothing applies
	tags    string   // build tags
	keep    []string // take these declarations only; nil: all but those dropped
	needs   []string // modules beside the library, as PATH@VERSION
	edits   [][2]string

	// drop names the tests that do not apply, and helpers that only they use,
	// with the reason. Benchmarks never apply.
	drop []reason

	note string // what the adapter does that a reader should know
}

type reason struct {
	tests []string
	why   string
}

const testify = "github.com/stretchr/testify@v1.11.1"

// suites are in the order of the table. Versions are fixed; the Go
// distribution's are those of the toolchain.
var suites = []suite{
	{
		name: "Go, sync/pool_test.go", dir: "sync", files: []string{"pool_test.go"}, adapter: "sync",
		edits: [][2]string{{"//go:build !race\n", "\n"}, {`. "sync"`, `_ "sync"`}},
		drop:  []reason{{[]string{"TestPoolDequeue", "TestPoolChain", "testPoolDequeue"}, "the queue inside sync.Pool, not a pool"}},
		note:  "pool.Pool; each value in a box, as Put takes values of any type",
	},
	{
		name: "Go, net/http/httputil", dir: "net/http/httputil", files: []string{"reverseproxy_test.go"}, adapter: "httputil",
		keep:  []string{"bufferPool", "TestReverseProxyGetPutBuffer"},
		edits: [][2]string{{"return make([]byte, size)", "return buffers.Get()"}, {"addLog(\"putBuf-\" + strconv.Itoa(len(p)))", "addLog(\"putBuf-\" + strconv.Itoa(len(p))); buffers.Put(p)"}},
		drop:  []reason{{[]string{"all others"}, "the proxy, not its buffers"}},
		note:  "adapt.HTTP",
	},
	{
		name: "Go, bytes/buffer_test.go", dir: "bytes", files: []string{"buffer_test.go"},
		drop: []reason{{[]string{"*"}, "the read side and the zero value, which Buffer does not have"}},
	},
	{
		name: "libp2p/go-buffer-pool", module: "github.com/libp2p/go-buffer-pool", version: "v0.1.0", dir: ".", files: []string{"pool_test.go", "buffer_test.go", "writer_test.go"}, adapter: "libp2p",
		keep: []string{"TestAllocations", "TestPoolStressByteSlicePool"},
		drop: []reason{
			{[]string{"TestPool"}, "slices of other capacities, which Free refuses, must come back"},
			{[]string{"TestRange"}, "the peer's own table"},
			{[]string{"buffer_test.go*"}, "the read side, which Buffer does not have"},
			{[]string{"writer_test.go*"}, "a buffered writer, which package buffer does not have"},
		},
		note: "Pool.Bytes and Pool.Free",
	},
	{
		name: "grpc/mem", module: "google.golang.org/grpc", version: "v1.85.0", dir: "mem", files: []string{"buffer_pool_test.go"}, adapter: "grpc",
		edits: [][2]string{{`"google.golang.org/grpc/mem"`, `"suite/mem"`}},
		drop: []reason{
			{[]string{"TestBufferPoolIgnoresShortBuffers"}, "a tier of 10 bytes: classes are multiples of 64"},
			{[]string{"TestBinaryBufferPool"}, "tiers of 1 to 16 bytes"},
		},
		note: "adapt.GRPC",
	},
	{
		name: "arrow-go, buffers", module: "github.com/apache/arrow-go/v18", version: "v18.8.0", dir: "arrow/memory", files: []string{"buffer_test.go"}, adapter: "arrowbuffer",
		edits: [][2]string{{"memory.NewGoAllocator()", "allocator()"}},
		needs: []string{testify, "github.com/apache/arrow-go/v18@v18.8.0"},
		note:  "adapt.Arrow, under the peer's CheckedAllocator",
	},
	{
		name: "arrow-go, allocator", module: "github.com/apache/arrow-go/v18", version: "v18.8.0", dir: "arrow/memory", files: []string{"go_allocator_test.go"}, adapter: "arrowallocator",
		needs: []string{testify},
		note:  "adapt.Arrow; capacities cut to the length, which this one suite wants",
	},
	{
		name: "valyala/bytebufferpool", module: "github.com/valyala/bytebufferpool", version: "v1.0.0", dir: ".", files: []string{"bytebuffer_test.go", "pool_test.go"}, adapter: "bytebufferpool",
		drop: []reason{
			{[]string{"TestByteBufferReadFrom", "TestByteBufferWriteTo"}, "the zero value, which Buffer does not have"},
			{[]string{"TestIndex", "testIndex"}, "the peer's own table"},
		},
		note: "Pool.Bytes and Pool.Free; what append moves elsewhere is refused or fits a class",
	},
	{
		name: "bytedance mcache", module: "github.com/bytedance/gopkg", version: "v0.1.4", dir: "lang/mcache", files: []string{"mcache_test.go", "utils_test.go"}, adapter: "mcache",
		keep: []string{"TestMalloc"},
		drop: []reason{{[]string{"TestBsr"}, "the peer's own arithmetic"}},
		note: "Pool.Bytes; the test checks nothing but that it returns",
	},
	{
		name: "gobwas/pool pbytes", module: "github.com/gobwas/pool", version: "v0.2.1", dir: "pbytes", files: []string{"pool_test.go", "pool_sanitize_test.go"}, adapter: "gobwas",
		tags: "pool_sanitize,poolproofdebug", keep: []string{"TestPoolSanitize"},
		drop: []reason{
			{[]string{"TestPoolGet"}, "capacities of 24 and 32 bytes: classes are multiples of 64"},
			{[]string{"TestPoolPut"}, "a foreign slice of 8 bytes must be kept"},
		},
		note: "the checked builds of both",
	},
	{
		name: "prometheus util/pool", module: "github.com/prometheus/prometheus", version: "v0.315.0", dir: "util/pool", files: []string{"pool_test.go"},
		drop: []reason{{[]string{"*"}, "slices of int of capacities 1, 4 and 10"}},
	},
	{
		name: "thanos pkg/pool", module: "github.com/thanos-io/thanos", version: "v0.42.4", dir: "pkg/pool", files: []string{"pool_test.go", "worker_pool_test.go"}, adapter: "thanos",
		keep:  []string{"TestRacePutGet"},
		needs: []string{"github.com/pkg/errors@v0.9.1", "github.com/efficientgo/core@v1.0.0-rc.3"},
		drop: []reason{
			{[]string{"TestBytesPool"}, "the cap on bytes in use, which package buffer does not have"},
			{[]string{"worker_pool_test.go*"}, "workers, not memory"},
		},
		note: "adapt.GRPC",
	},
	{
		name: "xtaci/smux", module: "github.com/xtaci/smux", version: "v1.5.56", dir: ".", files: []string{"alloc_test.go"}, adapter: "smux",
		keep: []string{"TestAllocPutThenGet"},
		drop: []reason{
			{[]string{"TestAllocGet"}, "a capacity of 4 for 3 bytes: classes are multiples of 64"},
			{[]string{"TestAllocPut", "TestAllocPutSizeMismatch"}, "Put must return errors, and keep foreign slices of 4 bytes"},
			{[]string{"TestDebrujin"}, "the peer's own arithmetic"},
		},
		note: "adapt.GRPC",
	},
	{
		name: "oxtoacart/bpool", module: "github.com/oxtoacart/bpool", version: "v0.0.0-20190530202638-03653db5a59c", dir: ".", files: []string{"bufferpool_test.go", "bytepool_test.go", "byteslice_test.go", "sizedbufferpool_test.go"},
		drop: []reason{{[]string{"*"}, "they close the channel inside the peer, or count what is in it"}},
	},
	{
		name: "minio bpool", module: "github.com/minio/minio", version: "v0.0.0-20260212201848-7aac2a2c5b7c", dir: "internal/bpool", files: []string{"bpool_test.go"},
		drop: []reason{{[]string{"*"}, "it closes the channel inside the peer"}},
	},
	{
		name: "zap buffer", module: "go.uber.org/zap", version: "v1.28.0", dir: "buffer", files: []string{"buffer_test.go", "pool_test.go"}, adapter: "zap",
		needs: []string{testify},
		note:  "Pool.Append, Write and AvailableBuffer; Options.Start 1024",
	},
}

// unavailable are suites that could not be fetched.
var unavailable = []string{"colega/zeropool", "VictoriaMetrics lib/leveledbytebufferpool"}
