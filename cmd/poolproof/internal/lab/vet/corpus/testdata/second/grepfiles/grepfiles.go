// Package grepfiles searches files.
package grepfiles

import (
	"bufio"
	"io"
	"os"
	"strings"
	"sync"
)

var windows = sync.Pool{New: func() any { b := make([]byte, 64<<10); return &b }}

func scanner(r io.Reader) *bufio.Scanner {
	bp := windows.Get().(*[]byte)
	defer windows.Put(bp)
	sc := bufio.NewScanner(r)
	sc.Buffer(*bp, 1<<20)
	return sc // want "PV003"
}

// Grep returns the lines of the file that have the text.
func Grep(name, text string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var found []string
	sc := scanner(f)
	for sc.Scan() {
		if strings.Contains(sc.Text(), text) {
			found = append(found, sc.Text())
		}
	}
	return found, sc.Err()
}
