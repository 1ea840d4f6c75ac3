package gen

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// initialisms are written in capitals where they are a word.
var initialisms = map[string]string{
	"id": "ID", "url": "URL", "uri": "URI", "api": "API", "http": "HTTP", "https": "HTTPS", "json": "JSON", "uuid": "UUID", "ip": "IP", "ids": "IDs",
}

// exported returns an exported identifier for any text. Words stand
// between runes that are no letters or digits, and what begins with a capital.
func exported(text string) string {
	var b strings.Builder
	if strings.HasPrefix(text, "-") {
		b.WriteString("Minus")
	}
	text = strings.ReplaceAll(text, "+", " Plus ")
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		for word != "" {
			n := hump(word)
			if known := initialisms[strings.ToLower(word[:n])]; known != "" {
				b.WriteString(known)
			} else {
				r, first := utf8.DecodeRuneInString(word)
				b.WriteRune(unicode.ToUpper(r))
				b.WriteString(word[first:n])
			}
			word = word[n:]
		}
	}
	name := b.String()
	switch r, _ := utf8.DecodeRuneInString(name); {
	case name == "":
		return "X"
	case unicode.IsDigit(r):
		return "N" + name
	case !unicode.IsUpper(r):
		return "X" + name // letters that have no capitals are not exported
	}
	return name
}

// hump returns the length of the first part of a word such as petId: up to a
// capital after a letter that is none.
func hump(word string) int {
	small := false
	for i, r := range word {
		if small && unicode.IsUpper(r) {
			return i
		}
		small = !unicode.IsUpper(r)
	}
	return len(word)
}

// names are identifiers that are taken. For each it has the last number with which a name
// was made of it, so that the next one need not begin at 2: many operations of a document
// may have one name.
type names map[string]int

// unique returns the name, or the name with the least number from 2 on that
// makes it one that is not taken, and takes it.
func unique(taken names, name string) string {
	last := taken[name]
	if last == 0 {
		taken[name] = 1
		return name
	}
	for {
		last++
		numbered := name + strconv.Itoa(last)
		if taken[numbered] == 0 {
			taken[name], taken[numbered] = last, 1
			return numbered
		}
	}
}
