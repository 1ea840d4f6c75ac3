package arrowallocators

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// A digest is over what a reader sees: names, types, values and where there
// are none. Two forms of the same rows have the same digest, whatever stands
// in the memory of nulls and however the data are cut into chunks.

// DigestRecord returns the digest of a record.
func DigestRecord(record Record) (string, error) {
	d := sha256.New()
	for i, f := range record.Schema().Fields() {
		if err := digestColumn(d, f, []arrow.Array{record.Column(i)}); err != nil {
			return "", err
		}
	}
	return sum(d), nil
}

// DigestParquet returns the digest of the rows of a Parquet file.
func DigestParquet(file []byte) (string, error) {
	table, err := pqarrow.ReadTable(context.Background(), bytes.NewReader(file), parquet.NewReaderProperties(memory.DefaultAllocator),
		pqarrow.ArrowReadProperties{}, memory.DefaultAllocator)
	if err != nil {
		return "", fmt.Errorf("reading Parquet: %w", err)
	}
	defer table.Release()
	d := sha256.New()
	for i, f := range table.Schema().Fields() {
		if err := digestColumn(d, f, table.Column(i).Data().Chunks()); err != nil {
			return "", err
		}
	}
	return sum(d), nil
}

// DigestIPC returns the digest of the one record of an IPC stream.
func DigestIPC(stream []byte) (string, error) {
	r, err := ipc.NewReader(bytes.NewReader(stream))
	if err != nil {
		return "", fmt.Errorf("reading IPC: %w", err)
	}
	defer r.Release()
	record, err := r.Read()
	if err != nil {
		return "", fmt.Errorf("reading IPC: %w", err)
	}
	digest, err := DigestRecord(record)
	if err != nil {
		return "", err
	}
	if _, err := r.Read(); !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("reading IPC: more than one record (%v)", err)
	}
	return digest, nil
}

func sum(d hash.Hash) string { return hex.EncodeToString(d.Sum(nil)[:8]) }

func digestColumn(d hash.Hash, field arrow.Field, chunks []arrow.Array) error {
	fmt.Fprintf(d, "%q %v\n", field.Name, field.Type)
	var cell []byte // one byte that says whether there is a value, and the value
	for _, chunk := range chunks {
		for i := range chunk.Len() {
			cell = append(cell[:0], 0)
			if chunk.IsValid(i) {
				cell[0] = 1
				switch a := chunk.(type) {
				case *array.String:
					cell = binary.LittleEndian.AppendUint64(cell, uint64(len(a.Value(i))))
					cell = append(cell, a.Value(i)...)
				case *array.Int64:
					cell = binary.LittleEndian.AppendUint64(cell, uint64(a.Value(i)))
				case *array.Float64:
					cell = binary.LittleEndian.AppendUint64(cell, math.Float64bits(a.Value(i)))
				case *array.Boolean:
					cell = fmt.Append(cell, a.Value(i))
				default:
					return fmt.Errorf("column %q came back as %v, which no column of ours has", field.Name, field.Type)
				}
			}
			d.Write(cell)
		}
	}
	return nil
}
