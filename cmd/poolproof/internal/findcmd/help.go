package findcmd

const help = `poolproof find shows where your program allocates, and where using memory again could help.

usage:
	poolproof find [flags] [packages]             profile the packages' own benchmarks (default ./...)
	poolproof find -profile FILE|URL... [flags]   read profiles of a program, in the folder of its module

Sites are ranked by their share of the bytes or of the objects; those with 3% of either are printed. A constructor
that is called in each operation, of a type that has a Reset method, comes first, with all that is allocated below
it. Each site has the most that a change there can win, what could be tried, the command that tries it, or the
reason why nothing can be tried. Set-up of benchmarks is taken off.

what to profile:
	-bench RE       profile these benchmarks, as with go test -bench
	-profile FILE   read a profile in the format of pprof: a file of go test -memprofile, or an address such as
	                http://localhost:6060/debug/pprof/allocs?seconds=30, which shows what is allocated in that
	                time. Give as many as there are; a CPU profile among them gives the bounds
	-lifetimes=false
	                do not watch how long the objects of each site can be reached, for which the benchmarks are
	                built and run once more in a third of the budget. A site whose objects all end with their
	                function can be tried, of the class "observed"
	-tags LIST      build with these tags
	-budget D       time for each package, its build included (default 3m)
	-timeout D      give up on a benchmark, or an address, that is silent for so long (default 1m)

what comes out:
	-top N          print N sites (default 10; 0: all with 3%)
	-why            print what the compiler says of each site, what was seen of its objects, and the benchmarks
	                that reach it
	-json           print the sites as JSON
	-pprof FILE     also write the sites as a profile, for go tool pprof
	-out DIR        also write find.json and sites.pb.gz to DIR

exit codes: 0 done; 2 usage or environment, or a profile that cannot be used; 3 a package does not build or a
benchmark fails; 130 interrupted: what was measured is printed.

examples:
	poolproof find ./...
	poolproof find -why -bench Marshal ./codec
	poolproof find -profile 'http://localhost:6060/debug/pprof/allocs?seconds=30'
	poolproof find -pprof sites.pb.gz ./... && go tool pprof -http : sites.pb.gz
`
