package arrowlog

import "fmt"

// Options say how an [Encoder] writes. The zero value is a good one.
type Options struct {
	// Allocator is where Arrow records and IPC messages get their memory. Nil
	// means a recycler of the encoder's own: package arrowmem has it and others.
	Allocator Allocator

	// Compression is that of Parquet pages.
	Compression Compression

	// CompressIPC compresses the buffers of IPC messages by zstd.
	CompressIPC bool

	// Dictionary says which text columns get a dictionary in Parquet files.
	Dictionary Dictionary

	// IPCFile makes FlushIPC write the IPC file format, which has a footer, in place
	// of the stream format.
	IPCFile bool

	// RowGroup is the largest number of rows in a row group of a Parquet file. 0
	// means 1,048,576.
	RowGroup int

	// Bloom are the names of columns that get a Bloom filter, as [Column.Bloom] says,
	// when an append adds them.
	Bloom []string

	// MaxColumns is the number of columns from which on [Encoder.AppendOTLP] adds none
	// for an attribute: what has no column is written as one JSON object into the
	// column rest_json. So is an attribute whose name is longer than 1 KiB. 0 means no
	// bound.
	MaxColumns int

	// MaxBytes is the size of the values that wait, in bytes as [Encoder.Bytes] counts
	// them, from which on AppendOTLP returns an error that wraps [ErrTooLarge]: a
	// message of a few bytes can stand for much. An encoder keeps at most MaxBytes of
	// the memory for values from one flush to the next then. 0 means no bound.
	MaxBytes int64

	// SortBy names a column by whose values the rows of each flush are sorted,
	// ascending, nulls last; rows that are equal keep their order. Rows without
	// such a column, and "", keep the order in which they were appended.
	SortBy string

	// InvalidUTF8 says what happens to text that is not valid UTF-8. It is never
	// written as it is.
	InvalidUTF8 UTF8
}

// Allocator is the interface of that name in arrow-go's package arrow/memory. The
// allocators of package arrowmem satisfy it.
type Allocator interface {
	Allocate(size int) []byte
	Reallocate(size int, b []byte) []byte
	Free(b []byte)
}

// Compression is how pages are compressed.
type Compression uint8

const (
	// Zstd is zstd at its default level.
	Zstd Compression = iota

	// ZstdFastest takes less time for files that are a little larger.
	ZstdFastest

	// ZstdBetter takes more time for smaller files.
	ZstdBetter

	// Snappy is faster and larger than zstd.
	Snappy

	// Uncompressed leaves the pages as they are.
	Uncompressed
)

// Dictionary says which text columns get a dictionary.
type Dictionary uint8

const (
	// DictionaryAuto counts different values in samples of what is written: a
	// column where less than half of the values differ has a dictionary, until
	// more than 70 % do.
	DictionaryAuto Dictionary = iota

	// DictionaryLow gives a dictionary to the columns that the schema calls
	// LowCardinality.
	DictionaryLow

	// DictionaryNone writes no dictionary.
	DictionaryNone
)

// UTF8 says what happens to text that is not valid UTF-8.
type UTF8 uint8

const (
	// RefuseInvalid returns an error for it; the row is not added.
	RefuseInvalid UTF8 = iota

	// ReplaceInvalid writes U+FFFD in its place.
	ReplaceInvalid
)

const defaultRowGroup = 1 << 20

func (o Options) check() error {
	switch {
	case o.Compression > Uncompressed:
		return fmt.Errorf("arrowlog: Options.Compression is %d, want one of the constants from Zstd to Uncompressed", o.Compression)
	case o.Dictionary > DictionaryNone:
		return fmt.Errorf("arrowlog: Options.Dictionary is %d, want DictionaryAuto, DictionaryLow or DictionaryNone", o.Dictionary)
	case o.InvalidUTF8 > ReplaceInvalid:
		return fmt.Errorf("arrowlog: Options.InvalidUTF8 is %d, want RefuseInvalid or ReplaceInvalid", o.InvalidUTF8)
	case o.RowGroup < 0:
		return fmt.Errorf("arrowlog: Options.RowGroup is %d, want 0 or a number of rows", o.RowGroup)
	case o.MaxColumns < 0 || o.MaxBytes < 0:
		return fmt.Errorf("arrowlog: Options.MaxColumns is %d and MaxBytes %d, want 0 or more", o.MaxColumns, o.MaxBytes)
	}
	return nil
}
