// Package size is for the tests of package mutate.
package size

const (
	most  = 10
	least = 1
)

// Of returns a size without its sign.
func Of(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// Store stores a size.
func Store(to *int, n int) { *to = n }

// First returns its first argument.
func First(n, unused int) int { return n }

// NotThree tells whether n is another number.
func NotThree(n int) bool { return n != 3 }

// Small counts the rows that have only small numbers.
func Small(rows [][]int) (count int) {
next:
	for _, row := range rows {
		for _, n := range row {
			if n < least || n > most {
				continue next
			}
		}
		count++
	}
	return count
}
