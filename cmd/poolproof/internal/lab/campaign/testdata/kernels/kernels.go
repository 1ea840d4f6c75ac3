// Package kernels holds pairs of functions that do the same work in the same
// way. The second of a pair differs by what never runs (an if that is not taken,
// dead code) or by another function above it. So a verdict that rests on time
// alone, beyond 3 %, is wrong for each of them.
package kernels

// never is false; the compiler does not know.
var never bool

// sorted is the slice that search looks through.
var sorted = func() (s [128]int) {
	for i := range s {
		s[i] = 2 * i
	}
	return s
}()

//go:noinline
func adlerPlain(data []byte) uint32 {
	a, b := uint32(1), uint32(0)
	for _, c := range data {
		a = (a + uint32(c)) % 65521
		b = (b + a) % 65521
	}
	return b<<16 | a
}

//go:noinline
func adlerDead(data []byte) uint32 {
	if never {
		data = data[:len(data)/2]
	}
	if len(data) > 1<<30 {
		panic("too long")
	}
	a, b := uint32(1), uint32(0)
	for _, c := range data {
		a = (a + uint32(c)) % 65521
		b = (b + a) % 65521
	}
	return b<<16 | a
}

//go:noinline
func searchPlain(data []byte) int {
	found := 0
	for _, c := range data {
		lo, hi := 0, len(sorted)
		for lo < hi {
			mid := int(uint(lo+hi) >> 1)
			if sorted[mid] < int(c) {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		found += lo
	}
	return found
}

//go:noinline
func searchDead(data []byte) int {
	if never {
		return -1
	}
	found := 0
	for _, c := range data {
		lo, hi := 0, len(sorted)
		for lo < hi {
			mid := int(uint(lo+hi) >> 1)
			if sorted[mid] < int(c) {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		found += lo
	}
	return found
}

//go:noinline
func runesPlain(data []byte) int {
	n := 0
	for i := 0; i < len(data); n++ {
		switch c := data[i]; {
		case c < 0x80:
			i++
		case c < 0xE0:
			i += 2
		case c < 0xF0:
			i += 3
		default:
			i += 4
		}
	}
	return n
}

//go:noinline
func runesDead(data []byte) int {
	if never {
		for i := range data {
			data[i] ^= 0x55
		}
	}
	n := 0
	for i := 0; i < len(data); n++ {
		switch c := data[i]; {
		case c < 0x80:
			i++
		case c < 0xE0:
			i += 2
		case c < 0xF0:
			i += 3
		default:
			i += 4
		}
	}
	return n
}

//go:noinline
func gcdPlain(data []byte) int {
	sum := 0
	for i, c := range data {
		a, b := int(c)*7919+i, 40320
		for b != 0 {
			a, b = b, a%b
		}
		sum += a
	}
	return sum
}

//go:noinline
func aboveGcd(data []byte) int {
	n := 1
	for _, c := range data {
		n = n*31 + int(c)
	}
	return n
}

//go:noinline
func gcdDead(data []byte) int {
	sum := 0
	for i, c := range data {
		a, b := int(c)*7919+i, 40320
		for b != 0 {
			a, b = b, a%b
		}
		sum += a
	}
	return sum
}

// keepGcd keeps the function above.
var keepGcd = aboveGcd

//go:noinline
func matrixPlain(data []byte) float64 {
	var a, b, c [8][8]float64
	for i := range 64 {
		a[i/8][i%8], b[i/8][i%8] = float64(data[i]), float64(data[64+i])
	}
	for i := range 8 {
		for j := range 8 {
			for k := range 8 {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c[3][5] + c[7][0]
}

//go:noinline
func matrixDead(data []byte) float64 {
	if never && len(data) > 3 {
		data[0], data[1], data[2] = 1, 2, 3
	}
	var a, b, c [8][8]float64
	for i := range 64 {
		a[i/8][i%8], b[i/8][i%8] = float64(data[i]), float64(data[64+i])
	}
	for i := range 8 {
		for j := range 8 {
			for k := range 8 {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c[3][5] + c[7][0]
}

//go:noinline
func insertionPlain(data []byte) byte {
	var s [96]byte
	copy(s[:], data)
	for i := 1; i < len(s); i++ {
		v, j := s[i], i
		for j > 0 && s[j-1] > v {
			s[j] = s[j-1]
			j--
		}
		s[j] = v
	}
	return s[48]
}

//go:noinline
func insertionDead(data []byte) byte {
	if never {
		println(len(data))
	}
	var s [96]byte
	copy(s[:], data)
	for i := 1; i < len(s); i++ {
		v, j := s[i], i
		for j > 0 && s[j-1] > v {
			s[j] = s[j-1]
			j--
		}
		s[j] = v
	}
	return s[48]
}

//go:noinline
func distancePlain(data []byte) int {
	var row [25]int
	for j := range row {
		row[j] = j
	}
	for i := range 24 {
		diagonal := row[0]
		row[0] = i + 1
		for j := range 24 {
			cost := diagonal
			if data[i] != data[24+j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[24]
}

//go:noinline
func distanceDead(data []byte) int {
	if never {
		return len(data)
	}
	if data == nil {
		return 0
	}
	var row [25]int
	for j := range row {
		row[j] = j
	}
	for i := range 24 {
		diagonal := row[0]
		row[0] = i + 1
		for j := range 24 {
			cost := diagonal
			if data[i] != data[24+j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[24]
}

//go:noinline
func shiftPlain(data []byte) uint64 {
	x := uint64(88172645463325252)
	for range 1000 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		if x&1 != 0 {
			x += uint64(data[x>>61])
		}
	}
	return x
}

//go:noinline
func shiftDead(data []byte) uint64 {
	if never {
		data = data[4:]
	}
	x := uint64(88172645463325252)
	for range 1000 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		if x&1 != 0 {
			x += uint64(data[x>>61])
		}
	}
	return x
}

//go:noinline
func wordsPlain(data []byte) int {
	n, inside := 0, false
	for _, c := range data {
		if c == ' ' || c == '\n' || c == '\t' {
			inside = false
		} else if !inside {
			inside = true
			n++
		}
	}
	return n
}

//go:noinline
func aboveWords(data []byte) int {
	n := 1
	for _, c := range data {
		n = n*31 + int(c)
	}
	return n
}

//go:noinline
func wordsDead(data []byte) int {
	n, inside := 0, false
	for _, c := range data {
		if c == ' ' || c == '\n' || c == '\t' {
			inside = false
		} else if !inside {
			inside = true
			n++
		}
	}
	return n
}

// keepWords keeps the function above.
var keepWords = aboveWords

func placePlain(n int, columns, left, right uint) int {
	full := uint(1)<<n - 1
	if columns == full {
		return 1
	}
	count := 0
	for free := full &^ (columns | left | right); free != 0; {
		bit := free & -free
		free &^= bit
		count += placePlain(n, columns|bit, (left|bit)<<1, (right|bit)>>1)
	}
	return count
}

//go:noinline
func queensPlain(data []byte) int {
	return placePlain(6, 0, 0, 0) + int(data[0])
}

//go:noinline
func aboveQueens(data []byte) int {
	if never {
		return 2
	}
	return len(data)
}

func placeDead(n int, columns, left, right uint) int {
	full := uint(1)<<n - 1
	if columns == full {
		return 1
	}
	count := 0
	for free := full &^ (columns | left | right); free != 0; {
		bit := free & -free
		free &^= bit
		count += placeDead(n, columns|bit, (left|bit)<<1, (right|bit)>>1)
	}
	return count
}

//go:noinline
func queensDead(data []byte) int {
	return placeDead(6, 0, 0, 0) + int(data[0])
}

// keepQueens keeps the function above.
var keepQueens = aboveQueens
