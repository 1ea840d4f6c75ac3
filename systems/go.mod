module github.com/poolproof/poolproof/systems

go 1.26.0

require github.com/miekg/dns v1.1.73

require (
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
)

replace github.com/poolproof/poolproof => ../
