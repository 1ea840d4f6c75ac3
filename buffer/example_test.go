package buffer_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"

	"github.com/poolproof/poolproof/buffer"
)

// buffers is the program's only pool of buffers.
var buffers = buffer.New(buffer.Options{})

// A function that works in a pooled buffer and returns a copy of the result.
func Example() {
	render := func(words ...string) []byte {
		b := buffers.Append()
		for _, word := range words {
			b.WriteString(word)
			b.WriteByte(';')
		}
		return b.CopyAndRelease() // a copy of exactly the length; b is released
	}
	fmt.Printf("%s %s\n", render("one", "two"), render("three"))
	// Output: one;two; three;
}

// The pair of functions that many programs have around a pool is one line each.
func Example_pair() {
	b := GetBuffer()
	fmt.Println(len(*b))
	copy(*b, "a secret")
	PutBuffer(b)

	b = GetBuffer()
	fmt.Println(bytes.Contains(*b, []byte("secret")))
	PutBuffer(b)
	// Output:
	// 9000
	// false
}

func ExamplePool_Get() {
	b := buffers.Get(hex.EncodedLen(4))
	defer b.Release()
	hex.Encode(b.Bytes(), []byte{0xCA, 0xFE, 0xBA, 0xBE})
	fmt.Println(b.String())
	// Output: cafebabe
}

func ExamplePool_Append() {
	b := buffers.Append()
	defer b.Release()
	b.WriteString("squares:")
	for i := range 4 {
		b.WriteByte(' ')
		b.Write(strconv.AppendInt(b.AvailableBuffer(), int64(i*i), 10))
	}
	fmt.Println(b.String())
	// Output: squares: 0 1 4 9
}

func ExamplePool_Sized() {
	headers := buffers.Sized(16)

	b := headers.Get()
	if _, err := io.ReadFull(strings.NewReader("16 bytes of head, and a body"), b.Bytes()); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%q\n", b.Bytes())
	b.Release()
	// Output: "16 bytes of head"
}

// A datagram is read into a buffer that holds the longest one. Only what has
// arrived is cleared when the buffer is released.
func ExampleBuffer_Fill() {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer conn.Close()
	if _, err := conn.WriteTo([]byte("a datagram"), conn.LocalAddr()); err != nil {
		fmt.Println(err)
		return
	}

	datagrams := buffers.Sized(9000)
	b := datagrams.Get()
	defer b.Release()
	var from net.Addr
	n, err := b.Fill(func(p []byte) (n int, err error) {
		n, from, err = conn.ReadFrom(p)
		return n, err
	})
	fmt.Println(n, err, b.String(), from.String() == conn.LocalAddr().String())
	// Output: 10 <nil> a datagram true
}

// What leaves the function that releases the buffer must be a copy. With a
// deferred Release, Bytes would return memory of the next owner.
func ExampleBuffer_CopyAndRelease() {
	firstLine := func(r io.Reader) ([]byte, error) {
		b := buffers.Append()
		if _, err := b.ReadFrom(r); err != nil {
			b.Release()
			return nil, err
		}
		if i := bytes.IndexByte(b.Bytes(), '\n'); i >= 0 {
			b.Truncate(i)
		}
		return b.CopyAndRelease(), nil
	}
	line, err := firstLine(strings.NewReader("first\nsecond\n"))
	fmt.Println(string(line), len(line) == cap(line), err)
	// Output: first true <nil>
}

// One message goes to many readers without a copy. The last of them gives the
// memory back.
func ExampleBuffer_Share() {
	b := buffers.Append()
	b.WriteString("a message to all")
	message := b.Share()

	var readers sync.WaitGroup
	lengths := make(chan int, 3)
	for range cap(lengths) {
		mine := message.Retain() // before the goroutine starts
		readers.Go(func() {
			defer mine.Release()
			lengths <- len(mine.Bytes())
		})
	}
	message.Release()
	readers.Wait()
	fmt.Println(<-lengths, <-lengths, <-lengths)
	// Output: 16 16 16
}

// Own is how a reader becomes a writer: without a copy if there is no other reader.
func ExampleShared_Own() {
	b := buffers.Append()
	b.WriteString("header:body")
	whole := b.Share()
	body := whole.Slice(7, 11)
	whole.Release()

	own := body.Own()
	own.WriteString(" and more")
	fmt.Println(own.String())
	own.Release()
	// Output: body and more
}

func ExamplePool_Copy() {
	var out strings.Builder
	n, err := buffers.Copy(&out, io.LimitReader(strings.NewReader("as much as is allowed, no more"), 21))
	fmt.Println(n, err, out.String())
	// Output: 21 <nil> as much as is allowed
}

// For interfaces that pass plain slices.
func ExamplePool_Bytes() {
	b := buffers.Bytes(5)
	copy(b, "plain")
	fmt.Printf("%s\n", b)
	fmt.Println(buffers.Free(b))
	fmt.Println(buffers.Free(make([]byte, 3000))) // not of this pool
	// Output:
	// plain
	// true
	// false
}
