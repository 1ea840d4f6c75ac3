// Package names is every place where the analysis goes by a name: what code means cannot
// always be seen in what it does. Names excuse far more often than they accuse;
// docs/vet.md lists them.
package names

import (
	"go/types"
	"regexp"
	"slices"
	"strings"
)

// releaseVerbs begin the names of functions that end what they are given.
var releaseVerbs = []string{
	"put", "free", "release", "recycle", "return", "giveback", "close", "done", "dispose", "drop", "reuse", "discard",
	"destroy", "unref", "cleanup", "finish", "end", "stop", "shutdown", "giveup", "repool", "restore", "deallocate", "decref",
}

// IsRelease reports whether a function is named as one that ends what it is given. It
// excuses: such a function may end the object in a way that is not seen. It accuses a function that
// returns nothing, and leaves out what its callers bring as a rule.
func IsRelease(name string) bool {
	name = strings.TrimPrefix(strings.ToLower(strings.TrimLeft(name, "_")), "must") // MustClose
	return hasAnyPrefix(name, releaseVerbs)
}

// putNames are the counterparts of Get.
var putNames = []string{"Put", "Free", "Release", "Recycle", "Return", "GiveBack"}

// IsPutName reports whether a method is named as the counterpart of Get: a type with
// both is a pool. It accuses, with a tier of warning.
func IsPutName(name string) bool { return slices.Contains(putNames, name) }

// PoolNames returns the names of the pairs of methods of an interface that get and put, of
// which a method with the name is one. It accuses, with a tier of warning.
func PoolNames(name string) (pairs [][2]string) {
	for _, put := range putNames {
		for _, pair := range [][2]string{{"Get", put}, {"get", strings.ToLower(put[:1]) + put[1:]}} {
			if pair[0] == name || pair[1] == name {
				pairs = append(pairs, pair)
			}
		}
	}
	return pairs
}

// getNames begin the names of functions that take an object out of a pool.
var getNames = []string{"Get", "Acquire", "Alloc", "Borrow", "New", "Obtain", "Take"}

// PoolPairs returns the names of the pairs of functions that get and put, of which a function with the
// name is one: GetBytes and PutBytes, newPage and freePage. It accuses, with a tier of warning, where both
// use one list.
func PoolPairs(name string) (pairs [][2]string) {
	small := func(verb string) string { return strings.ToLower(verb[:1]) + verb[1:] }
	for _, get := range getNames {
		for _, put := range putNames {
			for _, pair := range [][2]string{{get, put}, {small(get), small(put)}} {
				for _, verb := range pair {
					if of, ok := strings.CutPrefix(name, verb); ok {
						pairs = append(pairs, [2]string{pair[0] + of, pair[1] + of})
					}
				}
			}
		}
	}
	return pairs
}

// touchingVerbs begin the names of methods that use what their receiver holds.
var touchingVerbs = []string{
	"read", "next", "scan", "bytes", "string", "text", "decode", "peek", "unmarshal", "write", "copy",
	"flush", "close", "token", "parse", "do", "error", "format", "body", "encode", "marshal", "execute", "print",
}

// IsTouching reports whether a method is named as one that uses the memory that its
// receiver refers to. It accuses: scanner.Text() after the scanner's buffer was put.
func IsTouching(name string) bool { return hasAnyPrefix(strings.ToLower(name), touchingVerbs) }

// IsJoin reports whether a function is named as one that waits for others. It excuses.
func IsJoin(name string) bool {
	return hasAnyPrefix(name, []string{"Wait", "wait", "Acquire", "Join"}) || name == "Lock"
}

// IsSetup reports whether a function is named as one that gives its receiver what it
// works on for a time: what it keeps is lent to it. It excuses; it accuses one that loses what fields of
// its receiver hold.
func IsSetup(name string) bool { return hasAnyPrefix(name, []string{"Reset", "Init", "init"}) }

// IsCleaning reports whether a function is named as one that empties what it is given.
// It excuses.
func IsCleaning(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "reset") || strings.Contains(name, "clear") || strings.Contains(name, "clean")
}

// renewing matches the names of functions after which an object is as new, or holds what its user wants.
// bytes.Buffer.WriteTo leaves nothing in the buffer.
var renewing = regexp.MustCompile(`(?i)^(re_?set|re_?init|init|set|clear|zero|clean|wipe|truncate|empty|erase|scrub|prepare|setup|load|begin|fill|WriteTo$)`)

// IsRenewing reports whether a function is named as one that makes what it is given as new. It excuses; it
// accuses a function beside it that resets less.
func IsRenewing(name string) bool { return renewing.MatchString(name) }

// IsPreparing reports whether a function is named as one that makes its object ready, before
// any other code has it. It excuses a pool that is assigned.
func IsPreparing(name string) bool {
	return hasAnyPrefix(strings.ToLower(name), []string{"init", "new", "make", "setup", "prepare", "construct", "unmarshal"})
}

// IsDerived reports whether a method is named as one that returns another object in place of its receiver:
// WithContext. It excuses.
func IsDerived(name string) bool { return strings.HasPrefix(name, "With") }

// IsSize reports whether a method is named as one that says how large its receiver is. It
// excuses: what it says decides what is kept.
func IsSize(name string) bool { return name == "Cap" || name == "Len" || name == "Available" }

// IsSignal reports whether a function is named as one that tells others that work is done.
// It excuses: the function that started the work may wait for that.
func IsSignal(name string) bool {
	return name == "Done" || name == "Release" || name == "Signal" || name == "Broadcast"
}

// IsTransfer reports whether a method is named as one of the interfaces of package io that
// must not keep the slice that they are given. It accuses.
func IsTransfer(name string) bool {
	return name == "Write" || name == "WriteAt" || name == "Read" || name == "ReadAt"
}

// IsYield reports whether a parameter is named as the function with which a range over a function
// goes on: it borrows what it gets, and what it returns says nothing of that. It accuses.
func IsYield(name string) bool { return name == "yield" }

// IsDecoding reports whether a function is named as one that sets what it gets to what it has read. It accuses:
// what a field holds then says nothing of the object.
func IsDecoding(name string) bool {
	return hasAnyPrefix(strings.ToLower(name), []string{"unmarshal", "decode"})
}

// IsSleep reports whether a function is named as one that waits for a time. It excuses.
func IsSleep(name string) bool { return strings.HasPrefix(name, "Sleep") }

// IsCounter reports whether a field is named as a count of references. It excuses: the
// last owner puts, and which one that is cannot be seen.
func IsCounter(field string) bool {
	field = strings.ToLower(field)
	return strings.HasPrefix(field, "ref") || strings.HasSuffix(field, "refs") || strings.HasSuffix(field, "count") || field == "rc"
}

// IsCounting reports whether a method of an atomic is named as one that changes a count.
// It excuses.
func IsCounting(name string) bool {
	return hasAnyPrefix(name, []string{"Add", "CompareAndSwap", "Swap", "Dec", "Sub", "CAS"})
}

// IsRetain reports whether a function is named as one that counts another reference to what
// it is given. It excuses.
func IsRetain(name string) bool {
	name = strings.ToLower(name)
	return hasAnyPrefix(name, []string{"retain", "ref", "inc", "add", "hold", "share", "acquire", "clone", "dup", "own", "keep"})
}

// IsAppend reports whether a function is named as one that appends to its first
// argument. It accuses, of growth that is lost.
func IsAppend(name string) bool { return hasAnyPrefix(name, []string{"Append", "append"}) }

// IsGrowing reports whether a function is named as one that returns its argument made
// longer, or moved to where there is room. It accuses, of growth that is lost.
func IsGrowing(name string) bool {
	name = strings.ToLower(name)
	return hasAnyPrefix(name, []string{"append", "marshal", "encode", "grow", "resize", "extend", "ensure", "format", "write", "put", "add"})
}

// IsShortAppend reports whether a function of the standard library appends a text of a
// few bytes, for which each pooled slice has room. It excuses.
func IsShortAppend(fn *types.Func) bool {
	if fn == nil {
		return false
	}
	switch fn.FullName() {
	case "strconv.AppendInt", "strconv.AppendUint", "strconv.AppendBool", "strconv.AppendQuoteRune", "unicode/utf8.AppendRune":
		return true
	}
	return false
}

func hasAnyPrefix(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}
