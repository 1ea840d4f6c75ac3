package oas

import "bytes"

// drop removes the children from first to last. before and after are the next ones
// that stay, or 0.
func (p *patcher) drop(parent, before, first, last, after uint32, s style) {
	text := p.source
	from, end := int(p.extents[first].entry), int(max(p.extents[last].end, p.extents[last].sep))
	start := p.lineStart(from)
	alone := len(bytes.TrimLeft(text[start:from], " \t")) == 0 // no other text before it in its line
	if s == block {
		stop := p.lineStop(end)
		if alone {
			if !(parent == 1 && first == p.was[parent].first) {
				start = p.comments(start, from-start)
			}
			if p.keeps(first - 1) { // the empty lines after it would become part of the one before
				for at, l := range lines(text, afterLine(text, stop), len(text)) {
					if len(bytes.TrimSpace(text[at:l.end])) > 0 {
						break
					}
					stop = p.lineStop(at)
				}
			}
			if start > 0 {
				// From the end of the line before, so that what is added after these
				// lines is not added within them.
				start = p.lineStop(start - 1)
			} else {
				stop = afterLine(text, stop)
			}
			p.put(start, stop, nil)
			return
		}
		// It is the first one, and stands after a dash.
		next := int(p.extents[after].entry)
		if stop < next && bytes.IndexByte(text[stop:next], '#') >= 0 { // a comment of the next one
			from, next = len(bytes.TrimRight(text[:from], " ")), stop
		}
		p.put(from, next, nil)
		return
	}
	if after == 0 {
		if gap := int(p.extents[before].end); !p.yaml || bytes.IndexByte(text[gap:from], '#') < 0 {
			from = max(gap, int(p.extents[before].sep))
		} else if rest := bytes.TrimLeft(text[end:], " \t"); len(rest) > 0 && rest[0] == ',' {
			end = len(text) - len(rest) + 1 // the comma before it stays
		}
		p.put(from, end, nil)
		return
	}
	next := int(p.extents[after].entry)
	for end < next && text[end] != ',' {
		end++
	}
	if stop := p.lineStop(end); p.yaml && alone && stop < next {
		p.put(start, afterLine(text, stop), nil) // with the comment in its line
		return
	}
	p.put(from, next, nil)
}

// keeps reports whether a value is a block scalar to which all empty lines after it belong.
func (p *patcher) keeps(i uint32) bool {
	e := &p.extents[i]
	if e.style != flow || e.start >= e.end || p.source[e.start] != '|' && p.source[e.start] != '>' {
		return false
	}
	header, _, _ := bytes.Cut(p.source[e.start:p.lineStop(int(e.start))], []byte{'#'})
	return bytes.IndexByte(header, '+') >= 0
}

// comments returns where the comment lines begin that stand right above a line and
// are indented as it is.
func (p *patcher) comments(start, indent int) int {
	for start > 0 {
		above := p.lineStart(start - 1)
		lead := leadOf(p.source, above)
		if len(lead) != indent || above+indent >= len(p.source) || p.source[above+indent] != '#' {
			break
		}
		start = above
	}
	return start
}

// afterLine returns where the next line begins.
func afterLine(text []byte, stop int) int {
	if stop < len(text) && text[stop] == '\r' {
		stop++
	}
	return min(stop+1, len(text))
}
