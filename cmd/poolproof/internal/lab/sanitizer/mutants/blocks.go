package mutants

import "github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"

// blocks are buffers and compressors.
var blocks = []host{
	{
		module:   suite.Module{Path: "github.com/valyala/bytebufferpool", Version: "v1.0.0"},
		packages: []string{"."},
		mutants: []mutant{
			swap("a buffer is reset after Put", "pool.go",
				"\t\tb.Reset()\n", "\t\tp.pool.Put(b)\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/libp2p/go-buffer-pool", Version: "v0.1.0"},
		packages: []string{"."},
		mutants: []mutant{
			swap("a writer forgets its target after Put", "writer.go",
				"\tw.bufw.Reset(nil)\n", "\tbufioWriterPool.Put(w.bufw)\n"),
			one("the old buffer is put before it is copied", "buffer.go",
				"\t\tcopy(newBuf, b.buf[b.rOff:])\n\t\tb.returnBuf()\n\t\tb.buf = newBuf\n",
				"\t\told := b.buf\n\t\tb.returnBuf()\n\t\tcopy(newBuf, old[b.rOff:])\n\t\tb.buf = newBuf\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/pierrec/lz4/v4", Version: "v4.1.33"},
		packages: []string{"."},
		args:     []string{"-short"},
		mutants: []mutant{
			one("a block is put before it is compressed", "writer.go",
				"\t\tb.Compress(w.frame, data, w.level)\n", "\t\tif safe {\n\t\t\tlz4block.Put(data)\n\t\t\tsafe = false\n\t\t}\n\t\tb.Compress(w.frame, data, w.level)\n"),
			swap("a compressor is put before its use", "internal/lz4block/block.go",
				"\tn, err := c.CompressBlock(src, dst)\n", "\tcompressorPool.Put(c)\n"),
			one("a reader keeps the block that it has put", "reader.go",
				"func (r *Reader) Reset(reader io.Reader) {\n\tlz4block.Put(r.data)\n\tr.data = nil\n",
				"func (r *Reader) Reset(reader io.Reader) {\n\tlz4block.Put(r.data)\n"),
		},
	},
	{
		module:   suite.Module{Path: "github.com/andybalholm/brotli", Version: "v1.2.8"},
		packages: []string{"."},
		args:     []string{"-short"},
		mutants: []mutant{
			one("a search result is put in the other's place", "backward_references.go",
				"\thasherSearchResultPool.Put(sr)\n\thasherSearchResultPool.Put(sr2)\n",
				"\thasherSearchResultPool.Put(sr)\n\thasherSearchResultPool.Put(sr)\n"),
			one("a block's split is put before it is stored", "encode.go",
				"\t\tstoreMetaBlock(data, uint(wrapped_last_flush_pos), bytes, mask, prev_byte, prev_byte2, is_last, &block_params, literal_context_mode, commands, mb, storage_ix, storage)\n\t\tfreeMetaBlockSplit(mb)\n",
				"\t\tfreeMetaBlockSplit(mb)\n\t\tstoreMetaBlock(data, uint(wrapped_last_flush_pos), bytes, mask, prev_byte, prev_byte2, is_last, &block_params, literal_context_mode, commands, mb, storage_ix, storage)\n"),
			one("an encoder of literals is put with the distances'", "brotli_bit_stream.go",
				"\tdistance_enc := getBlockEncoder(uint(num_effective_distance_symbols),",
				"\tcleanupBlockEncoder(literal_enc)\n\tdistance_enc := getBlockEncoder(uint(num_effective_distance_symbols),"),
		},
	},
}
