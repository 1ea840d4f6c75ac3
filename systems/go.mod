module github.com/poolproof/poolproof/systems

go 1.26.0

require github.com/miekg/dns v1.1.73

require (
	github.com/poolproof/poolproof v0.0.0-00010101000000-000000000000
	go.yaml.in/yaml/v4 v4.0.0
	golang.org/x/net v0.62.0
	golang.org/x/sys v0.49.0
)

replace github.com/poolproof/poolproof => ../
