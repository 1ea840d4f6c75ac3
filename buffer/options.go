package buffer

import (
	"fmt"

	"github.com/poolproof/poolproof/pool"
)

// Zero says when the memory of a Pool is cleared.
type Zero uint8

const (
	// ZeroDefault is ZeroUsed for what a Sized hands out and ZeroNone for all
	// else. The two never share memory.
	ZeroDefault Zero = iota

	// ZeroNone never clears: Get returns what the last owner left.
	ZeroNone

	// ZeroGet clears on the way out: each Get, GetPtr, Bytes and Resize reads as
	// what make returns. What the last owner wrote stays in the pool until then,
	// and beyond the length it stays for longer.
	ZeroGet

	// ZeroUsed clears on the way in, as much as the owner may have written: what
	// Write and its kin wrote, what Fill's function said it had written, and all
	// that Bytes, AvailableBuffer and ReadFrom exposed. Memory that waits in the
	// pool is zero throughout, so that a secret does not outlive its Release.
	ZeroUsed

	// ZeroFull clears the whole capacity on the way in, whatever was exposed.
	ZeroFull
)

// String returns the name of z without the prefix Zero, in lower case.
func (z Zero) String() string {
	names := [...]string{"default", "none", "get", "used", "full"}
	if int(z) < len(names) {
		return names[z]
	}
	return fmt.Sprintf("Zero(%d)", uint8(z))
}

// Options say what a Pool keeps, clears and counts. The zero value is a good
// one: classes to 1 MiB, nothing kept across garbage collections, nothing
// counted but misses.
type Options struct {
	// Name, if it is not empty, puts the pool on the list of [All],
	// and is how panics and statistics call it. Names need not differ.
	Name string

	// Max is the size in bytes of the largest buffer that is kept, rounded up to
	// a class. Larger ones are made for each Get, never kept, and counted
	// (Stats.Oversize). 0 means 1 MiB, or the last of Classes.
	Max int

	// Classes are the sizes that memory comes in, in bytes: ascending multiples
	// of 64, at most 256 of them. Nil means about four for each doubling; see
	// the package documentation.
	Classes []int

	// Zero says when memory is cleared.
	Zero Zero

	// Reserve is the number of bytes that the pool may keep across garbage
	// collections, of all classes together. 0 keeps nothing: a buffer that no Get
	// takes during two collections is dropped. Only what was missed after a
	// collection enters the reserve, and what no Get takes during 8 collections
	// leaves it.
	Reserve int64

	// Start is the size in bytes that Append begins with, rounded up to a class.
	// 0 means that it is learned from the final lengths of the buffers that
	// Append returned before.
	Start int

	// Stats selects what is counted beyond misses, drops and refusals.
	Stats pool.StatsLevel
}

const (
	defaultMax   = 1 << 20
	defaultStart = 4 << 10

	// largestClass is 1 TiB, or 1 GiB where an int has 32 bits.
	largestClass = 1 << (30 + 10*(^uint(0)>>63))

	// largestSize is the most that one buffer can hold, whatever its pool keeps:
	// make refuses more in words that name no buffer.
	largestSize = largestClass
)

// resolve returns o with defaults in place of zeros. It panics, naming the field
// and the value, if o asks for what cannot be.
func (o Options) resolve() Options {
	if o.Zero > ZeroFull {
		invalid("Zero", o.Zero, "it must be one of ZeroDefault to ZeroFull")
	}
	o.Classes, o.Max = resolveClasses(o.Classes, o.Max)
	switch {
	case o.Reserve < 0:
		invalid("Reserve", o.Reserve, "it must not be negative")
	case o.Start < 0:
		invalid("Start", o.Start, "it must not be negative")
	case o.Start > o.Max:
		invalid("Start", o.Start, fmt.Sprintf("it must not exceed Max, which is %d", o.Max))
	case o.Stats > pool.Leaks:
		invalid("Stats", o.Stats, "it must be pool.Misses, pool.Uses or pool.Leaks")
	}
	return o
}

// resolveClasses checks Options.Classes and Options.Max and returns the classes
// of a pool, ascending, and the size of the last one.
func resolveClasses(classes []int, limit int) ([]int, int) {
	if limit != 0 && limit < grain {
		invalid("Max", limit, fmt.Sprintf("it must be at least %d", grain))
	}
	if limit > largestClass {
		invalid("Max", limit, fmt.Sprintf("it must be at most %d", largestClass))
	}
	if classes == nil {
		if limit == 0 {
			return defaultIndex.sizes, defaultMax
		}
		classes = defaultClasses(limit)
		return classes, classes[len(classes)-1]
	}

	if len(classes) == 0 || len(classes) > maxClasses {
		invalid("Classes", classes, fmt.Sprintf("there must be from 1 to %d of them", maxClasses))
	}
	for i, size := range classes {
		field := fmt.Sprintf("Classes[%d]", i)
		switch {
		case size < grain || size > largestClass:
			invalid(field, size, fmt.Sprintf("it must be from %d to %d", grain, largestClass))
		case size%grain != 0:
			invalid(field, size, fmt.Sprintf("it must be a multiple of %d", grain))
		case i > 0 && size <= classes[i-1]:
			invalid(field, size, fmt.Sprintf("it must be larger than the class before it, %d", classes[i-1]))
		}
	}
	last := classes[len(classes)-1]
	if limit > last {
		invalid("Max", limit, fmt.Sprintf("it must not exceed the last of Classes, %d", last))
	}
	kept := make([]int, 0, len(classes)) // the caller may change its slice later
	for _, size := range classes {
		kept = append(kept, size)
		if limit != 0 && size >= limit {
			break
		}
	}
	return kept, kept[len(kept)-1]
}

func invalid(field string, value any, rule string) {
	panic(fmt.Sprintf("buffer: Options.%s is %v: %s", field, value, rule))
}
