module github.com/poolproof/poolproof/studies/peers/flow

go 1.26.0

require (
	github.com/bradenaw/juniper v0.15.3
	github.com/poolproof/poolproof/metrics v0.0.0
	github.com/poolproof/poolproof/studies v0.0.0
	github.com/poolproof/poolproof/systems v0.0.0
	github.com/samber/lo v1.53.0
	github.com/samber/ro v0.3.0
	github.com/sourcegraph/conc v0.3.0
	golang.org/x/sync v0.24.0
)

require (
	github.com/poolproof/poolproof v0.0.0 // indirect
	go.uber.org/atomic v1.7.0 // indirect
	go.uber.org/multierr v1.9.0 // indirect
	golang.org/x/exp v0.0.0-20260908205506-85c1c2202aba // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace (
	github.com/poolproof/poolproof => ../../../
	github.com/poolproof/poolproof/metrics => ../../../metrics
	github.com/poolproof/poolproof/studies => ../../
	github.com/poolproof/poolproof/systems => ../../../systems
)
