package vetcmd

// Help is the text of "poolproof vet -h".
const Help = `poolproof vet finds misuses of pools in source code, without running it.

usage:
	poolproof vet [flags] [PACKAGE...]              check folders (of any module), import paths or patterns; default .
	poolproof vet -explain CHECK                    explain what a check finds, why it is wrong, and how to fix it
	go vet -vettool=$(which poolproof) [PACKAGE...] the same through go vet; -tier, -checks, -require-defer,
	                                                -drop-on-error and -generated work there too

Each finding is one line: file:line:column: code name (tier): message. Without findings, nothing is printed.

what to report:
	-tier TIER           report this tier and those above: an error is memory with two owners; a warning
	                     (default) is a pool that does not do its work, or a use one step from wrong; an
	                     audit remark helps a reader who reviews the pools
	-checks LIST         report only these checks (PV001,leak-path), or all but these (-PV008)
	-tests=false         report nothing in _test.go files
	-new-from REV        report findings on lines changed since the branch left this git revision, or whose
	                     get, put or defer changed; all of a file that git does not track is new
	-require-defer LIST  require a deferred call that puts the result of these functions, such as getBuffer
	                     or example.com/p.GetBuffer (PV020, reported for any -tier)
	-drop-on-error       allow a path that returns an error to lose the object (PV005)
	-generated           report findings in generated files too
	-tags LIST           build with these tags

what to do:
	-fix                 apply the fixes that are always right, then report the remaining findings
	-diff                print those fixes as a patch, and change nothing

what comes out:
	-json                print everything as JSON
	-sarif               print SARIF 2.1.0, for code hosts and editors
	-github              print annotations for a pull request on GitHub
	-v                   also print the lines that a finding refers to, the command of poolproof test that can
	                     confirm it, and functions too large to analyse

A comment with a reason suppresses an intended finding on its line:
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
