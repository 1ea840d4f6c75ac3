package orderedjsontemplates

// Split is the published form, in full: only the types take their buffer from
// the pool, and from the tier of middle size, whatever the document has, for the
// number of operations that its one caller gives is always 25. Client and server
// are written to a plain buffer. The result is the caller's.
func Split(p Part, m *Model, finish Finish) ([]byte, error) {
	if p != Types {
		return New(p, m, finish)
	}
	source, err := copied(tier(25), p, m)
	if err != nil {
		return nil, err
	}
	return finish(source)
}
