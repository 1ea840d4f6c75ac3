package retainedrefs

import "io"

func fieldCleared(id int, body io.Reader, do func(int, io.Reader)) {
	r := requests.Get().(*request)
	r.id, r.body = id, body
	do(r.id, r.body)
	r.body = nil
	requests.Put(r) // fine "PV017" cleared
}

func wholeCleared(id int, body io.Reader, do func(int, io.Reader)) {
	r := requests.Get().(*request)
	r.id, r.body = id, body
	do(r.id, r.body)
	*r = request{}
	requests.Put(r) // fine "PV017" all is cleared
}

func elementsCleared(all []*tag, use func([]*tag)) {
	p := tagLists.Get().(*[]*tag)
	*p = append((*p)[:0], all...)
	use(*p)
	clear(*p)
	*p = (*p)[:0]
	tagLists.Put(p) // fine "PV017" the elements are cleared
}

func numbersOnly(id int) int {
	r := requests.Get().(*request)
	r.id = id
	n := r.id * 2
	requests.Put(r) // fine "PV017" no reference was stored
	return n
}

func (r *request) reset() {
	r.id, r.body = 0, nil
	clear(r.tags)
	r.tags = r.tags[:0]
}

func byMethod(id int, body io.Reader, all []*tag) {
	r := requests.Get().(*request)
	r.id, r.body = id, body
	r.tags = append(r.tags, all...)
	r.reset()
	requests.Put(r) // fine "PV017" cleared by the method
}
