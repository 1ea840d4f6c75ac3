package arrowlog

import (
	"math/big"
	"strconv"
)

// appendDecimal appends n with so many digits after the point.
func appendDecimal(dst []byte, n *big.Int, scale int) []byte {
	if n.Sign() < 0 {
		dst = append(dst, '-')
	}
	start := len(dst)
	dst = new(big.Int).Abs(n).Append(dst, 10)
	if scale == 0 {
		return dst
	}
	for len(dst)-start <= scale { // a digit before the point
		dst = append(dst, 0)
		copy(dst[start+1:], dst[start:])
		dst[start] = '0'
	}
	point := len(dst) - scale
	dst = append(dst, 0)
	copy(dst[point+1:], dst[point:])
	dst[point] = '.'
	return dst
}

// parseDecimal returns the number nearest to a text of digits.
func parseDecimal(text []byte) (Value, error) {
	f, err := strconv.ParseFloat(string(text), 64)
	return Float64Value(f), err
}
