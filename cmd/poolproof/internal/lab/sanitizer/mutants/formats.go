package mutants

import "github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"

// formats are encoders and decoders.
var formats = []host{
	{
		module:   suite.Module{Path: "github.com/pelletier/go-toml/v2", Version: "v2.4.3"},
		packages: []string{"."},
		mutants: []mutant{
			one("Marshal returns the pooled array", "marshaler.go",
				"\tout := make([]byte, len(e.buf))\n\tcopy(out, e.buf)\n\tencoderStatePool.Put(e)\n\treturn out, nil\n",
				"\tencoderStatePool.Put(e)\n\treturn e.buf, nil\n"),
			swap("Encode writes after Put", "marshaler.go",
				"\t_, err = enc.w.Write(e.buf)\n", "\tencoderStatePool.Put(e)\n"),
			one("the decoder is reset after Put too", "unmarshaler.go",
				"\tdecoderPool.Put(d)\n", "\tdecoderPool.Put(d)\n\td.reset()\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/valyala/fastjson", Version: "v1.6.10"},
		packages: []string{"."},
		mutants: []mutant{
			swap("GetString converts after Put", "handy.go",
				"\tstr := string(sb)\n", "\thandyPool.Put(p)\n"),
			one("GetBytes returns the parser's memory", "handy.go",
				"\t\tb = append(b, sb...)\n", "\t\tb = sb\n"),
			swap("GetInt looks up after Put", "handy.go",
				"\tn := v.GetInt(keys...)\n", "\thandyPool.Put(p)\n"),
			swap("an arena is reset after Put", "pool.go",
				"\ta.Reset()\n", "\tap.pool.Put(a)\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/evanphx/json-patch/v5", Version: "v5.9.11"},
		packages: []string{"./..."},
		mutants: []mutant{
			one("the encoder's array is returned", "internal/json/encode.go",
				"\terr := e.marshal(v, encOpts{escapeHTML: escape})\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\tbuf := append([]byte(nil), e.Bytes()...)\n\n\treturn buf, nil\n",
				"\terr := e.marshal(v, encOpts{escapeHTML: escape})\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\n\treturn e.Bytes(), nil\n"),
			one("a scanner is put before its use", "internal/json/scanner.go",
				"\tscan := newScanner()\n\tdefer freeScanner(scan)\n\treturn checkValid(data, scan) == nil\n",
				"\tscan := newScanner()\n\tfreeScanner(scan)\n\treturn checkValid(data, scan) == nil\n"),
			one("a decoder is put on the error path too", "internal/json/decode.go",
				"\td.init(data)\n\terr := d.unmarshal(v)\n\tif err != nil {\n",
				"\td.init(data)\n\terr := d.unmarshal(v)\n\tif err != nil {\n\t\tds.Put(d)\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/fxamacker/cbor/v2", Version: "v2.9.6"},
		packages: []string{"."},
		mutants: []mutant{
			one("Marshal returns the pooled array", "encode.go",
				"\tbuf := make([]byte, e.Len())\n\tcopy(buf, e.Bytes())\n\n\tputEncodeBuffer(e)\n\treturn buf, nil\n}\n\n// MarshalToBuffer",
				"\tbuf := e.Bytes()\n\n\tputEncodeBuffer(e)\n\treturn buf, nil\n}\n\n// MarshalToBuffer"),
			swap("a buffer is reset after Put", "encode.go",
				"\te.Reset()\n", "\tencodeBufferPool.Put(e)\n"),
			swap("keys and values are truncated after Put", "encode.go",
				"\t*x = (*x)[:0]\n", "\tkeyValuePool.Put(x)\n"),
			swap("a map key is zeroed after Put", "encode_map.go",
				"\t\titerk.SetZero()\n", "\t\tme.kpool.Put(iterk)\n"),
			one("Encode puts before it writes", "stream.go",
				"\t\t_, err = enc.w.Write(buf.Bytes())\n\t}\n\n\tputEncodeBuffer(buf)\n",
				"\t\tb := buf.Bytes()\n\t\tputEncodeBuffer(buf)\n\t\t_, err = enc.w.Write(b)\n\t}\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/vmihailenco/msgpack/v5", Version: "v5.4.1"},
		packages: []string{"."},
		mutants: []mutant{
			swap("an encoder forgets its writer after Put", "encode.go",
				"\tenc.w = nil\n", "\tencPool.Put(enc)\n"),
			swap("a decoder is put before it decodes", "decode.go",
				"\terr := dec.Decode(v)\n", "\n\tPutDecoder(dec)\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/hamba/avro/v2", Version: "v2.31.0"},
		packages: []string{"."},
		mutants: []mutant{
			one("Marshal returns the pooled array", "config.go",
				"\tcopied := make([]byte, len(result))\n\tcopy(copied, result)\n\n\treturn copied, nil\n",
				"\treturn result, nil\n"),
			one("a writer forgets its error after Put", "config.go",
				"\twriter.out = nil\n\twriter.Error = nil\n\n\tc.writerPool.Put(writer)\n",
				"\tc.writerPool.Put(writer)\n\twriter.out = nil\n\twriter.Error = nil\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/segmentio/encoding", Version: "v0.5.4"},
		packages: []string{"./json"},
		mutants: []mutant{
			one("Marshal returns the pooled array", "json/json.go",
				"\tb := make([]byte, len(buf.data))\n\tcopy(b, buf.data)\n\tencoderBufferPool.Put(buf)\n\treturn b, nil\n",
				"\tb := buf.data\n\tencoderBufferPool.Put(buf)\n\treturn b, nil\n"),
			one("Encode puts before it writes", "json/json.go",
				"\tif _, err := enc.writer.Write(b); err != nil {\n\t\tenc.err = err\n\t}\n\n\tencoderBufferPool.Put(buf)\n",
				"\tencoderBufferPool.Put(buf)\n\tif _, err := enc.writer.Write(b); err != nil {\n\t\tenc.err = err\n\t}\n\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/json-iterator/go", Version: "v1.1.12"},
		packages: []string{"./api_tests", "./misc_tests"},
		args:     []string{"-skip", "Test_string_encode_with_std_without_html_escape"}, // fails with this Go, too
		mutants: []mutant{
			one("Marshal returns the pooled array", "config.go",
				"\tcopied := make([]byte, len(result))\n\tcopy(copied, result)\n\treturn copied, nil\n",
				"\treturn result, nil\n"),
			one("MarshalToString converts without a copy", "config.go",
				"\treturn string(stream.Buffer()), nil\n",
				"\tb := stream.Buffer()\n\treturn *(*string)(unsafe.Pointer(&b)), nil\n"),
			swap("a stream forgets its writer after Put", "pool.go",
				"\tstream.out = nil\n\tstream.Error = nil\n\tstream.Attachment = nil\n", "\tcfg.streamPool.Put(stream)\n"),
		},
	},
}
