// Package drawn holds a second draw of pairs as in package kernels: the same work
// in the same way, the second of a pair with code that never runs before its
// loop, after it, or above the function.
package drawn

import (
	"encoding/binary"
	"hash/crc32"
)

// never is false; the compiler does not know.
var never bool

var crcTable = crc32.MakeTable(crc32.Castagnoli)

// weights is the map that lookup reads.
var weights = func() map[byte]int {
	m := map[byte]int{}
	for c := byte('a'); c <= 'z'; c += 2 {
		m[c] = int(c)
	}
	return m
}()

// scanPlain counts the lines of a text that hold a letter z.
//
//go:noinline
func scanPlain(data []byte) uint64 {
	sum := uint64(0)
	for start := 0; start < len(data); {
		end := start
		seen := false
		for end < len(data) && data[end] != '\n' {
			seen = seen || data[end] == 'z'
			end++
		}
		if seen {
			sum++
		}
		start = end + 1
	}
	return sum
}

//go:noinline
func scanDead(data []byte) uint64 {
	if never {
		data = data[:len(data)/2]
	}
	sum := uint64(0)
	for start := 0; start < len(data); {
		end := start
		seen := false
		for end < len(data) && data[end] != '\n' {
			seen = seen || data[end] == 'z'
			end++
		}
		if seen {
			sum++
		}
		start = end + 1
	}
	return sum
}

// lookupPlain adds up what a map holds for each letter.
//
//go:noinline
func lookupPlain(data []byte) uint64 {
	sum := uint64(0)
	for _, c := range data {
		sum += uint64(weights[c])
	}
	return sum
}

//go:noinline
func lookupDead(data []byte) uint64 {
	if len(data) > 1<<30 {
		panic("too long")
	}
	sum := uint64(0)
	for _, c := range data {
		sum += uint64(weights[c])
	}
	return sum
}

// bitsPlain counts bits by clearing the lowest one.
//
//go:noinline
func bitsPlain(data []byte) uint64 {
	sum := uint64(0)
	for i := 0; i+8 <= len(data); i += 8 {
		for x := binary.LittleEndian.Uint64(data[i:]); x != 0; x &= x - 1 {
			sum++
		}
	}
	return sum
}

//go:noinline
func bitsDead(data []byte) uint64 {
	switch {
	case never && len(data) > 7:
		data = append(data, 1, 2, 3)
	case len(data) > 1<<29:
		return 1
	}
	sum := uint64(0)
	for i := 0; i+8 <= len(data); i += 8 {
		for x := binary.LittleEndian.Uint64(data[i:]); x != 0; x &= x - 1 {
			sum++
		}
	}
	return sum
}

// fnvPlain is a hash, byte by byte.
//
//go:noinline
func fnvPlain(data []byte) uint64 {
	sum := uint64(14695981039346656037)
	for _, c := range data {
		sum = (sum ^ uint64(c)) * 1099511628211
	}
	return sum
}

//go:noinline
func fnvAbove(data []byte) uint64 {
	if len(data) == 0 {
		return 3
	}
	return uint64(data[0]) * 7
}

//go:noinline
func fnvDead(data []byte) uint64 {
	sum := uint64(14695981039346656037)
	for _, c := range data {
		sum = (sum ^ uint64(c)) * 1099511628211
	}
	if never {
		println(len(data), cap(data))
	}
	return sum
}

// shellPlain sorts a copy by gaps.
//
//go:noinline
func shellPlain(data []byte) uint64 {
	var own [96]byte
	n := copy(own[:], data)
	for gap := n / 2; gap > 0; gap /= 2 {
		for i := gap; i < n; i++ {
			x, j := own[i], i
			for ; j >= gap && own[j-gap] > x; j -= gap {
				own[j] = own[j-gap]
			}
			own[j] = x
		}
	}
	sum := uint64(own[n/2])
	return sum
}

//go:noinline
func shellDead(data []byte) uint64 {
	if never {
		data = data[:len(data)/2]
	}
	if len(data) > 1<<30 {
		panic("too long")
	}
	var own [96]byte
	n := copy(own[:], data)
	for gap := n / 2; gap > 0; gap /= 2 {
		for i := gap; i < n; i++ {
			x, j := own[i], i
			for ; j >= gap && own[j-gap] > x; j -= gap {
				own[j] = own[j-gap]
			}
			own[j] = x
		}
	}
	sum := uint64(own[n/2])
	return sum
}

// statesPlain is an automaton for quoted fields.
//
//go:noinline
func statesPlain(data []byte) uint64 {
	const plain, quoted, escaped = 0, 1, 2
	state, sum := plain, uint64(0)
	for _, c := range data {
		switch state {
		case plain:
			if c == 'o' {
				state = quoted
			}
		case quoted:
			switch c {
			case 'o':
				state = plain
				sum++
			case 'u':
				state = escaped
			}
		case escaped:
			state = quoted
		}
	}
	return sum
}

//go:noinline
func statesDead(data []byte) uint64 {
	if len(data) > 1<<30 {
		panic("too long")
	}
	const plain, quoted, escaped = 0, 1, 2
	state, sum := plain, uint64(0)
	for _, c := range data {
		switch state {
		case plain:
			if c == 'o' {
				state = quoted
			}
		case quoted:
			switch c {
			case 'o':
				state = plain
				sum++
			case 'u':
				state = escaped
			}
		case escaped:
			state = quoted
		}
	}
	if never {
		println(len(data), cap(data))
	}
	return sum
}

// numbersPlain reads letters as digits of numbers that blanks part.
//
//go:noinline
func numbersPlain(data []byte) uint64 {
	sum, number := uint64(0), uint64(0)
	for _, c := range data {
		switch {
		case c >= 'a' && c <= 'j':
			number = number*10 + uint64(c-'a')
		case c == ' ' || c == '\n':
			sum += number
			number = 0
		case c > 'p':
			number ^= uint64(c)
		}
	}
	return sum
}

//go:noinline
func numbersDead(data []byte) uint64 {
	switch {
	case never && len(data) > 7:
		data = append(data, 1, 2, 3)
	case len(data) > 1<<29:
		return 1
	}
	if len(data) > 1<<30 {
		panic("too long")
	}
	sum, number := uint64(0), uint64(0)
	for _, c := range data {
		switch {
		case c >= 'a' && c <= 'j':
			number = number*10 + uint64(c-'a')
		case c == ' ' || c == '\n':
			sum += number
			number = 0
		case c > 'p':
			number ^= uint64(c)
		}
	}
	return sum
}

// crcPlain is a checksum by a table.
//
//go:noinline
func crcPlain(data []byte) uint64 {
	crc := ^uint32(0)
	for _, c := range data {
		crc = crcTable[byte(crc)^c] ^ crc>>8
	}
	sum := uint64(crc)
	return sum
}

//go:noinline
func crcAbove(data []byte) uint64 {
	if len(data) == 0 {
		return 3
	}
	return uint64(data[0]) * 7
}

//go:noinline
func crcDead(data []byte) uint64 {
	if never {
		data = data[:len(data)/2]
	}
	crc := ^uint32(0)
	for _, c := range data {
		crc = crcTable[byte(crc)^c] ^ crc>>8
	}
	sum := uint64(crc)
	if never {
		println(len(data), cap(data))
	}
	return sum
}

// hornerPlain evaluates polynomials in floating point.
//
//go:noinline
func hornerPlain(data []byte) uint64 {
	total := 0.0
	for i := 0; i < 8; i++ {
		x, y := 0.1*float64(i), 0.0
		for _, c := range data {
			y = y*x + float64(c)
		}
		total += y
	}
	sum := uint64(total)
	return sum
}

//go:noinline
func hornerDead(data []byte) uint64 {
	if len(data) > 1<<30 {
		panic("too long")
	}
	if never {
		data = data[:len(data)/2]
	}
	total := 0.0
	for i := 0; i < 8; i++ {
		x, y := 0.1*float64(i), 0.0
		for _, c := range data {
			y = y*x + float64(c)
		}
		total += y
	}
	sum := uint64(total)
	return sum
}

// escapePlain counts steps until a point escapes.
//
//go:noinline
func escapePlain(data []byte) uint64 {
	sum := uint64(0)
	for i := range data {
		cr, ci := float64(i)/64-1.5, 0.3
		zr, zi := 0.0, 0.0
		for range 32 {
			zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
			if zr*zr+zi*zi > 4 {
				break
			}
			sum++
		}
	}
	return sum
}

//go:noinline
func escapeDead(data []byte) uint64 {
	switch {
	case never && len(data) > 7:
		data = append(data, 1, 2, 3)
	case len(data) > 1<<29:
		return 1
	}
	sum := uint64(0)
	for i := range data {
		cr, ci := float64(i)/64-1.5, 0.3
		zr, zi := 0.0, 0.0
		for range 32 {
			zr, zi = zr*zr-zi*zi+cr, 2*zr*zi+ci
			if zr*zr+zi*zi > 4 {
				break
			}
			sum++
		}
	}
	if never {
		println(len(data), cap(data))
	}
	return sum
}

// sievePlain counts primes.
//
//go:noinline
func sievePlain(data []byte) uint64 {
	var composite [512]bool
	sum := uint64(len(data))
	for i := 2; i < len(composite); i++ {
		if composite[i] {
			continue
		}
		sum++
		for j := i * i; j < len(composite); j += i {
			composite[j] = true
		}
	}
	return sum
}

//go:noinline
func sieveDead(data []byte) uint64 {
	if never {
		data = data[:len(data)/2]
	}
	switch {
	case never && len(data) > 7:
		data = append(data, 1, 2, 3)
	case len(data) > 1<<29:
		return 1
	}
	var composite [512]bool
	sum := uint64(len(data))
	for i := 2; i < len(composite); i++ {
		if composite[i] {
			continue
		}
		sum++
		for j := i * i; j < len(composite); j += i {
			composite[j] = true
		}
	}
	return sum
}

// matchPlain is the length of the longest match with what came before.
//
//go:noinline
func matchPlain(data []byte) uint64 {
	sum := uint64(0)
	for i := 16; i < len(data); i++ {
		best := 0
		for j := i - 16; j < i; j++ {
			n := 0
			for i+n < len(data) && data[i+n] == data[j+n] && n < 12 {
				n++
			}
			best = max(best, n)
		}
		sum += uint64(best)
	}
	return sum
}

//go:noinline
func matchAbove(data []byte) uint64 {
	if len(data) == 0 {
		return 3
	}
	return uint64(data[0]) * 7
}

//go:noinline
func matchDead(data []byte) uint64 {
	sum := uint64(0)
	for i := 16; i < len(data); i++ {
		best := 0
		for j := i - 16; j < i; j++ {
			n := 0
			for i+n < len(data) && data[i+n] == data[j+n] && n < 12 {
				n++
			}
			best = max(best, n)
		}
		sum += uint64(best)
	}
	if never {
		println(len(data), cap(data))
	}
	if len(data) > 1<<28 {
		panic("too long")
	}
	return sum
}
