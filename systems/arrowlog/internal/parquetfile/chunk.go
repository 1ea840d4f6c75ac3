package parquetfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/parquet-go/parquet-go/format"
)

// Chunk reads the rows of a column in a row group. It keeps its memory when [Chunk.Open]
// is called again, and belongs to one goroutine.
type Chunk struct {
	file     *File
	column   Column
	meta     *format.ColumnMetaData
	rows     int64 // of the group, that no page has brought yet
	at       int64 // in the file, of the next page
	optional bool

	left       int // rows of the page at hand
	levels     *runs
	values     decoder
	dictionary *dictionary

	compressed, page, dictPage []byte // memory
	held                       int64  // its size, as it is counted in file.held
}

// Open goes to the first row of a column in a row group.
func (c *Chunk) Open(f *File, group int, column Column) error {
	g := &f.Groups[group]
	m := &g.Columns[column.Leaf].MetaData
	if m.Type != column.Type.V {
		return fmt.Errorf("its type is %v in row group %d, %v in the schema", m.Type, group, column.Type.V)
	}
	if m.Type == format.FixedLenByteArray && column.TypeLength.V <= 0 {
		return fmt.Errorf("its values have %d bytes", column.TypeLength.V)
	}
	*c = Chunk{
		file: f, column: column, meta: m, rows: g.NumRows, at: m.DataPageOffset,
		optional:   column.RepetitionType.Valid && column.RepetitionType.V == format.Optional,
		compressed: c.compressed, page: c.page, dictPage: c.dictPage, held: c.held,
	}
	if d := m.DictionaryPageOffset; d > 0 && d < c.at {
		c.at = d
	}
	return nil
}

// Next reads a row. Its value is zero if it is null. The error is never io.EOF: a
// chunk has as many rows as its group.
func (c *Chunk) Next() (v Value, null bool, err error) {
	for c.left == 0 {
		if err := c.nextPage(0); err != nil {
			return v, false, err
		}
	}
	c.left--
	if c.levels != nil {
		level, err := c.levels.next()
		if err != nil {
			return v, false, fmt.Errorf("the page's levels: %w", err)
		}
		if level == 0 {
			return v, true, nil
		}
	}
	return v, false, c.values.next(&v)
}

// Skip passes over rows; over whole pages without reading them.
func (c *Chunk) Skip(rows int64) error {
	for rows > 0 {
		if c.left == 0 {
			if err := c.nextPage(rows); err != nil {
				return err
			}
			if c.left < 0 { // a page that was passed over
				rows += int64(c.left)
				c.left = 0
				continue
			}
		}
		if int64(c.left) <= rows {
			rows -= int64(c.left)
			c.left = 0
			continue
		}
		for ; rows > 0; rows-- {
			if _, _, err := c.Next(); err != nil {
				return err
			}
		}
	}
	return nil
}

// nextPage makes the next page of values the one at hand. If it has at most skip rows
// it is passed over, and left is their number below zero.
func (c *Chunk) nextPage(skip int64) error {
	for {
		if c.rows == 0 {
			return errors.New("the pages have fewer rows than the row group")
		}
		var h format.PageHeader
		size, err := c.file.header(c.at, &h)
		if err != nil {
			return fmt.Errorf("the page header at byte %d: %w", c.at, err)
		}
		start := c.at + size
		if h.CompressedPageSize < 0 || int64(h.CompressedPageSize) > c.file.end-start {
			return fmt.Errorf("the page at byte %d has %d bytes, the file has %d more", c.at, h.CompressedPageSize, c.file.end-start)
		}
		if h.UncompressedPageSize < 0 || int(h.UncompressedPageSize) > MaxPage || int(h.CompressedPageSize) > MaxPage {
			return fmt.Errorf("the page at byte %d has %d bytes, %d without compression; at most %d are read", c.at, h.CompressedPageSize, h.UncompressedPageSize, MaxPage)
		}
		rows := int64(0)
		switch {
		case h.Type == format.DataPage && h.DataPageHeader.Valid:
			rows = int64(h.DataPageHeader.V.NumValues)
		case h.Type == format.DataPageV2 && h.DataPageHeaderV2.Valid:
			rows = int64(h.DataPageHeaderV2.V.NumValues)
		case h.Type != format.DictionaryPage && h.Type != format.IndexPage:
			return fmt.Errorf("the page at byte %d has the type %v, or lacks its header", c.at, h.Type)
		}
		if rows < 0 || rows > c.rows {
			return fmt.Errorf("the page at byte %d has %d rows, the row group has %d more", c.at, rows, c.rows)
		}
		err = nil
		switch {
		case h.Type == format.IndexPage:
		case h.Type == format.DictionaryPage:
			err = c.openDictionary(start, &h)
		case rows <= skip:
			c.left = -int(rows)
		default:
			if err = c.openPage(start, &h); err == nil {
				c.left = int(rows)
			}
		}
		if err != nil {
			return fmt.Errorf("the page at byte %d: %w", c.at, err)
		}
		c.at = start + int64(h.CompressedPageSize)
		c.rows -= rows
		if c.left != 0 {
			return nil
		}
	}
}

// read reads the bytes of a page and checks their sum. It also counts the memory that
// the page will take.
func (c *Chunk) read(start int64, h *format.PageHeader) ([]byte, error) {
	n := int64(max(cap(c.compressed), int(h.CompressedPageSize)))
	if h.Type == format.DictionaryPage {
		n += int64(cap(c.page)) + int64(max(cap(c.dictPage), int(h.UncompressedPageSize)))
	} else {
		n += int64(cap(c.dictPage)) + int64(max(cap(c.page), int(h.UncompressedPageSize)))
	}
	c.file.held += n - c.held
	c.held = n
	if c.file.held > MaxHeld {
		return nil, fmt.Errorf("the pages of the columns that are read take more than %d bytes; read fewer columns", MaxHeld)
	}
	c.compressed = room(c.compressed, int(h.CompressedPageSize))
	if err := readAt(c.file.r, c.compressed, start); err != nil {
		return nil, err
	}
	if h.CRC != 0 && uint32(h.CRC) != crc32.ChecksumIEEE(c.compressed) {
		return nil, errors.New("it is damaged: its checksum is another")
	}
	return c.compressed, nil
}

func (c *Chunk) openDictionary(start int64, h *format.PageHeader) error {
	if !h.DictionaryPageHeader.Valid || c.dictionary != nil {
		return errors.New("a dictionary without a header, or a second one")
	}
	b, err := c.read(start, h)
	if err != nil {
		return err
	}
	if b, err = decompress(c.meta.Codec, c.dictPage, b, int(h.UncompressedPageSize)); err != nil {
		return fmt.Errorf("a dictionary: %w", err)
	}
	c.dictPage = append(c.dictPage[:0], b...) // a page that is not compressed is in memory of the next
	c.dictionary, err = newDictionary(c.plain(c.dictPage), int(h.DictionaryPageHeader.V.NumValues))
	return err
}

func (c *Chunk) plain(data []byte) *plain {
	return &plain{kind: c.meta.Type, fixed: int(c.column.TypeLength.V), data: data}
}

// openPage reads a page of values.
func (c *Chunk) openPage(start int64, h *format.PageHeader) error {
	b, err := c.read(start, h)
	if err != nil {
		return err
	}
	if h.Type == format.DataPage {
		p := &h.DataPageHeader.V
		if b, err = c.unpack(b, int(h.UncompressedPageSize)); err != nil {
			return err
		}
		c.levels = nil
		if c.optional {
			if p.DefinitionLevelEncoding != format.RLE {
				return fmt.Errorf("levels in the encoding %v", p.DefinitionLevelEncoding)
			}
			if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
				return fmt.Errorf("levels: %w", errValues)
			}
			n := int(binary.LittleEndian.Uint32(b))
			c.levels = &runs{data: b[4 : 4+n], width: 1}
			b = b[4+n:]
		}
		return c.decode(b, p.Encoding, int(p.NumValues))
	}
	p := &h.DataPageHeaderV2.V
	repetition, definition := int64(p.RepetitionLevelsByteLength), int64(p.DefinitionLevelsByteLength)
	levels := repetition + definition
	if repetition < 0 || definition < 0 || levels > int64(len(b)) || levels > int64(h.UncompressedPageSize) {
		return fmt.Errorf("levels of %d and %d bytes in a page of %d", repetition, definition, len(b))
	}
	c.levels = nil
	if c.optional {
		// The levels stay where they are when the values are unpacked.
		c.levels = &runs{data: b[repetition:levels], width: 1}
	}
	b = b[levels:]
	if !p.IsCompressed.Valid || p.IsCompressed.V {
		if b, err = c.unpack(b, int(h.UncompressedPageSize)-int(levels)); err != nil {
			return err
		}
	}
	return c.decode(b, p.Encoding, int(p.NumValues))
}

func (c *Chunk) unpack(b []byte, size int) ([]byte, error) {
	out, err := decompress(c.meta.Codec, c.page, b, size)
	if err == nil && c.meta.Codec != format.Uncompressed {
		c.page = out
	}
	return out, err
}

// decode chooses the decoder of a page's values.
func (c *Chunk) decode(b []byte, encoding format.Encoding, values int) (err error) {
	kind := c.meta.Type
	fixed := -1
	if kind == format.FixedLenByteArray {
		fixed = int(c.column.TypeLength.V)
	}
	text := kind == format.ByteArray || kind == format.FixedLenByteArray
	integer := kind == format.Int32 || kind == format.Int64
	switch {
	case encoding == format.Plain:
		c.values = c.plain(b)
	//lint:ignore SA1019 old files have it
	case encoding == format.RLEDictionary || encoding == format.PlainDictionary:
		if len(b) == 0 { // all rows are null
			b = []byte{0}
		}
		if b[0] > 32 || c.dictionary == nil {
			return fmt.Errorf("indices of %d bits of a dictionary that is there: %v", b[0], c.dictionary != nil)
		}
		c.values = &indices{runs{data: b[1:], width: int(b[0])}, c.dictionary}
	case encoding == format.RLE && kind == format.Boolean:
		if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
			return errValues
		}
		c.values = &truths{runs{data: b[4 : 4+binary.LittleEndian.Uint32(b)], width: 1}}
	case encoding == format.DeltaBinaryPacked && integer:
		d, err := newDeltas(b)
		if err != nil {
			return err
		}
		c.values = d
		if kind == format.Int32 {
			c.values = int32s{d}
		}
	case encoding == format.DeltaLengthByteArray && kind == format.ByteArray:
		c.values, err = newTexts(b, values, fixed, false)
	case encoding == format.DeltaByteArray && text:
		c.values, err = newTexts(b, values, fixed, true)
	case encoding == format.ByteStreamSplit && (width(kind) > 0 || fixed > 0):
		n := max(width(kind), fixed)
		c.values = &split{kind: kind, width: n, data: b, value: make([]byte, n)}
	default:
		return fmt.Errorf("%v values in the encoding %v, which cannot be read", kind, encoding)
	}
	return err
}
