package orderedjsontemplates

// Lend is the arm lend: one pool. The buffer goes back after its content was
// used, so that nothing has to be copied.
func Lend(p Part, m *Model, finish Finish) ([]byte, error) {
	out := buffers.Get()
	defer release(buffers, out)
	if err := execute(out, p, m); err != nil {
		return nil, err
	}
	return finish(out.Bytes())
}
