package vet

import (
	"github.com/poolproof/poolproof/cmd/poolproof/vet/borrowedctx"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/copied"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/danglingfield"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/deferinloop"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/directive"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/doubleput"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/escape"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/foreignput"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/leakpath"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/localpool"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/lostgrowth"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/neverput"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/nilassert"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/nonpointer"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/noreset"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/oversize"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/overwritten"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/requiredefer"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/retainedrefs"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/returnalias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/typemismatch"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/useafterput"
)

// rules is every check but the last, each after those that explain its findings. The
// order of the list does not matter.
var rules = check.Ordered([]Check{
	useafterput.Check,
	doubleput.Check,
	returnalias.Check,
	escape.Check,
	foreignput.Check,
	leakpath.Check,
	neverput.Check,
	borrowedctx.Check,
	lostgrowth.Check,
	deferinloop.Check,
	danglingfield.Check,
	retainedrefs.Check,
	typemismatch.Check,
	nonpointer.Check,
	overwritten.Check,
	localpool.Check,
	noreset.Check,
	oversize.Check,
	nilassert.Check,
	copied.Check,
	requiredefer.Check,
})

// all is every check. That of the directives needs the results of the others.
var all = append([]Check{directive.New(rules)}, rules...)
