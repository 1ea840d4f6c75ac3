module github.com/poolproof/poolproof/systems

go 1.26.0

require github.com/poolproof/poolproof v0.0.0

replace github.com/poolproof/poolproof => ../
