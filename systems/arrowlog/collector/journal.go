package collector

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/systems/arrowlog/logfiles"
)

// A journal holds the messages of one file of logs until that file is on the disk.
// Before each stands a head: a mark, the length of the message, its checksum and that
// of the head (both CRC-32C), in four bytes each. By the marks the messages after
// damage are found.
type journal struct {
	file   *os.File
	size   int64 // of what is known to be whole
	buffer []byte
}

const journalHead = 16

// gathered is about how many bytes of small messages are written at a time. Large ones
// are written from where they are.
const gathered = 256 << 10

var journalMark = []byte("\xf0ALJ")

// maxMessage is the largest message in bytes that a journal takes.
const maxMessage = 1 << 28

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// createJournal makes an empty journal. It fails if there is one.
func createJournal(path string) (*journal, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o666)
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
	end := j.size
	write := func(b []byte) error {
		n, err := j.file.WriteAt(b, end)
		end += int64(n)
		return err
	}
	j.buffer = j.buffer[:0]
	var err error
	for _, m := range messages {
		if err != nil {
			break
		}
		j.buffer = appendHead(j.buffer, m)
		if len(m) <= gathered/4 {
			if j.buffer = append(j.buffer, m...); len(j.buffer) < gathered {
				continue
			}
			m = nil
		}
		if err = write(j.buffer); err == nil && len(m) > 0 {
			err = write(m)
		}
		j.buffer = j.buffer[:0]
	}
	if err == nil && len(j.buffer) > 0 {
		err = write(j.buffer)
	}
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		if cut := j.file.Truncate(j.size); cut != nil {
			return fmt.Errorf("%w: %w", errBroken, errors.Join(err, cut))
		}
		return err
	}
	j.size = end
	return nil
}

var errBroken = errors.New("the journal can be neither written nor cut")

func appendHead(b, message []byte) []byte {
	start := len(b)
	b = append(b, journalMark...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(message)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(message, castagnoli))
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[start:], castagnoli))
}

// readHead reads a head, and is false if it is none.
func readHead(b []byte) (length int64, sum uint32, ok bool) {
	if len(b) < journalHead || !bytes.HasPrefix(b, journalMark) || crc32.Checksum(b[:12], castagnoli) != binary.LittleEndian.Uint32(b[12:]) {
		return 0, 0, false
	}
	return int64(binary.LittleEndian.Uint32(b[4:])), binary.LittleEndian.Uint32(b[8:]), true
}

// damage is a part of a journal that is no whole message.
type damage struct{ from, to int64 }

// leftovers are the parts of a journal that are no whole messages.
type leftovers struct {
	damaged []damage // may have been acknowledged
	torn    int64    // bytes of a last message whose end was not written, thus not acknowledged
}

// readJournal calls each with the whole messages of a journal, in order, also with
// those after damage. The message is valid during the call; each returns false if
// the message is not one of logs.
func readJournal(path string, each func(message []byte) (ok bool, err error)) (left leftovers, err error) {
	f, err := os.Open(path)
	if err != nil {
		return left, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return left, err
	}
	size := info.Size()
	bad := int64(-1) // where the damage at hand begins
	end := func(at int64) {
		if bad >= 0 {
			left.damaged = append(left.damaged, damage{bad, at})
			bad = -1
		}
	}
	var head [journalHead]byte
	var message []byte
	for at := int64(0); at < size; {
		n, err := f.ReadAt(head[:min(journalHead, size-at)], at)
		if err != nil && err != io.EOF {
			return left, err
		}
		length, sum, ok := readHead(head[:n])
		switch {
		case bad < 0 && at+int64(n) == size && n < journalHead && isPrefix(head[:n], journalMark):
			left.torn = size - at
			return left, nil
		case ok && length > maxMessage:
			ok = false
		case ok && at+journalHead+length > size: // it was being written
			if bad < 0 {
				left.torn = size - at
				return left, nil
			}
			ok = false
		case ok:
			if int64(cap(message)) < length {
				message = make([]byte, length)
			}
			message = message[:length]
			if _, err := f.ReadAt(message, at+journalHead); err != nil {
				return left, err
			}
			ok = crc32.Checksum(message, castagnoli) == sum
		}
		if ok {
			if ok, err = each(message); err != nil {
				return left, fmt.Errorf("%s, the message at byte %d: %w", path, at, err)
			}
		}
		if ok {
			end(at)
			at += journalHead + length
			continue
		}
		if bad < 0 {
			bad = at
		}
		if at, err = nextMark(f, at+1, size); err != nil {
			return left, err
		}
	}
	end(size)
	return left, nil
}

// isPrefix reports whether b begins as the mark does.
func isPrefix(b, mark []byte) bool {
	n := min(len(b), len(mark))
	return bytes.Equal(b[:n], mark[:n])
}

// nextMark returns where the next mark stands, or size.
func nextMark(r io.ReaderAt, at, size int64) (int64, error) {
	b := make([]byte, 64<<10)
	for at < size {
		n, err := r.ReadAt(b[:min(int64(len(b)), size-at)], at)
		if err != nil && err != io.EOF {
			return 0, err
		}
		if i := bytes.Index(b[:n], journalMark); i >= 0 {
			return at + int64(i), nil
		}
		if at+int64(n) >= size {
			break
		}
		at += int64(n - len(journalMark) + 1)
	}
	return size, nil
}
