package main

const vetHelp = `poolproof vet: is the pool used correctly? Found before the program runs.

usage:
	poolproof vet [flags] [PACKAGE...]              folders (also of other modules), import paths, patterns; default .
	poolproof vet -explain CHECK                    what a check finds, why it is wrong, and how to put it right
	go vet -vettool=$(which poolproof) [PACKAGE...] the same as a tool of the go command; -tier, -require-defer and
	                                                -drop-on-error work there too

One finding a line: file:line:column: code name: message. Nothing is printed where nothing is found.

what to report:
	-tier TIER           error, warning (default) or audit, and all above it: an error is memory with two
	                     owners; a warning is a pool that does not do its work, or a use one step from wrong;
	                     an audit remark is worth reading when somebody goes through the pools
	-checks LIST         only these checks, as PV001,leak-path; or all but some, as -PV008
	-tests=false         nothing in _test.go files
	-new-from REV        only findings on lines changed since the branch left that git revision, or whose get,
	                     put or defer was changed; files that git does not know yet are new
	-require-defer LIST  functions, as example.com/p.GetBuffer or getBuffer, each result of which must be put
	                     by a deferred call (PV020, tier audit, reported whatever -tier is)
	-drop-on-error       a path that returns an error may lose the object (PV005)
	-generated           report findings in generated files too
	-tags LIST           build tags

what to do:
	-fix                 apply the fixes that are always right, then report what is left
	-diff                print those fixes as a patch, and change nothing

what comes out:
	-json                all that is known, as JSON
	-sarif               SARIF 2.1.0, for code hosts and editors
	-github              annotations for a pull request on GitHub
	-v                   also the lines that a finding refers to, and functions too large to be analysed

A finding that is meant is suppressed where it is, with a reason:
	//poolproof:ignore PV005 the buffer is too large to keep

exit codes: 0 nothing found; 1 findings; 2 usage or environment; 3 a package does not compile (the others are
analysed); 130 interrupted.

examples:
	poolproof vet ./...
	poolproof vet -tier error -new-from origin/main ./...
	poolproof vet -checks leak-path -drop-on-error ./...
	poolproof vet -explain use-after-put
	poolproof vet -sarif ./... > poolproof.sarif
`
