package mutants

import "github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"

// servers are routers, protocols and what renders pages.
var servers = []host{
	{
		module:   suite.Module{Path: "github.com/gin-gonic/gin", Version: "v1.12.0"},
		packages: []string{"."},
		mutants: []mutant{
			swap("a context is put before the request is handled", "gin.go",
				"\tengine.handleHTTPRequest(c)\n\n", "\tengine.pool.Put(c)\n"),
			one("a context is put twice", "gin.go",
				"\tengine.pool.Put(c)\n", "\tdefer engine.pool.Put(c)\n\tengine.pool.Put(c)\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/go-chi/chi/v5", Version: "v5.5.0"},
		packages: []string{"."},
		mutants: []mutant{
			swap("a context is put before the request is handled", "mux.go",
				"\tmx.handler.ServeHTTP(w, r)\n", "\tmx.pool.Put(rctx)\n"),
			one("a context is reset after Put", "mux.go",
				"\tmx.pool.Put(rctx)\n", "\tmx.pool.Put(rctx)\n\trctx.Reset()\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/gorilla/websocket", Version: "v1.5.3"},
		packages: []string{"."},
		mutants: []mutant{
			swap("a compressor is flushed after Put", "compression.go",
				"\terr1 := w.fw.Flush()\n", "\tw.p.Put(w.fw)\n"),
			one("a decompressor is put by each Close", "compression.go",
				"\tflateReaderPool.Put(r.fr)\n\tr.fr = nil\n", "\tflateReaderPool.Put(r.fr)\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/lxzan/gws", Version: "v1.8.9"},
		packages: []string{"."},
		args:     []string{"-short", "-run", "Write|Close|Async", "-timeout", "40s"}, // a peer that gets garbage waits for ever
		mutants: []mutant{
			one("a frame is put before it is written", "writer.go",
				"\terr = internal.WriteN(c.conn, frame.Bytes())\n\t_, _ = payload.WriteTo(&c.cpsWindow)\n\tbinaryPool.Put(frame)\n",
				"\tb := frame.Bytes()\n\tbinaryPool.Put(frame)\n\terr = internal.WriteN(c.conn, b)\n\t_, _ = payload.WriteTo(&c.cpsWindow)\n"),
			swap("the reason of a Close is put before it is sent", "writer.go",
				"\t\terr := c.writeClose(internal.StatusCode(code), buf.Bytes())\n", "\t\tbinaryPool.Put(buf)\n"),
			swap("the last part of a file is put before the callback", "writefile.go",
				"\tvar err = c.cb(c.index, true, buf.Bytes())\n\tc.index++\n", "\tbinaryPool.Put(buf)\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/miekg/dns", Version: "v1.1.73"},
		packages: []string{"."},
		args:     []string{"-short", "-run", "Serv|Client|Tsig|TSIG"},
		mutants: []mutant{
			{"a packet is put before it is unpacked", []edit{
				{"server.go", "\treq := new(Msg)\n\treq.setHdr(dh)\n",
					"\treq := new(Msg)\n\treq.setHdr(dh)\n\tif w.udp != nil && cap(m) == srv.UDPSize {\n\t\tsrv.udpPool.Put(m[:srv.UDPSize])\n\t}\n"},
				{"server.go", "\tif w.udp != nil && cap(m) == srv.UDPSize {\n\t\tsrv.udpPool.Put(m[:srv.UDPSize])\n\t}\n\n\tsrv.Handler.ServeDNS",
					"\tsrv.Handler.ServeDNS"},
			}},
		},
	},
	{
		module:   suite.Module{Path: "github.com/CloudyKit/jet/v6", Version: "v6.3.3"},
		packages: []string{"."},
		mutants: []mutant{
			swap("the state of a template is cleaned after Put", "eval.go",
				"\tst.scope = &scope{}\n\tst.context = reflect.Value{}\n", "\tpool_State.Put(st)\n"),
			one("a loop's ranger is put before the loop", "eval.go",
				"\t\t\tindexValue, rangeValue, end := ranger.Range()\n\t\t\tif !end {\n",
				"\t\t\tcleanup()\n\t\t\tcleanup = func() {}\n\t\t\tindexValue, rangeValue, end := ranger.Range()\n\t\t\tif !end {\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/valyala/quicktemplate", Version: "v1.8.0"},
		packages: []string{".", "./testdata/templates", "./tests"},
		mutants: []mutant{
			one("a writer is cleaned after Put", "writer.go",
				"\tqw.n.Reset()\n\n\twriterPool.Put(qw)\n", "\twriterPool.Put(qw)\n\n\tqw.n.Reset()\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/go-playground/validator/v10", Version: "v10.30.6"},
		packages: []string{"."},
		mutants: []mutant{
			one("the errors of a struct are taken after Put", "validator_instance.go",
				"\tvd.isPartial = false\n\t// vd.hasExcludes = false // only need to reset in StructPartial and StructExcept\n\n\tvd.validateStruct(ctx, top, val, val.Type(), vd.ns[0:0], vd.actualNs[0:0], nil)\n\n\tif len(vd.errs) > 0 {\n\t\terr = vd.errs\n\t\tvd.errs = nil\n\t}\n\n\tv.pool.Put(vd)\n",
				"\tvd.isPartial = false\n\t// vd.hasExcludes = false // only need to reset in StructPartial and StructExcept\n\n\tvd.validateStruct(ctx, top, val, val.Type(), vd.ns[0:0], vd.actualNs[0:0], nil)\n\n\tv.pool.Put(vd)\n\tif len(vd.errs) > 0 {\n\t\terr = vd.errs\n\t\tvd.errs = nil\n\t}\n"),
			one("a failed variable is put twice", "validator_instance.go",
				"\tvd.traverseField(ctx, val, val, vd.ns[0:0], vd.actualNs[0:0], defaultCField, ctag)\n\n\tif len(vd.errs) > 0 {\n",
				"\tvd.traverseField(ctx, val, val, vd.ns[0:0], vd.actualNs[0:0], defaultCField, ctag)\n\n\tif len(vd.errs) > 0 {\n\t\tdefer v.pool.Put(vd)\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/prometheus/common", Version: "v0.73.1"},
		packages: []string{"./expfmt"},
		mutants: []mutant{
			one("a writer is flushed after Put", "expfmt/openmetrics_2_0_create.go",
				"\t\t\tbErr := b.Flush()\n\t\t\tif err == nil {\n\t\t\t\terr = bErr\n\t\t\t}\n\t\t\tbufPool.Put(b)\n",
				"\t\t\tbufPool.Put(b)\n\t\t\tbErr := b.Flush()\n\t\t\tif err == nil {\n\t\t\t\terr = bErr\n\t\t\t}\n"),
			swap("a number is written after Put", "expfmt/text_create.go",
				"\t*bp = strconv.AppendInt((*bp)[:0], i, 10)\n\twritten, err := w.Write(*bp)\n", "\tnumBufPool.Put(bp)\n"),
			one("a number's buffer is put twice", "expfmt/text_create.go",
				"\t\t*bp = strconv.AppendFloat((*bp)[:0], f, 'g', -1, 64)\n\t\twritten, err := w.Write(*bp)\n",
				"\t\t*bp = strconv.AppendFloat((*bp)[:0], f, 'g', -1, 64)\n\t\twritten, err := w.Write(*bp)\n\t\tnumBufPool.Put(bp)\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/prometheus/client_golang", Version: "v1.25.0"},
		packages: []string{"./prometheus"},
		mutants: []mutant{
			swap("a map of labels is cleared after Put", "prometheus/vec.go",
				"\t\tfor k := range constrainedLabels {\n\t\t\tdelete(constrainedLabels, k)\n\t\t}\n", "\t\tlabelsPool.Put(constrainedLabels)\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/aws/smithy-go", Version: "v1.28.8"},
		packages: []string{"./transport/http/protocol/..."},
		mutants: []mutant{
			one("the serializer returns its own array", "transport/http/protocol/internal/json/shape_serializer.go",
				"\treturn append([]byte(nil), s.buf...)\n", "\treturn s.buf\n"),
		},
	},
}
