package vet

import (
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/check"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/borrowedctx"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/copied"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/danglingfield"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/deferinloop"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/directive"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/doubleput"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/escape"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/foreignput"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/leakpath"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/localpool"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/lostgrowth"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/neverput"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/nilassert"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/nonpointer"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/noreset"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/oversize"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/overwritten"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/requiredefer"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/retainedrefs"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/returnalias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/sharedwrite"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/typemismatch"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/checks/useafterput"
)

// rules is every check but the last, each after those that explain its findings. The
// order of the list does not matter.
var rules = check.Ordered([]Check{
	useafterput.Check,
	doubleput.Check,
	returnalias.Check,
	escape.Check,
	foreignput.Check,
	sharedwrite.Check,
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
