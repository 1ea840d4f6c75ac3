package studyfile

import (
	"os"
	"path/filepath"
	"regexp"
)

var (
	// tagList is a list of build tags.
	tagList = regexp.MustCompile(`^[\pL\pN_.]+(,[\pL\pN_.]+)*$`)
	// testName is a test function's name.
	testName = regexp.MustCompile(`^Test[^\s/]*$`)
)

// binaries checks what gives an arm a binary of its own, and what all of them
// must agree on.
func (c *checker) binaries() {
	if c.Agree != "" && !testName.MatchString(c.Agree) {
		c.found.add(c.at("agree"), "agree %q is no test; write the name of a test function, as TestArmsAgree", c.Agree)
	}
	for i, a := range c.Arms {
		if a.Tags != "" && !tagList.MatchString(a.Tags) {
			c.found.add(c.at("arm", i, "tags"), "tags %q is no list of build tags; separate them by commas", a.Tags)
		}
		if filepath.IsAbs(a.Module) {
			c.found.add(c.at("arm", i, "module"), "module %q is absolute; write it relative to the study file", a.Module)
		}
		switch {
		case a.Optional == "":
		case a.Name == c.Baseline:
			c.found.add(c.at("arm", i, "optional"), "the baseline cannot be optional; every comparison needs it")
		case a.Tags == "" && a.Module == "":
			c.found.add(c.at("arm", i, "optional"), "arm %q is in the package's own binary, which is always built; remove optional, or give the arm tags or a module", a.Name)
		}
	}
}

// checkModules reports an arm's module directory that does not exist. dir is
// the study file's.
func checkModules(p parsed, dir string) problems {
	var found problems
	for i, a := range p.Arms {
		if a.Module == "" {
			continue
		}
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(a.Module))); err != nil || !info.IsDir() {
			found.add(p.at("arm", i, "module"), "module %q is no directory; write it relative to the study file", a.Module)
		}
	}
	return found
}
