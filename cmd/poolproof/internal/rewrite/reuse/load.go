package reuse

import (
	"context"
	"go/token"

	"golang.org/x/tools/go/packages"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
)

// Load reads the package of a folder in the way that [Variants] needs. env is that of the go
// command. The error is of the kind fault.Code where the package does not compile.
func Load(ctx context.Context, dir, tags string, env []string) (*packages.Package, error) {
	c := &packages.Config{
		Context: ctx, Dir: dir, Env: env, Fset: token.NewFileSet(),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule,
	}
	if tags != "" {
		c.BuildFlags = []string{"-tags=" + tags}
	}
	all, err := packages.Load(c, ".")
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fault.Errorf(fault.Input, "%s: %w", dir, err)
	case len(all) != 1:
		return nil, fault.Errorf(fault.Input, "%s: the go command finds %d packages there", dir, len(all))
	}
	pkg := all[0]
	if len(pkg.Errors) > 0 {
		return nil, fault.Errorf(fault.Code, "%s does not compile: %s", pkg.PkgPath, pkg.Errors[0].Msg)
	}
	if pkg.Module == nil {
		return nil, fault.Errorf(fault.Input, "%s is in no module", pkg.PkgPath)
	}
	return pkg, nil
}
