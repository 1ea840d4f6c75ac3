package whole

import "math/bits"

// Copies of four loops that do the same work behind some ifs which no call takes,
// or with the clauses of their switch in another order. The number in a name is
// that of the ifs.

//go:noinline
func interpret0(code []byte, acc uint64) uint64 {
	for pc := 0; pc < len(code); pc++ {
		switch code[pc] & 7 {
		case 0:
			acc++
		case 1:
			acc *= 3
		case 2:
			acc ^= acc >> 7
		case 3:
			acc += uint64(pc)
		case 4:
			acc = bits.RotateLeft64(acc, 5)
		case 5:
			if acc&1 == 0 {
				acc += 9
			}
		case 6:
			acc -= 77
		case 7:
			acc |= 4
		}
	}
	return acc
}

//go:noinline
func interpret4(code []byte, acc uint64) uint64 {
	if len(code) == 1 {
		acc += 3
	}
	if acc == 77 {
		acc ^= 4
	}
	if len(code) > 1<<20 {
		acc -= 5
	}
	if acc == 1<<40 {
		acc *= 6
	}
	for pc := 0; pc < len(code); pc++ {
		switch code[pc] & 7 {
		case 0:
			acc++
		case 1:
			acc *= 3
		case 2:
			acc ^= acc >> 7
		case 3:
			acc += uint64(pc)
		case 4:
			acc = bits.RotateLeft64(acc, 5)
		case 5:
			if acc&1 == 0 {
				acc += 9
			}
		case 6:
			acc -= 77
		case 7:
			acc |= 4
		}
	}
	return acc
}

//go:noinline
func interpret7(code []byte, acc uint64) uint64 {
	if len(code) == 1 {
		acc += 3
	}
	if acc == 77 {
		acc ^= 4
	}
	if len(code) > 1<<20 {
		acc -= 5
	}
	if acc == 1<<40 {
		acc *= 6
	}
	if len(code) == 3 {
		acc |= 7
	}
	if len(code) == 7 {
		acc += 8
	}
	if acc == 1006 {
		acc ^= 9
	}
	for pc := 0; pc < len(code); pc++ {
		switch code[pc] & 7 {
		case 0:
			acc++
		case 1:
			acc *= 3
		case 2:
			acc ^= acc >> 7
		case 3:
			acc += uint64(pc)
		case 4:
			acc = bits.RotateLeft64(acc, 5)
		case 5:
			if acc&1 == 0 {
				acc += 9
			}
		case 6:
			acc -= 77
		case 7:
			acc |= 4
		}
	}
	return acc
}

//go:noinline
func interpret11(code []byte, acc uint64) uint64 {
	if len(code) == 1 {
		acc += 3
	}
	if acc == 77 {
		acc ^= 4
	}
	if len(code) > 1<<20 {
		acc -= 5
	}
	if acc == 1<<40 {
		acc *= 6
	}
	if len(code) == 3 {
		acc |= 7
	}
	if len(code) == 7 {
		acc += 8
	}
	if acc == 1006 {
		acc ^= 9
	}
	if len(code) > 1<<27 {
		acc -= 10
	}
	if acc == 1<<48 {
		acc *= 11
	}
	if len(code) == 49 {
		acc |= 12
	}
	if len(code) == 12 {
		acc += 13
	}
	for pc := 0; pc < len(code); pc++ {
		switch code[pc] & 7 {
		case 0:
			acc++
		case 1:
			acc *= 3
		case 2:
			acc ^= acc >> 7
		case 3:
			acc += uint64(pc)
		case 4:
			acc = bits.RotateLeft64(acc, 5)
		case 5:
			if acc&1 == 0 {
				acc += 9
			}
		case 6:
			acc -= 77
		case 7:
			acc |= 4
		}
	}
	return acc
}

//go:noinline
func interpret19(code []byte, acc uint64) uint64 {
	if len(code) == 1 {
		acc += 3
	}
	if acc == 77 {
		acc ^= 4
	}
	if len(code) > 1<<20 {
		acc -= 5
	}
	if acc == 1<<40 {
		acc *= 6
	}
	if len(code) == 3 {
		acc |= 7
	}
	if len(code) == 7 {
		acc += 8
	}
	if acc == 1006 {
		acc ^= 9
	}
	if len(code) > 1<<27 {
		acc -= 10
	}
	if acc == 1<<48 {
		acc *= 11
	}
	if len(code) == 49 {
		acc |= 12
	}
	if len(code) == 12 {
		acc += 13
	}
	if acc == 1011 {
		acc ^= 14
	}
	if len(code) > 1<<24 {
		acc -= 15
	}
	if acc == 1<<53 {
		acc *= 16
	}
	if len(code) == 54 {
		acc |= 17
	}
	if len(code) == 17 {
		acc += 18
	}
	if acc == 1016 {
		acc ^= 19
	}
	if len(code) > 1<<21 {
		acc -= 20
	}
	if acc == 1<<58 {
		acc *= 21
	}
	for pc := 0; pc < len(code); pc++ {
		switch code[pc] & 7 {
		case 0:
			acc++
		case 1:
			acc *= 3
		case 2:
			acc ^= acc >> 7
		case 3:
			acc += uint64(pc)
		case 4:
			acc = bits.RotateLeft64(acc, 5)
		case 5:
			if acc&1 == 0 {
				acc += 9
			}
		case 6:
			acc -= 77
		case 7:
			acc |= 4
		}
	}
	return acc
}

//go:noinline
func reversed(code []byte, acc uint64) uint64 {
	for pc := 0; pc < len(code); pc++ {
		switch code[pc] & 7 {
		case 7:
			acc |= 4
		case 6:
			acc -= 77
		case 5:
			if acc&1 == 0 {
				acc += 9
			}
		case 4:
			acc = bits.RotateLeft64(acc, 5)
		case 3:
			acc += uint64(pc)
		case 2:
			acc ^= acc >> 7
		case 1:
			acc *= 3
		case 0:
			acc++
		}
	}
	return acc
}

//go:noinline
func stack0(code []byte, acc uint64) uint64 {
	var stack [16]uint64
	top := 0
	for _, op := range code {
		switch {
		case op < 96:
			top = (top + 1) & 15
			stack[top] = uint64(op) + acc
		case op < 160:
			acc += stack[top]
			top = (top - 1) & 15
		case op < 200:
			stack[top] ^= stack[(top-1)&15]
		case op < 230:
			acc ^= acc << 3
		default:
			acc += 5
		}
	}
	return acc + stack[top]
}

//go:noinline
func stack13(code []byte, acc uint64) uint64 {
	if len(code) == 1 {
		acc += 3
	}
	if acc == 77 {
		acc ^= 4
	}
	if len(code) > 1<<20 {
		acc -= 5
	}
	if acc == 1<<40 {
		acc *= 6
	}
	if len(code) == 3 {
		acc |= 7
	}
	if len(code) == 7 {
		acc += 8
	}
	if acc == 1006 {
		acc ^= 9
	}
	if len(code) > 1<<27 {
		acc -= 10
	}
	if acc == 1<<48 {
		acc *= 11
	}
	if len(code) == 49 {
		acc |= 12
	}
	if len(code) == 12 {
		acc += 13
	}
	if acc == 1011 {
		acc ^= 14
	}
	if len(code) > 1<<24 {
		acc -= 15
	}
	var stack [16]uint64
	top := 0
	for _, op := range code {
		switch {
		case op < 96:
			top = (top + 1) & 15
			stack[top] = uint64(op) + acc
		case op < 160:
			acc += stack[top]
			top = (top - 1) & 15
		case op < 200:
			stack[top] ^= stack[(top-1)&15]
		case op < 230:
			acc ^= acc << 3
		default:
			acc += 5
		}
	}
	return acc + stack[top]
}

//go:noinline
func scan0(code []byte, acc uint64) uint64 {
	word := false
	for _, c := range code {
		if c >= 'a' && c <= 'z' {
			if !word {
				acc++
			}
			word = true
		} else if c >= '0' && c <= '9' {
			acc = acc*10 + uint64(c-'0')
		} else if c == ' ' || c == '.' || c == ',' {
			word = false
		} else {
			acc ^= uint64(c)
		}
	}
	return acc
}

//go:noinline
func scan6(code []byte, acc uint64) uint64 {
	if len(code) == 1 {
		acc += 3
	}
	if acc == 77 {
		acc ^= 4
	}
	if len(code) > 1<<20 {
		acc -= 5
	}
	if acc == 1<<40 {
		acc *= 6
	}
	if len(code) == 3 {
		acc |= 7
	}
	if len(code) == 7 {
		acc += 8
	}
	word := false
	for _, c := range code {
		if c >= 'a' && c <= 'z' {
			if !word {
				acc++
			}
			word = true
		} else if c >= '0' && c <= '9' {
			acc = acc*10 + uint64(c-'0')
		} else if c == ' ' || c == '.' || c == ',' {
			word = false
		} else {
			acc ^= uint64(c)
		}
	}
	return acc
}
