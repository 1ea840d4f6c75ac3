module github.com/poolproof/poolproof/studies/peers/buffer

go 1.26.0

require (
	github.com/bytedance/gopkg v0.1.4
	github.com/gobwas/pool v0.2.1
	github.com/libp2p/go-buffer-pool v0.1.0
	github.com/oxtoacart/bpool v0.0.0-20190530202638-03653db5a59c
	github.com/poolproof/poolproof v0.0.0
	github.com/prometheus/prometheus v0.315.0
	github.com/thanos-io/thanos v0.42.4
	github.com/valyala/bytebufferpool v1.0.0
	github.com/xtaci/smux v1.5.56
	go.uber.org/zap v1.28.0
	google.golang.org/grpc v1.85.0
)

require (
	github.com/pkg/errors v0.9.1 // indirect
	golang.org/x/sys v0.48.0 // indirect
)

replace github.com/poolproof/poolproof => ../../../
