package collector

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/systems/arrowlog/logfiles"
)

// A journal holds the messages of one file of logs until that file is on the disk:
// for each its length, its checksum (CRC-32C), both in four bytes, and itself.
type journal struct {
	file *os.File
	size int64 // of what is known to be whole
	head []byte
}

const journalHead = 8

// maxMessage is the largest message in bytes that a journal takes.
const maxMessage = 1 << 28

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// createJournal makes an empty journal. It fails if there is one.
func createJournal(path string) (*journal, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := logfiles.SyncDir(filepath.Dir(path)); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(path))
	}
	return &journal{file: f}, nil
}

// append writes messages and brings them to the disk. If it fails none of them is
// in the journal, or an error that wraps errBroken says that this is unknown.
func (j *journal) append(messages [][]byte) error {
	j.head = j.head[:0]
	for _, m := range messages {
		j.head = binary.LittleEndian.AppendUint32(j.head, uint32(len(m)))
		j.head = binary.LittleEndian.AppendUint32(j.head, crc32.Checksum(m, castagnoli))
		j.head = append(j.head, m...)
	}
	_, err := j.file.WriteAt(j.head, j.size)
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		if cut := j.file.Truncate(j.size); cut != nil {
			return fmt.Errorf("%w: %w", errBroken, errors.Join(err, cut))
		}
		return err
	}
	j.size += int64(len(j.head))
	return nil
}

var errBroken = errors.New("the journal can be neither written nor cut")

// readJournal calls each with the messages of a journal, in order, and returns the
// number of bytes at its end that are not a whole message: what a crash left of
// messages that were never acknowledged. The message is valid during the call.
func readJournal(path string, each func(message []byte) error) (rest int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	var at int64
	var head [journalHead]byte
	var message []byte
	for {
		_, err := f.ReadAt(head[:], at)
		if err == io.EOF {
			return info.Size() - at, nil
		}
		if err != nil {
			return 0, err
		}
		n := binary.LittleEndian.Uint32(head[:])
		if n > maxMessage || at+journalHead+int64(n) > info.Size() {
			return info.Size() - at, nil
		}
		if uint32(cap(message)) < n {
			message = make([]byte, n)
		}
		message = message[:n]
		if _, err := f.ReadAt(message, at+journalHead); err != nil {
			return 0, err
		}
		if crc32.Checksum(message, castagnoli) != binary.LittleEndian.Uint32(head[4:]) {
			return info.Size() - at, nil
		}
		if err := each(message); err != nil {
			return 0, fmt.Errorf("%s, the message at byte %d: %w", path, at, err)
		}
		at += journalHead + int64(n)
	}
}
