package arrowlog

import "errors"

// maxBatch is the size in bytes of texts at which a batch of several rows is read
// again with fewer of them: a few bytes of a file can stand for rows without end.
// Tests lower it.
var maxBatch = 64 << 20

// errBatch asks for fewer rows.
var errBatch = errors.New("the rows of a batch take too much memory")

// batchSize counts the texts of a batch of so many rows.
type batchSize struct{ bytes, rows int }

// add counts a text.
func (b *batchSize) add(n int) error {
	b.bytes += n
	if b.bytes > maxBatch && b.rows > 1 {
		return errBatch
	}
	return nil
}
