package collector

import (
	"errors"
	"fmt"
	"os"

	"github.com/poolproof/poolproof/systems/arrowlog"
	"github.com/poolproof/poolproof/systems/arrowlog/logfiles"
)

// batch is the logs of one file: in an encoder and, until the file is on the disk, in
// a journal. One goroutine has it at a time.
type batch struct {
	files   *logfiles.Writer
	name    string // of the file, without a folder
	journal *journal
}

// journalSuffix is added to the name of the file that a journal is for.
const journalSuffix = ".journal"

func suffix(ipc bool) string {
	if ipc {
		return ".arrow"
	}
	return ".parquet"
}

// newBatch returns a batch whose encoder takes maxBytes, or any number if that is 0.
func (c *Collector) newBatch(ipc bool, maxBytes int64) (*batch, error) {
	o := c.o.Encoder
	o.IPCFile, o.MaxBytes = true, maxBytes
	e, err := arrowlog.New(arrowlog.Schema{}, o)
	if err != nil {
		return nil, err
	}
	b := new(batch)
	b.files, err = logfiles.New(c.o.Dir, e, logfiles.Options{
		Rows: c.o.Rows, Bytes: c.o.Bytes, Age: c.o.Age, IPC: ipc, Name: func(int) string { return b.name },
	})
	return b, err
}

// add reads a message into the encoder. One that is too large for an empty encoder is
// tried again without the columns of the file before, in which its rows would be null.
func (b *batch) add(message []byte) error {
	e := b.files.Encoder()
	_, err := e.AppendOTLP(message)
	if errors.Is(err, arrowlog.ErrTooLarge) && e.Rows() == 0 {
		e.DropUnused()
		_, err = e.AppendOTLP(message)
	}
	return err
}

// save brings messages to the disk.
func (b *batch) save(messages [][]byte) error {
	if b.journal == nil {
		j, err := createJournal(b.files.Next() + journalSuffix)
		if err != nil {
			return err
		}
		b.journal = j
	}
	return b.journal.append(messages)
}

// write writes the rows as a file and removes their journal. If it fails they stay.
func (b *batch) write(logf func(string, ...any)) error {
	path, rows := b.files.Next(), b.files.Encoder().Rows()
	if err := b.files.Flush(); err != nil {
		logf("%d logs wait, their file cannot be written (the journal has them): %v", rows, err)
		return fmt.Errorf("collector: %w", err)
	}
	b.files.Forget()
	if rows > 0 {
		logf("wrote %d logs to %s", rows, path)
	}
	if b.journal == nil {
		return nil
	}
	name := b.journal.file.Name()
	err := errors.Join(b.journal.file.Close(), os.Remove(name))
	b.journal = nil
	if err != nil {
		logf("the journal of a file that was written stays: %v", err)
	}
	return nil
}
