package mutants

import "github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"

var loggers = []host{
	{
		module:   suite.Module{Path: "github.com/rs/zerolog", Version: "v1.35.1"},
		packages: []string{".", "./diode"},
		mutants: []mutant{
			one("an event is truncated after Put", "event.go",
				"\t\teventPool.Put(e)\n", "\t\teventPool.Put(e)\n\t\te.buf = e.buf[:0]\n"),
			one("an event is written by a deferred call", "event.go",
				"\t\t\t_, err = e.w.WriteLevel(e.level, e.buf)\n",
				"\t\t\tdefer func(w LevelWriter) { _, err = w.WriteLevel(e.level, e.buf) }(e.w)\n"),
			swap("an array is put before it is copied", "array.go",
				"\tif len(a.buf) > 0 {\n\t\tdst = append(dst, a.buf...)\n\t}\n\tdst = enc.AppendArrayEnd(dst)\n", "\tputArray(a)\n"),
			swap("held lines are reset after Put", "writer.go",
				"\t\tw.buf.Reset()\n", "\t\ttriggerWriterPool.Put(w.buf)\n"),
			swap("a console line is reset after Put", "console.go",
				"\t\tbuf.Reset()\n", "\t\tconsoleBufPool.Put(buf)\n"),
			{"the poller writes after Put", []edit{
				{"diode/diode.go", "\t\tdw.w.Write(p)\n", ""},
				{"diode/diode.go", "\t\t\tbufPool.Put(p[:0])\n\t\t}\n", "\t\t\tbufPool.Put(p[:0])\n\t\t}\n\t\tdw.w.Write(p)\n"},
			}},
		},
	},
	{
		module:   suite.Module{Path: "github.com/go-kit/log", Version: "v0.2.1"},
		packages: []string{"."},
		mutants: []mutant{
			one("an encoder is put before its use", "logfmt_logger.go",
				"\tdefer logfmtEncoderPool.Put(enc)\n", "\tlogfmtEncoderPool.Put(enc)\n"),
			one("an encoder is put twice", "logfmt_logger.go",
				"\tif _, err := l.w.Write(enc.buf.Bytes()); err != nil {\n\t\treturn err\n\t}\n",
				"\tif _, err := l.w.Write(enc.buf.Bytes()); err != nil {\n\t\treturn err\n\t}\n\tlogfmtEncoderPool.Put(enc)\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/go-logfmt/logfmt", Version: "v0.6.1"},
		packages: []string{"."},
		mutants: []mutant{
			swap("a buffer is reset after Put", "jsonstring.go",
				"\tbuf.Reset()\n", "\tbufferPool.Put(buf)\n"),
			one("a quoted string is written after Put", "jsonstring.go",
				"\tn, err := w.Write(buf.Bytes())\n\tpoolBuffer(buf)\n\treturn n, err\n}\n\n// NOTE: keep in sync with writeQuotedString above.",
				"\tb := buf.Bytes()\n\tpoolBuffer(buf)\n\tn, err := w.Write(b)\n\treturn n, err\n}\n\n// NOTE: keep in sync with writeQuotedString above."),
		},
	},
}
